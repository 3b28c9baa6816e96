"""An add-on can be deleted: in a copy of the tree without its folder, all else works, and nothing else was touched."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from pathfinder.plugins import addons

ROOT = Path(__file__).parents[2]
NAMES = [addon.name for addon in addons()]
PAGES = ("map", "library", "lab", "about")

EVERYTHING = """
import contextlib, io, json, sys
from pathfinder.cli import main
from pathfinder.operations import OPERATIONS
from streamlit.testing.v1 import AppTest

def output(*arguments):
    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        assert main([*arguments]) == 0, arguments
    return written.getvalue()

help_text = output("--help")
assert json.loads(output("search", "galaxies", "--json"))["hits"]
assert output("ask", "How do galaxies form?")
output("map", "--out", sys.argv[1])
for page in ("app", *sys.argv[2:]):
    drawn = AppTest.from_file(f"pathfinder/ui/places/{page}.py", default_timeout=120)
    if page == "app":
        drawn.query_params["q"] = "How do galaxies form?"
    drawn.run()
    assert not drawn.exception, (page, drawn.exception)
    assert not [error for error in drawn.error], (page, [error.value for error in drawn.error])
print(json.dumps({"help": help_text, "operations": OPERATIONS.names()}))
"""

Everything: TypeAlias = Callable[..., dict[str, object]]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree")
    for name in ("pathfinder", "data"):
        shutil.copytree(ROOT / name, folder / name)
    return folder


@pytest.fixture
def everything(tree: Path, golden_corpus: Path, tmp_path: Path) -> Everything:
    """Use commands and pages of the copy, and return what there is."""

    def use(**environment: str) -> dict[str, object]:
        process = subprocess.run(
            [sys.executable, "-c", EVERYTHING, str(tmp_path / "map.png"), *PAGES],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree), "PATHFINDER_CORPUS": str(golden_corpus), **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode == 0, process.stderr
        assert "left out" not in process.stderr
        found: dict[str, object] = json.loads(process.stdout.splitlines()[-1])
        return found

    return use


@pytest.fixture(params=NAMES)
def deleted(request: pytest.FixtureRequest, tree: Path, tmp_path: Path) -> Iterator[str]:
    """The name of an add-on whose folder is gone."""
    folder = tree / "pathfinder" / "addons" / request.param
    shutil.move(folder, tmp_path / "deleted")
    yield request.param
    shutil.move(tmp_path / "deleted", folder)


@pytest.mark.build
def test_without_the_folder_of_an_addon_all_else_works(deleted: str, everything: Everything) -> None:
    assert deleted not in everything()["operations"]  # type: ignore[operator]


@pytest.mark.build
def test_an_addon_that_is_switched_off_is_as_if_it_was_deleted(everything: Everything) -> None:
    found = everything(PATHFINDER_ADDONS=",".join(f"-{name}" for name in NAMES))
    assert not {*NAMES} & {*found["operations"]}  # type: ignore[misc]
    assert "  timeline " not in str(found["help"])
