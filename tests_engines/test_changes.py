"""A corpus in an engine changes as a whole or not at all, and leaves nothing behind on the server."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from pathfinder import Pathfinder
from pathfinder.addons.milvus.collection import MilvusCollection, write_collection
from pathfinder.addons.milvus.server import Server
from pathfinder.addons.milvus.vectors import MilvusVectors, read_collection
from pathfinder.building import build, remove, rollback
from pathfinder.corpus.store import open_corpus
from pathfinder.errors import EngineError
from pathfinder.index.engines import Collection, Filterable
from pathfinder.models.minilm import MiniLM
from pathfinder.types import RetrievalMode
from tests_engines.conftest import Sources, build_corpus

QUESTION = "How do galaxies form and grow?"
VECTORS = np.eye(8, 384, dtype=np.float32)
PAPERS = Filterable(np.full(8, 2000.0), np.ones(8, dtype=np.bool_))


def ignored(_: int) -> None:
    """Progress that nobody watches."""


def collection_in(folder: Path) -> MilvusCollection:
    dense = open_corpus(folder).dense
    assert isinstance(dense, MilvusVectors)
    return dense.collection


def collections_of(uri: str, name: str) -> set[str]:
    """The collections of a corpus on the server."""
    server = Server(uri)
    with server.answers():
        return {each for each in server.client.list_collections() if each.startswith(f"{name}_")}


def ids(folder: Path) -> list[str]:
    return [hit.paper.paper_id for hit in Pathfinder.open(folder).search(QUESTION, sides=RetrievalMode.DENSE).hits]


def test_a_corpus_moves_from_files_to_an_engine_grows_shrinks_and_goes_back(
    uri: str, sources: Sources, embedder: MiniLM, tmp_path: Path
) -> None:
    folder = build_corpus(sources(0, 20), tmp_path / "corpus", embedder, None)
    in_files = ids(folder)
    build([sources(0, 20)], folder, embedder, passages=False, collection=Collection("milvus", uri, "changing"))
    first = collection_in(folder)
    assert first.n_papers == 20
    assert ids(folder) == in_files

    readers = [Pathfinder.open(folder) for _ in range(2)]

    def read(pf: Pathfinder) -> list[list[str]]:
        return [[hit.paper.paper_id for hit in pf.search(QUESTION, sides=RetrievalMode.DENSE).hits] for _ in range(5)]

    with ThreadPoolExecutor(3) as at_once:
        writer = at_once.submit(build, [sources(20, 30)], folder, embedder, passages=False)
        lists = [at_once.submit(read, pf) for pf in readers]
        assert writer.result().n_papers == 30
        assert all(hits == in_files for job in lists for hits in job.result())
    # Whoever opened the version before still reads it.
    assert read(readers[0])[0] == in_files
    second = collection_in(folder)
    assert second.n_papers == 30
    assert collections_of(uri, "changing") == {first.version_name, second.version_name}

    removed = ids(folder)[0]
    remove(folder, [removed], embedder)
    third = collection_in(folder)
    assert third.n_papers == 29
    assert removed not in ids(folder)
    # The corpus keeps two versions, and so does the server.
    assert collections_of(uri, "changing") == {second.version_name, third.version_name}

    rollback(folder)
    assert collection_in(folder) == second
    assert ids(folder)[0] == removed


def test_a_collection_of_another_corpus_is_refused(uri: str, tmp_path: Path) -> None:
    collection = Collection("milvus", uri, "taken")
    write_collection(collection, tmp_path / "mine", VECTORS, PAPERS, tmp_path / "mine.json", ignored)
    with pytest.raises(EngineError, match="'taken' that belongs to another corpus or program: choose another name"):
        write_collection(collection, tmp_path / "yours", VECTORS[:4], PAPERS, tmp_path / "yours.json", ignored)
    assert len(read_collection(tmp_path / "mine.json").search(VECTORS[0], 8).rows) == 8

    server, (name,) = Server(uri), collections_of(uri, "taken")
    with server.answers():
        server.client.drop_alias("taken")
        server.client.drop_collection(name)
    with pytest.raises(EngineError, match=f"no collection '{name}' with the 8 vectors"):
        read_collection(tmp_path / "mine.json")


def test_a_collection_that_a_stopped_build_left_is_filled_whole(uri: str, tmp_path: Path) -> None:
    written = 0

    def stop(n: int) -> None:
        nonlocal written
        written += n
        raise KeyboardInterrupt

    name = Collection("milvus", uri, "stopped")
    with pytest.raises(KeyboardInterrupt):
        write_collection(name, tmp_path, VECTORS, PAPERS, tmp_path / "dense.json", stop)
    assert written == 8
    assert not (tmp_path / "dense.json").exists()
    write_collection(name, tmp_path, VECTORS, PAPERS, tmp_path / "dense.json", ignored)
    ranking = read_collection(tmp_path / "dense.json").search(VECTORS[3], 1)
    assert ranking.rows.tolist() == [3]
    assert ranking.scores.tolist() == pytest.approx([1.0])


def test_a_server_that_is_down_is_named_with_the_way_out(tmp_path: Path) -> None:
    name = Collection("milvus", "http://127.0.0.1:9", "nowhere")
    with pytest.raises(EngineError, match=r"Milvus at http://127\.0\.0\.1:9 .* start it, name another address"):
        write_collection(name, tmp_path, VECTORS, PAPERS, tmp_path / "dense.json", ignored)
