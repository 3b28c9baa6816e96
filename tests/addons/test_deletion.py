"""An add-on can be deleted: in a copy of the tree without its folder, all else works, and nothing else was touched."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pathfinder.plugins import addons

ROOT = Path(__file__).parents[2]
NAMES = [addon.name for addon in addons()]
SWITCHED_OFF = "all are switched off"

USES = """
import contextlib, io, json, os, sys

# Each use has a process of its own, which begins with these packages loaded and with nothing of Pathfinder.
import fastapi, mcp, onnxruntime, pandas, plotly.graph_objects, pyarrow.parquet, scipy.stats, spacy, tokenizers
import streamlit.testing.v1

def output(*arguments):
    from pathfinder.cli import main

    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        assert main([*arguments]) == 0, arguments
    return written.getvalue()

def use_everything():
    help_text = output("--help")
    assert json.loads(output("search", "galaxies", "--json"))["hits"]
    assert output("ask", "How do galaxies form?")
    output("map", "--out", "map.png")
    for page in ("app", "map", "library", "lab", "about"):
        drawn = streamlit.testing.v1.AppTest.from_file(f"pathfinder/ui/places/{page}.py", default_timeout=600)
        if page == "app":
            drawn.query_params["q"] = "How do galaxies form?"
            drawn.session_state["how"] = drawn.session_state["answer-more"] = True
        drawn.run()
        assert not drawn.exception, (page, drawn.exception)
        assert not [error for error in drawn.error], (page, [error.value for error in drawn.error])

    from pathfinder.operations import OPERATIONS

    return {"help": help_text, "operations": OPERATIONS.names()}

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
    cases = {name: {} for name in NAMES} | {SWITCHED_OFF: {"PATHFINDER_ADDONS": ",".join(f"-{name}" for name in NAMES)}}
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


@pytest.mark.build
@pytest.mark.parametrize("name", NAMES)
def test_without_the_folder_of_an_addon_all_else_works(name: str, uses: dict[str, Any]) -> None:
    assert name not in uses[name]["operations"]


@pytest.mark.build
def test_addons_that_are_switched_off_are_as_if_they_were_deleted(uses: dict[str, Any]) -> None:
    assert not {*NAMES} & {*uses[SWITCHED_OFF]["operations"]}
    assert "  timeline " not in uses[SWITCHED_OFF]["help"]
