"""Finds papers by their vectors, which a Milvus server holds."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import EngineError
from pathfinder.index.dense import DenseIndex
from pathfinder.index.milvus.collection import Collection, is_complete, read_description, server_of
from pathfinder.index.milvus.expression import expression
from pathfinder.index.milvus.server import TIMEOUT_SECONDS, Server
from pathfinder.index.ports import NO_HITS, Ranking, VectorIndex, best
from pathfinder.index.predicate import EVERY_PAPER, PaperColumns, Predicate
from pathfinder.models.ports import Vectors
from pathfinder.types import Rows

SEARCH_WIDTH = 2_000
"""Number of candidates that a search of the graph keeps (`ef`): of the nearest 1,000 of 16,659 papers, 99.9% are found.
"""
MOST_HITS = 16_384
"""Maximum number of hits that a server returns at once."""
_ROWS_PER_REQUEST = 1_000


class MilvusVectors:
    """The vectors of one version of a corpus in Milvus; row i is paper i."""

    def __init__(self, server: Server, collection: Collection, columns: PaperColumns | None = None) -> None:
        self._server = server
        self._columns = columns
        self.collection = collection

    def __len__(self) -> int:
        return self.collection.n_papers

    @property
    def uri(self) -> str:
        """Address at which the server was reached."""
        return self._server.uri

    @property
    def dimension(self) -> int:
        return self.collection.dimension

    @property
    def method(self) -> str:
        return f"cosine, Milvus: a graph, {SEARCH_WIDTH:,} wide"

    @property
    def version(self) -> str:
        """Version of the server."""
        return self._server.version

    def search(self, vector: NDArray[np.float32], n: int, predicate: Predicate = EVERY_PAPER) -> Ranking:
        """See `VectorIndex.search`. The search of the graph is approximate, so a few of the `n` papers may be missing,
        most likely the farthest. Raises `EngineError` if the server does not answer.
        """
        n = min(n, len(self), MOST_HITS)
        if n == 0:
            return NO_HITS
        with self._server.answers():
            hits = self._server.client.search(
                self.collection.version_name,
                [np.asarray(vector, dtype=np.float32)],
                filter=expression(predicate, len(self), self._columns),
                limit=n,
                search_params={"params": {"ef": max(SEARCH_WIDTH, n)}},
                output_fields=[],
                timeout=TIMEOUT_SECONDS,
            )[0]
        rows = np.fromiter((hit["row"] if "row" in hit else hit["id"] for hit in hits), dtype=np.int64)
        scores = np.fromiter((hit["distance"] for hit in hits), dtype=np.float64)
        return best(rows, scores, n)

    def vectors(self, rows: Rows) -> Vectors:
        """See `VectorIndex.vectors`. Raises `EngineError` if the server does not answer."""
        vectors = np.empty((len(rows), self.dimension), dtype=np.float32)
        for start in range(0, len(rows), _ROWS_PER_REQUEST):
            chunk = rows[start : start + _ROWS_PER_REQUEST]
            with self._server.answers():
                records = self._server.client.query(
                    self.collection.version_name,
                    ids=np.unique(chunk).tolist(),
                    output_fields=["row", "vector"],
                    timeout=TIMEOUT_SECONDS,
                )
            by_row = {record["row"]: record["vector"] for record in records}
            if missing := set(chunk.tolist()) - by_row.keys():
                raise EngineError(
                    f"Milvus at {self.uri} has lost {len(missing)} rows of {self.collection.version_name!r}, row "
                    f"{min(missing)} among them: build again from the same sources into a new folder"
                )
            vectors[start : start + len(chunk)] = [by_row[int(row)] for row in chunk]
        return vectors


def read_collection(path: Path, columns: PaperColumns | None = None) -> MilvusVectors:
    """Open the collection that the file at `path` names, on the server of PATHFINDER_MILVUS_URI if that is set.

    Raises `EngineError` if the server does not answer, or if the collection is missing, belongs to another corpus or is
    incomplete.
    """
    collection = read_description(path)
    server = server_of(collection)
    with server.answers():
        is_whole = is_complete(server, collection)
    if not is_whole:
        raise EngineError(
            f"Milvus at {server.uri} has no collection {collection.version_name!r} with the {collection.n_papers} "
            "vectors of this corpus: name the right server with PATHFINDER_MILVUS_URI, or build "
            "again from the same sources into a new folder"
        )
    return MilvusVectors(server, collection, columns)


def open_vectors(path: Path, columns: PaperColumns | None = None) -> VectorIndex:
    """Open the vectors of papers: an index file, or a collection on a server, which a JSON file names. Without the
    `columns` of its papers, it cannot be filtered.
    """
    return read_collection(path, columns) if path.suffix == ".json" else DenseIndex.open(path, columns)
