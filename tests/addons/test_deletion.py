"""An add-on can be deleted: in a copy of the tree without its folder, all else works, and nothing else was touched:
what is gone are the operations, commands, panels and parts of pages that its `entry_points.txt` declares.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pathfinder.plugins import addons
from pathfinder.ui.shared.panels import GROUPS, OWN_PARTS, registry

ROOT = Path(__file__).parents[2]
ADDONS = {addon.name: addon for addon in addons()}
NAMES = list(ADDONS)
WHOLE = "none is deleted"
SWITCHED_OFF = "all are switched off"

USES = """
import contextlib, gc, importlib, io, json, os, pathlib, sys

# Each use has a process of its own, which begins with these packages and the core loaded; no add-on was looked for.
import fastapi, mcp, onnxruntime, pandas, plotly.graph_objects, pyarrow.parquet, scipy.stats, spacy, tokenizers
import streamlit.components.v2.manifest_scanner, streamlit.testing.v1

for module in sorted(pathlib.Path("pathfinder").rglob("*.py")):
    if not {"addons", "places"} & {*module.parts}:
        importlib.import_module(".".join(module.with_suffix("").parts).removesuffix(".__init__"))
assert not sys.modules["pathfinder.plugins"].addons.cache_info().currsize
assert "pathfinder.addons" not in sys.modules
streamlit.components.v2.manifest_scanner.scan_component_manifests = list  # as in conftest.py
gc.freeze()

def output(*arguments):
    from pathfinder.cli import main

    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        assert main([*arguments]) == 0, arguments
    return written.getvalue()

def use_everything():
    help_text = output("--help")
    found = json.loads(output("search", "galaxies", "--json"))["hits"]
    assert output("ask", "How do galaxies form?")
    output("map", "--out", "map.png")
    parts = {}
    for page in ("app", "map", "library", "review", "similar", "lab", "about"):
        drawn = streamlit.testing.v1.AppTest.from_file(f"pathfinder/ui/places/{page}.py", default_timeout=600)
        if page == "app":
            drawn.query_params["q"] = "How do galaxies form?"
            drawn.session_state["how"] = drawn.session_state["answer-more"] = True
        if page == "similar":
            drawn.query_params["like"] = found[0]["paper_id"]
        drawn.run()
        assert not drawn.exception, (page, drawn.exception)
        assert not [error for error in drawn.error], (page, [error.value for error in drawn.error])
        for choice in drawn.segmented_control:
            if choice.key.endswith("-of-place"):
                parts[page] = [option.rpartition(": ")[2].strip() for option in choice.options]

    from pathfinder.operations import OPERATIONS
    from pathfinder.plugins import declared_groups
    from pathfinder.ui.shared.panels import GROUPS, registry

    places = [group.removeprefix(GROUPS) for group in declared_groups(GROUPS)]
    panels = [(place, name) for place in places for name in registry(place).names()]
    return {"help": help_text, "operations": OPERATIONS.names(), "panels": panels, "parts": parts}

for name, environment in json.loads(sys.argv[1]).items():
    folder = f"pathfinder/addons/{name}"
    if is_deleted := os.path.exists(folder):
        os.rename(folder, "deleted")
    if os.fork() == 0:
        print(name, file=sys.stderr)
        os.environ.update(environment)
        print(json.dumps([name, use_everything()]), flush=True)
        os._exit(0)
    os.wait()
    if is_deleted:
        os.rename("deleted", folder)
"""


@pytest.fixture(scope="module")
def uses(tmp_path_factory: pytest.TempPathFactory, golden_corpus: Path) -> dict[str, Any]:
    """What there is in a copy of the tree, by the name of the add-on whose folder is gone."""
    tree = tmp_path_factory.mktemp("tree")
    for name in ("pathfinder", "data"):
        shutil.copytree(ROOT / name, tree / name)
    switched_off = {"PATHFINDER_ADDONS": ",".join(f"-{name}" for name in NAMES)}
    cases = {name: {} for name in (WHOLE, *NAMES)} | {SWITCHED_OFF: switched_off}
    process = subprocess.run(
        [sys.executable, "-c", USES, json.dumps(cases)],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree), "PATHFINDER_CORPUS": str(golden_corpus)},
        capture_output=True,
        text=True,
        check=False,
    )
    uses = dict(json.loads(line) for line in process.stdout.splitlines())
    assert uses.keys() == cases.keys(), (process.returncode, process.stderr)
    assert "left out" not in process.stderr
    return uses


def names(addon: str, group: str) -> set[str]:
    return {point.name for point in ADDONS[addon].entry_points.select(group=f"pathfinder.{group}")}


def commands(use: dict[str, Any]) -> set[str]:
    return set(re.findall(r"^  ([a-z-]+)  ", use["help"], re.MULTILINE))


@pytest.mark.build
@pytest.mark.parametrize("gone", [*([name] for name in NAMES), NAMES], ids=[*NAMES, SWITCHED_OFF])
def test_without_addons_what_they_declare_is_gone_and_all_else_works(gone: list[str], uses: dict[str, Any]) -> None:
    use, whole = uses[gone[0] if len(gone) == 1 else SWITCHED_OFF], uses[WHOLE]
    operations = set().union(*(names(name, "operations") for name in gone))
    assert operations <= {*whole["operations"]}
    assert {*use["operations"]} == {*whole["operations"]} - operations
    groups = {name.split()[0] for name in operations} - {name.split()[0] for name in use["operations"]}
    assert groups <= commands(whole)
    assert commands(use) == commands(whole) - groups
    panels = {
        (point.group.removeprefix(GROUPS), point.name)
        for name in gone
        for point in ADDONS[name].entry_points
        if point.group.startswith(GROUPS)
    }
    assert {*map(tuple, use["panels"])} == {*map(tuple, whole["panels"])} - panels
    for place in OWN_PARTS:
        titles = {registry(place).get(name).title for at, name in panels if at == place}
        page = place.partition(".")[0]
        assert titles <= {*whole["parts"][page]}
        assert use["parts"][page] == [title for title in whole["parts"][page] if title not in titles]
