"""A server that fails in any way leaves a clear error, a corpus as it was before, and nothing half built."""

from pathlib import Path

import numpy as np
import pytest

from pathfinder import Pathfinder
from pathfinder.addons.milvus.collection import write_collection
from pathfinder.addons.milvus.server import Server
from pathfinder.addons.milvus.vectors import read_collection
from pathfinder.building import build
from pathfinder.errors import EngineError
from pathfinder.index.engines import Collection, Filterable
from pathfinder.models.minilm import MiniLM
from tests_engines.conftest import Sources, build_corpus
from tests_engines.milvus_server import MilvusServer

N = 4_100
"""Rows of which a fill takes three requests."""
VECTORS = np.roll(np.eye(N, 384, dtype=np.float32), np.arange(N) // 384, axis=1)
VECTORS[np.arange(N), np.arange(N) % 384] = 1.0
PAPERS = Filterable(np.full(N, 2000.0), np.ones(N, dtype=np.bool_))
QUESTION = "How do galaxies form and grow?"


def ignored(_: int) -> None:
    """Progress that nobody watches."""


def test_a_corpus_survives_a_server_that_is_held_up_killed_and_out_of_room(
    server: MilvusServer, sources: Sources, embedder: MiniLM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATHFINDER_MILVUS_SECONDS", "2")
    folder = build_corpus(sources(0, 12), tmp_path / "corpus", embedder, Collection("milvus", server.uri, "faulty"))
    pf, manifest = Pathfinder.open(folder), (folder / "manifest.json").read_bytes()
    hits = [hit.paper.paper_id for hit in pf.search(QUESTION).hits]

    with server.held_up(), pytest.raises(EngineError, match=r"longer than 2 s with PATHFINDER_MILVUS_SECONDS"):
        pf.search(QUESTION)
    assert [hit.paper.paper_id for hit in pf.search(QUESTION).hits] == hits

    def die(_: int) -> None:
        server.kill()

    name, path = Collection("milvus", server.uri, "dying"), tmp_path / "dying.json"
    with pytest.raises(EngineError, match="start it"):
        write_collection(name, tmp_path, VECTORS, PAPERS, path, die)
    assert not path.exists()
    with pytest.raises(EngineError, match="start it"):
        Pathfinder.open(folder)

    server.start()
    write_collection(name, tmp_path, VECTORS, PAPERS, path, ignored)
    assert len(read_collection(path)) == N

    with server.without_room(), pytest.raises(EngineError, match="Milvus at"):
        build([sources(12, 20)], folder, embedder, passages=False)
    assert (folder / "manifest.json").read_bytes() == manifest
    server.kill()
    server.start()
    assert [hit.paper.paper_id for hit in Pathfinder.open(folder).search(QUESTION).hits] == hits


def test_a_collection_with_other_fields_is_refused(uri: str, tmp_path: Path) -> None:
    few = Filterable(PAPERS.years[:8], PAPERS.has_abstract[:8])
    collection, path = Collection("milvus", uri, "altered"), tmp_path / "altered.json"
    write_collection(collection, tmp_path, VECTORS[:8], few, path, ignored)
    server = Server(uri)
    with server.answers():
        name = read_collection(path).collection.version_name
        server.client.drop_alias("altered")
        server.client.drop_collection(name)
        server.client.create_collection(name, dimension=384)
    with pytest.raises(EngineError, match="has the fields id, vector, not facts, has_abstract, paper, row"):
        read_collection(path)
