"""Opening a corpus: anything missing, altered or hostile is reported, and nothing in it is ever run."""

import hashlib
import io
import json
import pickle
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pathfinder.building import build
from pathfinder.corpus.manifest import read_manifest, write_manifest
from pathfinder.corpus.parts import ends_sha256, place_part
from pathfinder.corpus.store import open_corpus, verify_corpus
from pathfinder.errors import CorpusDamaged, CorpusError
from pathfinder.facade import Pathfinder
from pathfinder.landscape.data.landscape import write_landscape
from pathfinder.models.fake import HashEmbedder
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, WordByWord, WordsAsKeywords, write


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a corpus of three papers that has every part, including the map."""
    folder = tmp_path_factory.mktemp("whole")
    corpus = folder / "corpus"
    citing = {**GALAXIES, "references": ["planets", "doi:10.1/elsewhere"]}
    source = write(folder / "papers.jsonl", citing, PLANETS, PULSARS)
    build([source], corpus, WordByWord(), extractor=WordsAsKeywords())
    write_landscape(np.array([[0, 0], [1, 0], [0, 1]], dtype=np.float32), folder / "landscape")
    manifest, _ = read_manifest(corpus)
    parts = {**manifest.parts, "landscape": place_part(folder / "landscape", "landscape", corpus)}
    write_manifest(corpus, replace(manifest, parts=parts, absent={}))
    return corpus


@pytest.fixture
def corpus(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "corpus"))


NOT_PARSED = (".png",)
"""Files that Pathfinder does not parse: pictures go to the browser unchanged."""


def use(folder: Path) -> None:
    """Read everything that a question and its map read."""
    pf = Pathfinder(open_corpus(folder), WordByWord(), WordsAsKeywords())
    result = pf.search("timing of pulsars", top_k=3)
    assert result.hits[0].paper.paper_id == "pulsars"
    pf.answer(result)
    assert pf.landscape is not None
    assert pf.map_data is not None


def files_of(folder: Path) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield each file that the manifest names, with its entry."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for role, part in manifest["parts"].items():
        yield from ((role, entry) for entry in part["files"])


def n_files(folder: Path) -> int:
    return sum(1 for _ in files_of(folder))


def forge(folder: Path, place: int, content: Callable[[str], bytes]) -> str:
    """Replace the content of one file, and make the manifest vouch for it, as a stranger could."""
    manifest = json.loads((folder / "manifest.json").read_text())
    entry = [entry for part in manifest["parts"].values() for entry in part["files"]][place]
    path = folder / entry["name"]
    path.write_bytes(content(path.suffix))
    entry["length"] = path.stat().st_size
    entry["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    entry["ends_sha256"] = ends_sha256(path, entry["length"])
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return entry["name"]


class Bomb:
    """Creates a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def test_the_bomb_works(tmp_path):
    pickle.loads(pickle.dumps(Bomb(tmp_path / "exploded")))
    assert (tmp_path / "exploded").exists()


@pytest.mark.build
def test_a_whole_corpus_is_used(corpus):
    use(corpus)
    verify_corpus(corpus)


@pytest.mark.build
def test_a_hostile_pickle_in_any_file_is_refused_and_never_run(corpus, whole, tmp_path):
    bomb = tmp_path / "exploded"

    def hostile(suffix: str) -> bytes:
        if suffix != ".npy":
            return pickle.dumps(Bomb(bomb))
        file = io.BytesIO()
        np.save(file, np.array([Bomb(bomb)], dtype=object), allow_pickle=True)
        return file.getvalue()

    for place in range(n_files(whole)):
        shutil.rmtree(corpus)
        shutil.copytree(whole, corpus)
        name = forge(corpus, place, hostile)
        if name.endswith(NOT_PARSED):
            continue
        with pytest.raises(CorpusError):
            use(corpus)
        assert not bomb.exists(), name


@pytest.mark.build
@pytest.mark.parametrize(
    "content", [b"", b"\0" * 61, b'{"a": []}', b"[" * 100_000, b"\x93NUMPY\x01\x00v\x00{'descr': '<f8'"]
)
def test_nonsense_in_any_file_is_an_error_that_can_be_read(corpus, whole, content):
    for place in range(n_files(whole)):
        shutil.rmtree(corpus)
        shutil.copytree(whole, corpus)
        name = forge(corpus, place, lambda suffix: content)
        if name.endswith(NOT_PARSED):
            continue
        with pytest.raises(CorpusError) as error:
            use(corpus)
        assert "\n" not in str(error.value), name


@pytest.mark.build
def test_a_missing_short_or_altered_file_is_named_whichever_it_is(corpus, whole):
    for _, entry in files_of(whole):
        path = corpus / str(entry["name"])
        content = path.read_bytes()
        for damage, message in (
            (None, "is missing"),
            (content[:-1], f"has {len(content) - 1} bytes, not {len(content)}"),
            (bytes([content[0] ^ 1]) + content[1:], "was altered"),
        ):
            path.unlink() if damage is None else path.write_bytes(damage)
            with pytest.raises(CorpusDamaged) as error:
                open_corpus(corpus)
            assert f"{path} {message}" in str(error.value)
            assert "restore the corpus" in str(error.value)
            path.write_bytes(content)
    open_corpus(corpus)


@pytest.mark.build
def test_verifying_finds_what_opening_does_not_look_at(tmp_path):
    long = [{**GALAXIES, "id": f"g{i}", "abstract": f"{i} " + "young galaxies " * 30_000} for i in range(2)]
    build([write(tmp_path / "long.jsonl", *long)], tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords())
    path = open_corpus(tmp_path / "corpus").path("papers")
    content = bytearray(path.read_bytes())
    place = content.index(b"young galaxies", len(content) // 2)
    content[place : place + 5] = b"aging"
    path.write_bytes(content)
    open_corpus(tmp_path / "corpus")
    with pytest.raises(CorpusDamaged, match=f"{path.name} was altered"):
        verify_corpus(tmp_path / "corpus")


@pytest.mark.build
def test_parts_of_another_corpus_do_not_fit(corpus, tmp_path):
    other = tmp_path / "other"
    build([write(tmp_path / "one.jsonl", PULSARS)], other, WordByWord(), extractor=WordsAsKeywords())
    theirs, ours = read_manifest(other)[0], read_manifest(corpus)[0]
    for role in ("papers", "dense", "sparse", "terms", "tokens", "passages", "titles"):
        part = theirs.parts[role]
        if (other / part.name).is_dir():
            shutil.copytree(other / part.name, corpus / part.name, dirs_exist_ok=True)
        else:
            shutil.copy(other / part.name, corpus / part.name)
        write_manifest(corpus, replace(ours, parts={**ours.parts, role: part}))
        with pytest.raises(CorpusDamaged, match=rf"{part.name}.*1.*3"):
            open_corpus(corpus)


@pytest.mark.build
def test_a_manifest_without_a_part_is_told(corpus):
    assert open_corpus(corpus).path("labels") is None
    with pytest.raises(CorpusDamaged, match="names no 'labels'"):
        open_corpus(corpus).read("labels")
    manifest, _ = read_manifest(corpus)
    parts = {role: part for role, part in manifest.parts.items() if role != "sparse"}
    write_manifest(corpus, replace(manifest, parts=parts))
    with pytest.raises(CorpusDamaged, match=r"manifest\.json.*'sparse'"):
        open_corpus(corpus)


@pytest.mark.build
def test_only_its_own_embedder_may_search_it(corpus):
    own_corpus = open_corpus(corpus)
    own_corpus.check_embedder(WordByWord())
    with pytest.raises(CorpusError, match=r"fake:words-384.*384.*fake:hash-8.*8"):
        own_corpus.check_embedder(HashEmbedder(8))


@pytest.mark.build
def test_a_corpus_is_named_by_its_folder_and_its_manifest(corpus, whole):
    first, second = open_corpus(corpus), open_corpus(whole)
    assert first.name == second.name
    assert (first.name.name, first.name.n_papers) == ("corpus", 3)
    assert first.name.version == hashlib.sha256((corpus / "manifest.json").read_bytes()).hexdigest()[:12]
