"""A package outside Pathfinder brings an engine, which holds the vectors of a corpus from the first build on."""

import json
import re
from pathlib import Path

import pytest

from pathfinder import Pathfinder
from pathfinder.building import build, remove, rollback
from pathfinder.cli import main
from pathfinder.corpus.store import open_corpus
from pathfinder.errors import EngineError, PluginFailed, UsageError
from pathfinder.index.engines import ENGINES, Collection, collection_holding
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, QUASARS, WordByWord, WordsAsKeywords, write
from tests.plugins.conftest import Install, install

__all__ = ["install"]  # a fixture

DRAWERS = '''
import hashlib, json
from pathlib import Path
import numpy as np
from pathfinder.errors import EngineError, UsageError
from pathfinder.index.dense import DenseIndex
from pathfinder.index.engines import Collection, Engine, EngineVectors, Holding
PATHFINDER_API = 1

class Drawer(EngineVectors):
    """Vectors in a file of NumPy."""
    def __init__(self, named, columns):
        self.named, self.index = named, DenseIndex.of(np.load(named["file"]), columns)
    def __len__(self):
        return len(self.index)
    def __getattr__(self, name):
        return getattr(self.index, name)
    dimension = property(lambda self: self.index.dimension)
    method = property(lambda self: "a drawer")
    search = lambda self, *rest: self.index.search(*rest)
    vectors = lambda self, rows: self.index.vectors(rows)
    cosines = lambda self, *rest: self.index.cosines(*rest)
    source = property(lambda self: Collection("drawers", self.named["uri"], self.named["name"]))
    holding = property(lambda self: Holding("drawers", "7", self.named["uri"], self.named["name"], 1, False))
    words = lambda self, own: own

def check(uri, name):
    if " " in name:
        raise UsageError("a drawer has one word")

def write(target, owner, vectors, papers, path, advance, what):
    every = np.asarray(vectors[np.arange(len(vectors))])
    file = Path(target.uri, f"{what}-{hashlib.sha256(every.tobytes()).hexdigest()[:8]}.npy")
    np.save(file, every)
    advance(len(every))
    named = {"engine": "drawers", "uri": target.uri, "name": target.name, "file": str(file)}
    path.write_text(json.dumps(named))

def open(path, columns):
    named = json.loads(path.read_text())
    if not Path(named["file"]).exists():
        raise EngineError("the drawer is empty")
    return Drawer(named, columns)

def drop_unused(unused, needed):
    files = [{json.loads(path.read_text())["file"] for path in paths} for paths in (unused, needed)]
    for file in files[0] - files[1]:
        Path(file).unlink()

engine = Engine(check, write, open, drop_unused)
'''


@pytest.fixture
def no_engine_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The names of engines are read again."""
    monkeypatch.delitem(vars(ENGINES), "_declarations", raising=False)
    for kept in ("_loaded_extensions", "_problems", "_faults"):
        monkeypatch.setattr(ENGINES, kept, {})


@pytest.fixture
def drawers(install: Install, no_engine_is_known: None, tmp_path: Path) -> Path:
    """The folder of an engine of another package."""
    install("cabinet", DRAWERS, group="pathfinder.engines", drawers="cabinet:engine")
    folder = tmp_path / "drawers"
    folder.mkdir()
    return folder


@pytest.fixture
def served(drawers: Path, tmp_path: Path) -> Path:
    """A corpus whose vectors are in that engine."""
    source, folder = write(tmp_path / "papers.jsonl", GALAXIES, PLANETS, PULSARS), tmp_path / "corpus"
    collection = Collection("drawers", str(drawers), "stars")
    build([source], folder, WordByWord(), extractor=WordsAsKeywords(), collection=collection)
    return folder


@pytest.mark.build
def test_an_engine_holds_the_vectors_of_every_version(served: Path, drawers: Path, tmp_path: Path) -> None:
    def names() -> list[str]:
        return sorted(path.name.partition("-")[0] for path in drawers.iterdir())

    def found() -> list[str]:
        pf = Pathfinder.open(served, embedder=WordByWord())
        assert pf.corpus.dense.method == pf.corpus.passages.method == pf.corpus.titles.method == "a drawer"
        return [hit.paper.paper_id for hit in pf.search("quasars in the early universe").hits]

    assert not [*served.rglob("*.faiss")]
    assert names() == ["papers", "passages", "titles"]
    assert "quasars" not in found()
    build([write(tmp_path / "more.jsonl", QUASARS)], served, WordByWord(), extractor=WordsAsKeywords())
    assert found()[0] == "quasars"
    assert names() == [*["papers"] * 2, *["passages"] * 2, *["titles"] * 2]
    remove(served, ["quasars"], WordByWord())
    assert "quasars" not in found()
    rollback(served)
    assert found()[0] == "quasars"
    assert collection_holding(open_corpus(served).dense) == Collection("drawers", str(drawers), "stars")


@pytest.mark.build
def test_info_names_the_engine(served: Path, drawers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(served), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["engine"] == {
        "name": "drawers",
        "version": "7",
        "uri": str(drawers),
        "collection": "stars",
        "schema_version": 1,
        "words": False,
    }
    assert main(["info", str(served)]) == 0
    assert f"vectors: drawers 7 at {drawers}, collection stars; " in capsys.readouterr().out


@pytest.mark.build
def test_a_corpus_in_an_engine_that_is_gone_or_empty_is_refused_by_name(
    served: Path, drawers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in drawers.iterdir():
        path.unlink()
    with pytest.raises(EngineError, match="the drawer is empty"):
        open_corpus(served)
    monkeypatch.setenv("PATHFINDER_ADDONS", "-cabinet")
    monkeypatch.delitem(vars(ENGINES), "_declarations")
    with pytest.raises(EngineError, match=r"dense-\w+\.json.*\'drawers\'.*PATHFINDER_ADDONS") as refused:
        open_corpus(served)
    assert "\n" not in str(refused.value)


def test_an_engine_that_fails_is_named(install: Install, no_engine_is_known: None, tmp_path: Path) -> None:
    broken = DRAWERS.replace('"a drawer has one word"', '"?"').replace("np.asarray(vectors", "np.lost(vectors")
    install("cabinet", broken, group="pathfinder.engines", drawers="cabinet:engine")
    with pytest.raises(PluginFailed, match=r"'drawers'.*cabinet"):
        Collection("drawers", str(tmp_path), "stars").write(tmp_path, [], None, tmp_path / "dense.json", print)


def test_a_build_names_the_engines_that_there_are(drawers: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"'shelves'.*drawers"):
        Collection("shelves", "", "stars")
    with pytest.raises(UsageError, match="a drawer has one word"):
        Collection("drawers", str(drawers), "two words")


def test_the_help_of_a_build_names_the_engines(drawers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--help"]) == 0
    assert re.search(r"Engines: [\w, ]*drawers\.", " ".join(capsys.readouterr().out.split()))
