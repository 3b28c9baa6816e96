"""Finds papers and passages by their vectors, and papers by their words, on a Milvus server."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathfinder.addons.milvus.collection import (
    MilvusCollection,
    drop_unused,
    is_complete,
    read_description,
    server_of,
    write_collection,
)
from pathfinder.addons.milvus.schema import SCHEMA_VERSION, expression
from pathfinder.addons.milvus.server import Server, check, check_version
from pathfinder.errors import EngineError
from pathfinder.index.engines import Collection, Engine, EngineVectors, Holding
from pathfinder.index.ports import NO_HITS, Ranking, WordIndex, best, cosines
from pathfinder.index.predicate import EVERY_PAPER, PaperColumns, Predicate
from pathfinder.index.sparse import K1, SparseIndex
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.models.ports import Vectors
from pathfinder.types import Expansion, Floats, Rows

SEARCH_WIDTH = 2_000
"""Number of candidates that a search of the graph keeps (`ef`): of the nearest 1,000 of 16,659 papers, 99.9% are found.
"""
MOST_HITS = 16_384
"""Maximum number of hits that a server returns at once."""
_ROWS_PER_REQUEST = 1_000


class MilvusVectors(EngineVectors):
    """The vectors of one version of a corpus in Milvus: row i is paper i, or the passage at place i."""

    def __init__(self, server: Server, collection: MilvusCollection, columns: PaperColumns | None = None) -> None:
        self._server = server
        self._columns = columns
        self.collection = collection

    def __len__(self) -> int:
        return self.collection.n_vectors

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
    def source(self) -> Collection:
        return Collection(self.collection.engine, self.uri, self.collection.name)

    @property
    def holding(self) -> Holding:
        its = self.collection
        return Holding(its.engine, self._server.version, self.uri, its.version_name, its.schema_version, its.has_words)

    def words(self, own: SparseIndex) -> WordIndex:
        return MilvusWords(self, own)

    def search(self, vector: NDArray[np.float32], n: int, predicate: Predicate = EVERY_PAPER) -> Ranking:
        """See `VectorIndex.search`. The search of the graph is approximate, so a few of the `n` papers may be missing,
        most likely those farthest away. Raises `EngineError` if the server does not answer.
        """
        n = min(n, len(self), MOST_HITS)
        if n == 0:
            return NO_HITS
        question = np.asarray(vector, dtype=np.float32)
        hits = self._hits("vector", question, self._filter(predicate), n, {"params": {"ef": max(SEARCH_WIDTH, n)}})
        return best(hits.rows, hits.scores, n)

    def search_words(self, stems: Sequence[str], n: int, predicate: Predicate) -> Ranking:
        """Return at most `n` papers that contain any of `stems`, ranked by the server's own BM25. Raises `EngineError`
        if the server does not answer.
        """
        n = min(n, len(self), MOST_HITS)
        if n == 0 or not stems:
            return NO_HITS
        hits = self._hits("words", " ".join(stems), self._filter(predicate), n, {})
        # Robertson's BM25 has a factor that Lucene's leaves out; the single-process engine returns negative scores.
        return best(hits.rows, np.abs(hits.scores) / (K1 + 1), n)

    def _filter(self, predicate: Predicate) -> str:
        return expression(predicate, self.collection.n_papers, self._columns)

    def _hits(
        self, field: str, question: NDArray[np.float32] | str, condition: str, n: int, parameters: dict[str, Any]
    ) -> Ranking:
        with self._server.answers():
            hits = self._server.client.search(
                self.collection.version_name,
                [question],
                anns_field=field,
                filter=condition,
                limit=n,
                search_params=parameters,
                output_fields=[],
                timeout=self._server.timeout,
            )[0]
        rows = np.fromiter((hit["row"] if "row" in hit else hit["id"] for hit in hits), dtype=np.int64)
        scores = np.fromiter((hit["distance"] for hit in hits), dtype=np.float64)
        return Ranking(rows, scores)

    def cosines(self, rows: Rows, vector: NDArray[np.float32]) -> Floats:
        """See `VectorIndex.cosines`: a search among `rows` alone, which takes a tenth of the time that fetching their
        vectors would take. The vectors of rows that the graph does not reach are fetched.
        """
        distinct, places = np.unique(rows, return_inverse=True)
        scores = np.full(len(distinct), np.nan)
        for start in range(0, len(distinct), MOST_HITS):
            chunk = distinct[start : start + MOST_HITS]
            width = {"params": {"ef": max(SEARCH_WIDTH, len(chunk))}}
            hits = self._hits(
                "vector", np.asarray(vector, dtype=np.float32), f"row in {chunk.tolist()}", len(chunk), width
            )
            scores[np.searchsorted(distinct, hits.rows)] = hits.scores
        is_unreached = np.isnan(scores)
        if is_unreached.any():
            scores[is_unreached] = cosines(self.vectors(distinct[is_unreached]), vector)
        return scores[places]

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
                    timeout=self._server.timeout,
                )
            by_row = {record["row"]: record["vector"] for record in records}
            if missing := set(chunk.tolist()) - by_row.keys():
                raise EngineError(
                    f"Milvus at {self.uri} has lost {len(missing)} rows of {self.collection.version_name!r}, including "
                    f"row {min(missing)}: build again from the same sources into a new folder"
                )
            vectors[start : start + len(chunk)] = [by_row[int(row)] for row in chunk]
        return vectors


def read_collection(path: Path, columns: PaperColumns | None = None) -> MilvusVectors:
    """Open the collection that the file at `path` names, on the server named in PATHFINDER_MILVUS_URI if that is set.

    Raises `EngineError` if the server does not answer, or if the collection is missing, belongs to another corpus or is
    incomplete.
    """
    collection = read_description(path)
    server = server_of(collection)
    check_version(server.uri, server.version)
    if collection.schema_version != SCHEMA_VERSION:
        raise EngineError(
            f"{path} names a collection with schema {collection.schema_version}, but this version of Pathfinder reads "
            f"{SCHEMA_VERSION}: build again from the same sources into a new folder"
        )
    with server.answers():
        is_whole = is_complete(server, collection)
    if not is_whole:
        raise EngineError(
            f"Milvus at {server.uri} has no collection {collection.version_name!r} with the {collection.n_vectors} "
            "vectors of this corpus: name the right server with PATHFINDER_MILVUS_URI, or build "
            "again from the same sources into a new folder"
        )
    return MilvusVectors(server, collection, columns)


@dataclass(frozen=True, slots=True, eq=False)
class MilvusWords:
    """Finds papers by their words in a corpus whose vectors are on a server.

    The word statistics come from our index, and so do the stems and stop words that the server uses.
    """

    vectors: MilvusVectors
    own: SparseIndex

    def __len__(self) -> int:
        return len(self.own)

    @property
    def language(self) -> str | None:
        return self.own.language

    @property
    def has_keywords(self) -> bool:
        return self.own.has_keywords

    def method(self, expansions: Sequence[Expansion] = ()) -> str:
        if not self.vectors.collection.has_words:
            return f"{self.own.method(expansions)}, our index: this Milvus has no BM25"
        if self.has_keywords:
            return f"{self.own.method(expansions)}, our index: Milvus's BM25 has no field for keywords"
        if expansions:
            return f"{self.own.method(expansions)}, our index: Milvus knows no other names"
        return "Milvus's BM25, our stems"

    def search(
        self, text: str, n: int, predicate: Predicate = EVERY_PAPER, expansions: Sequence[Expansion] = ()
    ) -> Ranking:
        """See `WordIndex.search`. Raises `EngineError` if the server does not answer."""
        if expansions or self.has_keywords or not self.vectors.collection.has_words:
            return self.own.search(text, n, predicate, expansions)
        return self.vectors.search_words(stems(words(text), QUESTION_STOP_WORDS), n, predicate)

    def content_words(self, text: str) -> tuple[str, ...]:
        return self.own.content_words(text)

    def document_frequencies(self, content_words: Sequence[str]) -> NDArray[np.int64]:
        return self.own.document_frequencies(content_words)

    def only(self, rows: Rows, texts: Iterable[str], columns: PaperColumns | None = None) -> SparseIndex:
        """See `WordIndex.only`; the server cannot weight words by their frequencies among some papers."""
        return self.own.only(rows, texts, columns)

    def foreign_language(self, text: str) -> str | None:
        return self.own.foreign_language(text)

    def share_of_words(self, content_words: Sequence[str], rows: Rows) -> Floats:
        return self.own.share_of_words(content_words, rows)


MILVUS = Engine(check, write_collection, read_collection, drop_unused)
"""The engine that a build chooses with `--engine milvus`, and that files of a corpus name."""
