"""Takes the vectors of papers from the file that contains the papers, if that file contains vectors too.

A vector is checked as it is read, and put into the journal of the build, next to those of papers already embedded. A
row with a bad vector is rejected: no other model is used to fill the gap.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pathfinder.building.embedding import vector_key
from pathfinder.building.passage_maker import PassageMaker, files_of, for_papers, vector_limit_of
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.readers import RejectedRow, read_rows, reader_of
from pathfinder.corpus.readers.parquet import PARQUET, read_parquet_vectors
from pathfinder.errors import CorpusError
from pathfinder.index import passages
from pathfinder.index.tokens import projection_for
from pathfinder.models.ports import Embedder, TokenEmbedder, Vectors
from pathfinder.sources import Access
from pathfinder.sources.kind import PaperVectors, Row
from pathfinder.types import Paper

NORM_TOLERANCE = 1e-3
"""Maximum deviation of a vector's length from 1. Rounding to 16 bits changes the length of a vector with 1,536
coordinates by less than 5e-4.
"""
LAKE_TOLERANCE = 0.06
"""The corresponding maximum for a lake made from a corpus, which stores 8 bits per coordinate: each of 384 coordinates
may deviate by 0.0027, and therefore the length by 0.0027 * sqrt(384) = 0.053.
"""
_VECTORS_PER_RECORD = 512
"""Number of vectors that are put into the journal at a time: 3 MB with 1,536 coordinates."""


@dataclass
class ReadyVectors:
    """Reads papers with their vectors, all made by one embedder."""

    embedder: Embedder
    _journal: Journal | None = field(default=None, init=False)
    _waiting: dict[bytes, bytes] = field(default_factory=dict, init=False)

    def reading(self, access: Access, column: str | None) -> Access:
        """Return `access`, changed to read the vectors of papers from the column `column` of their files; without one,
        papers are read as usual.
        """
        own = files_of(self.embedder)
        access = replace(access, embedder=self.embedder.name, embedder_files=own, take_vectors=self.take)
        return access if column is None else replace(access, read=partial(self.rows, column=column), vectors=column)

    def take(self, row: PaperVectors) -> str | None:
        """Put everything that was computed from a paper into the journal, and return `None`; if a vector is bad, return
        what is wrong with it instead.
        """
        vectors = row.vector.astype(np.float32)
        limit, dimension = vector_limit_of(self.embedder), self.embedder.dimension
        others = [own for own in (row.title, *(row.passages.vectors if row.passages else ())) if own is not None]
        for own in (vectors, *others):
            if (reason := fault(own.astype(np.float32), dimension, limit, LAKE_TOLERANCE)) is not None:
                return reason
        self._waiting.update(records_of(row, self._maker))
        self._keep(row.paper, vectors)
        return None

    @cached_property
    def _maker(self) -> PassageMaker:
        embedder = for_papers(self.embedder)
        is_local = isinstance(embedder, TokenEmbedder)
        return PassageMaker(embedder, projection_for("full", embedder.dimension) if is_local else None)

    @contextmanager
    def stored_in(self, journal: Path) -> Iterator[None]:
        """Put the vectors into the file `journal` as papers are read."""
        with Journal(journal) as self._journal:
            yield
            self._store()

    def rows(self, path: Path, column: str) -> Iterator[Row]:
        """Yield the rows of the Parquet file `path`; a paper with a bad vector is yielded as `RejectedRow`.

        Raises `CorpusError` if `path` is not a Parquet file with such a column, or if no paper in it has a usable
        vector.
        """
        if reader_of(path) is not PARQUET:
            raise CorpusError(f"{path} is not a Parquet file: --vectors reads vectors from Parquet files only")
        fault_of = partial(fault, dimension=self.embedder.dimension, limit=vector_limit_of(self.embedder))
        return self._rows(path, column, fault_of)

    def _rows(
        self, path: Path, column: str, fault_of: Callable[[NDArray[np.float32] | None], str | None]
    ) -> Iterator[Row]:
        first_fault, n_usable = None, 0
        for (line, row), vector in zip(read_rows(path), read_parquet_vectors(path, column), strict=True):
            if isinstance(row, RejectedRow):
                yield line, row
                continue
            reason = fault_of(vector)
            if reason is not None or vector is None:
                first_fault = first_fault or f"row {line}: {reason}"
                yield line, RejectedRow(path.name, line, f"{reason}, in column {column!r}", row.paper_id)
                continue
            n_usable += 1
            self._keep(row, vector)
            yield line, row
        if first_fault and not n_usable:
            raise CorpusError(
                f"no row of {path} has a vector of {self.embedder.name} in column {column!r} ({first_fault}): name the "
                "embedder that made the vectors, or leave out --vectors"
            )

    def _keep(self, paper: Paper, vector: NDArray[np.float32]) -> None:
        key = vector_key(self._maker.embedder, paper.text)
        self._waiting.setdefault(key, vector.tobytes())
        if len(self._waiting) >= _VECTORS_PER_RECORD:
            self._store()

    def _store(self) -> None:
        if self._journal is None:
            raise ValueError("vectors can be read only inside `stored_in`")
        journal = self._journal
        journal.append((key, content) for key, content in self._waiting.items() if key not in journal)
        self._waiting.clear()


def fault(
    vector: NDArray[np.float32] | None, dimension: int, limit: float | None, tolerance: float = NORM_TOLERANCE
) -> str | None:
    """Describe what is wrong with a vector that should be a unit vector with `dimension` coordinates, none of them
    beyond `limit`; `None` if nothing is wrong. Its length may differ from 1 by `tolerance`.
    """
    if vector is None:
        return "no vector"
    if len(vector) != dimension:
        return f"a vector of {len(vector):,} numbers instead of {dimension:,}"
    if not np.isfinite(vector).all():
        return "a vector with NaN or infinity"
    length = float(np.linalg.norm(vector.astype(np.float64)))
    if abs(length - 1) > tolerance:
        return f"a vector of length {length:.4g} instead of 1"
    if limit is not None and float(np.abs(vector).max()) > limit:
        return f"a vector with a coordinate beyond {limit:g}, the maximum for this embedder"
    return None


# Converts the vectors of a paper between a row of a lake and the records of a build's journal.


def records_of(row: PaperVectors, maker: PassageMaker) -> dict[bytes, bytes]:
    """Return the journal records of a paper's title, passages and tokens, if the lake has them."""
    records = {}
    if row.title is not None:
        records[maker.key("titles", row.paper)] = row.title.tobytes()
    if row.passages is not None:
        records[maker.key("passages", row.paper)] = passages.to_bytes(row.passages)
    if row.tokens is not None and maker.projection is not None:
        records[maker.key("tokens", row.paper)] = row.tokens
    return records


def row_of(paper: Paper, vector: Vectors, records: Mapping[bytes, bytes], maker: PassageMaker) -> PaperVectors:
    """Return the row of a paper, given its vector and the journal records that `maker` made from it."""
    return PaperVectors(
        paper,
        vector.astype(np.float16),
        np.frombuffer(records[maker.key("titles", paper)], "<f2"),
        passages.from_bytes(records[maker.key("passages", paper)], maker.embedder.dimension),
        records[maker.key("tokens", paper)] if maker.projection is not None else None,
    )
