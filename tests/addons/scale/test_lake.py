"""A corpus written as a lake and filled from it again; and lakes that somebody has altered."""

import datetime
import json
import shutil
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pathfinder.addons.scale import shards as lake_shards
from pathfinder.addons.scale.lake import (
    LAKE_FILE,
    Lake,
    PaperVectors,
    open_lake,
    read_lake,
    read_shard,
    write_lake,
    write_shard,
)
from pathfinder.addons.scale.shards import ProcessPool, export_lake
from pathfinder.building import build
from pathfinder.building.progress import Silent
from pathfinder.corpus.store import open_corpus
from pathfinder.errors import CorpusError
from pathfinder.index.passages import StoredPassages
from pathfinder.settings import Settings
from pathfinder.sources.kind import Access, Window
from pathfinder.sources.spec import SourceSpec
from pathfinder.types import Paper
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, WordByWord, WordsAsKeywords, write


def half(*numbers):
    return np.array(numbers, np.float16)


SUN = Paper("sun", "The Sun", "A star. It shines.", authors=("Ra",), year=2020, doi="10.1/sun")
MOON = Paper("moon", "The Moon", "")
ROWS = (
    PaperVectors(SUN, half(0.6, 0.8), half(1, 0), StoredPassages(np.array([[0, 7]]), half([0, 1])), b"ab"),
    PaperVectors(MOON, half(0, 1)),
)


def lake_of(folder, rows=ROWS):
    """Write a lake of a single shard in `folder`."""
    folder.mkdir()
    shard = write_shard(rows, 2, folder / "shard-000000.parquet")
    write_lake(Lake(1, "test", "fake:2", 2, None, "full", (shard,)), folder)
    return folder


def read(folder):
    lake = read_lake(folder)
    return [row for shard in lake.shards for row in read_shard(folder, shard, lake)]


def test_a_shard_gives_back_every_field_and_every_number(tmp_path):
    sun, moon = read(lake_of(tmp_path / "lake"))
    assert (sun.paper, moon.paper) == (SUN, MOON)
    assert [row.vector.tolist() for row in (sun, moon)] == [half(0.6, 0.8).tolist(), [0, 1]]
    assert (sun.title.tolist(), sun.tokens) == ([1, 0], b"ab")
    assert (sun.passages.spans.tolist(), sun.passages.vectors.tolist()) == ([[0, 7]], [[0, 1]])
    assert (moon.title, moon.passages, moon.tokens) == (None, None, None)


def test_any_reader_of_parquet_can_read_a_shard(tmp_path):
    table = pq.read_table(lake_of(tmp_path / "lake") / "shard-000000.parquet")
    assert table.column("title").to_pylist() == ["The Sun", "The Moon"]
    assert table.column("vector").to_pylist()[1] == [0, 1]


def test_a_lake_that_lacks_a_shard_or_was_altered_is_refused(tmp_path):
    folder = lake_of(tmp_path / "lake")
    shard = folder / "shard-000000.parquet"
    content = shard.read_bytes()
    shard.write_bytes(content[:-1] + b"?")
    with pytest.raises(CorpusError, match="SHA-256"):
        read(folder)
    shard.unlink()
    with pytest.raises(CorpusError, match=r"shard-000000.parquet.*lake.json"):
        read(folder)
    with pytest.raises(CorpusError, match=r"lake\.json"):
        read(tmp_path)


@pytest.mark.parametrize("name", ["../secret.parquet", "shard-1.parquet", "shard-000000.parquet\n"])
def test_a_shard_cannot_lie_outside_of_its_lake(tmp_path, name):
    folder = lake_of(tmp_path / "lake")
    card = json.loads((folder / LAKE_FILE).read_text())
    card["shards"][0]["name"] = name
    (folder / LAKE_FILE).write_text(json.dumps(card))
    with pytest.raises(CorpusError, match="is not the manifest of a lake"):
        read(folder)


def rewrite_manifest(folder, change):
    """Change the table of the lake's shard, as another program might, with the hash that then belongs to it."""
    from pathfinder.addons.scale.lake import Shard
    from pathfinder.corpus.parts import file_sha256

    path = folder / "shard-000000.parquet"
    table = change(pq.read_table(path))
    pq.write_table(table, path)
    shard = Shard(path.name, table.num_rows, file_sha256(path))
    write_lake(Lake(1, "test", "fake:2", 2, None, "full", (shard,)), folder)


def test_a_shard_with_a_wrong_column_is_refused_with_the_column(tmp_path):
    folder = lake_of(tmp_path / "lake")
    rewrite_manifest(folder, lambda table: table.drop_columns(["title"]))
    with pytest.raises(CorpusError, match="has no column 'title'"):
        read(folder)
    wide = lake_of(tmp_path / "wide")
    floats = pa.array([[1.0, 0.0], [0.0, 1.0]], pa.list_(pa.float32(), 2))
    place = pq.read_schema(wide / "shard-000000.parquet").names.index("vector")
    rewrite_manifest(wide, lambda table: table.set_column(place, "vector", floats))
    with pytest.raises(CorpusError, match=r"'vector'.*fixed_size_list.*float"):
        read(wide)


def test_a_paper_without_a_vector_is_refused(tmp_path):
    folder = lake_of(tmp_path / "lake")
    place = pq.read_schema(folder / "shard-000000.parquet").names.index("vector")
    nothing = pa.nulls(2, pa.list_(pa.float16(), 2))
    rewrite_manifest(folder, lambda table: table.set_column(place, pa.field("vector", nothing.type), nothing))
    with pytest.raises(CorpusError, match="has no vector in a row from 1 on"):
        read(folder)


def test_a_passage_outside_of_its_abstract_is_refused(tmp_path):
    rows = (PaperVectors(SUN, half(0, 1), None, StoredPassages(np.array([[0, 999]]), half([0, 1]))),)
    with pytest.raises(CorpusError, match=r"'sun'.*18"):
        read(lake_of(tmp_path / "lake", rows))


@pytest.mark.build
def test_a_corpus_filled_from_a_lake_equals_the_one_that_was_exported_and_embeds_nothing(tmp_path):
    embedder = WordByWord()
    build(
        [write(tmp_path / "papers.jsonl", GALAXIES, PLANETS, PULSARS)],
        tmp_path / "one",
        embedder,
        extractor=WordsAsKeywords(),
    )
    original = open_corpus(tmp_path / "one")
    lake = export_lake(original, tmp_path / "lake", papers_per_shard=2)
    assert [shard.papers for shard in lake.shards] == [2, 1]  # 3 papers, 2 to a shard
    again = WordByWord()
    build([f"lake:{tmp_path / 'lake'}"], tmp_path / "two", again, extractor=WordsAsKeywords())
    two = open_corpus(tmp_path / "two")
    assert list(original.papers) == list(two.papers)
    for role in ("dense", "sparse", "terms", "titles", "passages", "tokens"):
        assert original.manifest.parts.get(role) == two.manifest.parts.get(role), role
    assert again.n_documents == 0


def test_a_lake_of_another_embedder_is_refused_before_anything_is_built(tmp_path):
    with pytest.raises(CorpusError, match=r"fake:2.*fake:words-384"):
        build([f"lake:{lake_of(tmp_path / 'lake')}"], tmp_path / "out", WordByWord())
    assert not (tmp_path / "out").exists()


def test_a_lake_from_another_revision_of_the_embedder_is_refused(tmp_path):
    folder = lake_of(tmp_path / "lake")
    write_lake(replace(read_lake(folder), embedder_files={"model.onnx": "a"}), folder)
    spec, today = SourceSpec("lake", str(folder)), datetime.date(2026, 1, 1)

    def rows(digest):
        access = Access(Settings(_env_file=None), today, embedder="fake:2", embedder_files={"model.onnx": digest})
        return list(open_lake(spec, Window(), access))

    assert len(rows("a")) == len(ROWS)
    with pytest.raises(CorpusError, match=r"fake:2.*model.onnx"):
        rows("b")


@pytest.mark.build
def test_a_lake_with_a_bad_vector_is_refused(tmp_path):
    for number, vector in enumerate((half(np.nan, 0), half(3, 4))):
        folder = lake_of(tmp_path / f"lake{number}", (PaperVectors(SUN, vector),))
        with pytest.raises(CorpusError, match=r"NaN or infinity|length 5 instead of 1"):
            build([f"lake:{folder}"], tmp_path / "out", _Fake2())


class _Fake2(WordByWord):
    def __init__(self) -> None:
        super().__init__(dimension=2)

    @property
    def name(self):
        return "fake:2"


def test_an_export_does_not_write_into_a_folder_with_other_files(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(CorpusError, match="is not an empty folder"):
        export_lake(None, tmp_path)
    shutil.rmtree(tmp_path)


PAPERS = [Paper(f"p{number}", f"Star {number}", f"Star number {number} shines.") for number in range(5)]


def test_shards_that_are_complete_are_not_made_again_and_the_vectors_are_those_of_one_shard(tmp_path, monkeypatch):
    def embed(out, per_shard):
        return lake_shards.embed_lake(iter(PAPERS), out, WordByWord, Silent(), ProcessPool(1), per_shard)

    n_made, whole = [], lake_shards.embed_shard

    def fails_at_the_second(task, embedder):
        if n_made:
            raise MemoryError
        n_made.append(task)
        whole(task, embedder)

    monkeypatch.setattr(lake_shards, "embed_shard", fails_at_the_second)
    with pytest.raises(MemoryError):
        embed(tmp_path / "three", 2)
    (tmp_path / "three" / f".{77:016x}.new").write_bytes(b"of a process that was killed")
    monkeypatch.setattr(lake_shards, "embed_shard", lambda task, embedder: n_made.append(task) or whole(task, embedder))
    embed(tmp_path / "three", 2)
    assert [task.out.name for task in n_made] == [f"shard-00000{number}.parquet" for number in range(3)]  # each once
    assert not list((tmp_path / "three").glob(".*.new"))
    embed(tmp_path / "one", 128)
    three, single = read(tmp_path / "three"), read(tmp_path / "one")
    assert [row.paper for row in three] == PAPERS
    assert all(np.abs(a.vector - b.vector).max() < 1e-6 for a, b in zip(three, single, strict=True))
    assert sorted(path.name for path in (tmp_path / "one").glob("[!.]*")) == ["lake.json", "shard-000000.parquet"]
    with pytest.raises(CorpusError, match="already contains a complete lake"):
        embed(tmp_path / "one", 128)
