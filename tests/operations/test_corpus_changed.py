"""Whoever runs an operation that changes a corpus tells those that listen: once, where it has finished."""

import os
from pathlib import Path
from typing import Any

import pytest

from pathfinder.cli import main
from pathfinder.facade import Pathfinder
from pathfinder.operations import CORPUS_CHANGED, run
from pathfinder.operations.child.orders import Child, Order, OrderState
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, write
from tests.plugins.conftest import install

__all__ = ["install"]  # a fixture

LISTENER = """
import os
PATHFINDER_API = 1

def heard(folder):
    with open(os.environ["TOY_EAR"], "a") as ear:
        ear.write(f"{folder.name} {os.getpid()}\\n")
    yield "a change"
"""
PATIENCE = 300.0


@pytest.fixture
def ear(install: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a line for each time that the listener of another package was told."""
    install("toyear", LISTENER, group="pathfinder.corpus_changed", toy="toyear:heard")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "toyear"))
    monkeypatch.setenv("TOY_EAR", str(tmp_path / "ear"))
    monkeypatch.delitem(vars(CORPUS_CHANGED), "_declarations", raising=False)  # the names of plug-ins are read once
    monkeypatch.setattr(CORPUS_CHANGED, "_loaded_extensions", {})
    return tmp_path / "ear"


@pytest.mark.build
def test_a_command_a_notebook_and_the_process_of_the_page_each_tell_once(
    ear: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, folder = write(tmp_path / "papers.jsonl", GALAXIES, PLANETS, PULSARS), tmp_path / "stars"
    assert main(["build", str(source), "--out", str(folder), "--embedder", "fake:hash-16"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "toy: a change"
    pf = Pathfinder.open(folder)
    run(pf, "merges")  # lists them
    run(pf, "remove", paper_ids=["pulsars"])
    child = Child(Order("rollback", folder))
    assert child.wait(PATIENCE)
    assert child.state is OrderState.COMPLETE, child.error
    tellers = [line.split() for line in ear.read_text(encoding="utf-8").splitlines()]
    assert [name for name, _ in tellers] == ["stars"] * 3
    assert [process == str(os.getpid()) for _, process in tellers] == [True, True, False]
