"""Commands run in this process, and a corpus for them."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from pathfinder.cli.app import main
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, write
from tests.conftest import BuiltOnce


class Run(NamedTuple):
    status: int
    out: str
    err: str


def only_line(run: Run, status: int) -> str:
    """Return the only line on standard error of a command that failed with `status` and printed no result."""
    assert (run.status, run.out) == (status, "")
    (line,) = run.err.splitlines()
    assert line.startswith("pathfinder: ")
    return line


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Run]:
    """Run `pathfinder ARGUMENTS...` with no settings other than those that the test makes."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PATHFINDER_CORPUS", raising=False)

    def command(*arguments: object) -> Run:
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Run(status, captured.out, captured.err)

    return command


@pytest.fixture(scope="session")
def corpus(built_once: BuiltOnce) -> Path:
    """A corpus of three papers, which no test changes."""

    def fill(folder: Path) -> None:
        citing = {**GALAXIES, "references": ["planets", "doi:10.1/elsewhere"]}
        source = write(folder / "papers.jsonl", citing, PLANETS, PULSARS)
        assert main(["build", str(source), "--out", str(folder / "stars"), "--embedder", "fake:hash-16"]) == 0

    return built_once("cli", fill) / "stars"


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A collection over the papers in the corpus, with a question that the paper on pulsars answers."""
    monkeypatch.setenv("PATHFINDER_EMBEDDER", "fake:hash-16")
    folder = tmp_path / "tiny"
    folder.mkdir()
    write(folder / "corpus.jsonl", GALAXIES, PLANETS, PULSARS)
    write(folder / "queries.jsonl", {"_id": "q", "text": PULSARS["title"]})
    (folder / "qrels.tsv").write_text(f"q\t{PULSARS['id']}\t1\n")
    return folder
