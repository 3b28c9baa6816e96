"""Find passages by meaning: their vectors (FAISS), each with its paper and its span of the abstract."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.dense import DenseIndex, write_dense
from pathfinder.index.file_maps import check
from pathfinder.index.ports import Ranking, VectorIndex, places_of
from pathfinder.index.predicate import EVERY_PAPER, PaperColumns, Predicate
from pathfinder.models.ports import Vectors
from pathfinder.text.sentences import Span
from pathfinder.types import Floats, Rows

VECTORS_FILE, STARTS_FILE, SPANS_FILE = "vectors.faiss", "starts.npy", "spans.npy"
_PAPERS_AT_ONCE = 1000


class StoredPassages(NamedTuple):
    """A paper's passages as stored on disk."""

    spans: NDArray[np.int32]
    """Start and end of each passage, `abstract[start:end]`, shape (n, 2)."""
    vectors: NDArray[np.float16]
    """Unit vectors, shape (n, dimension)."""


@dataclass(frozen=True, slots=True, eq=False)
class PassageIndex:
    """The passages of a corpus, memory-mapped, in the order of its papers."""

    vectors: VectorIndex
    """Row i is the passage at place i. If the vectors are on a server, the server itself filters the passages by their
    papers.
    """
    starts: NDArray[np.int64]
    """Start of each paper's passages, followed by the total number of passages, shape (n_papers + 1,)."""
    spans: NDArray[np.int32]
    """Start and end of each passage, `abstract[start:end]`, shape (n_passages, 2)."""
    columns: PaperColumns | None = None
    """Columns of the papers; without them, a search cannot be filtered."""

    @classmethod
    def open(cls, folder: Path, columns: PaperColumns | None = None, vectors: VectorIndex | None = None) -> Self:
        """Open the index written by `write_passages`, with its own vectors or with an engine's `vectors`. Raises
        `CorpusDamaged` if its files are inconsistent with each other.
        """
        vectors = vectors or DenseIndex.open(folder / VECTORS_FILE)
        starts = np.load(folder / STARTS_FILE, mmap_mode="r", allow_pickle=False)
        spans = np.load(folder / SPANS_FILE, mmap_mode="r", allow_pickle=False)
        check(folder, starts.dtype == np.int64 and starts.ndim == 1 and len(starts) > 0, "its starts are not offsets")
        check(
            folder, spans.dtype == np.int32 and spans.shape == (len(vectors), 2), "its spans do not match its vectors"
        )
        in_order = bool((np.diff(starts) >= 0).all())
        check(folder, in_order and starts[0] == 0 and starts[-1] == len(vectors), "its starts do not match its vectors")
        return cls(vectors, starts, spans, columns)

    def __len__(self) -> int:
        """Return the number of papers."""
        return len(self.starts) - 1

    @property
    def n_places(self) -> int:
        """Number of passages."""
        return len(self.spans)

    @property
    def dimension(self) -> int:
        return self.vectors.dimension

    @property
    def method(self) -> str:
        return self.vectors.method

    def search(self, vector: NDArray[np.float32], n: int, predicate: Predicate = EVERY_PAPER) -> Ranking:
        if not isinstance(self.vectors, DenseIndex):
            return self.vectors.search(vector, n, predicate)
        mask = predicate.mask(len(self), self.columns)
        return self.vectors.search_masked(vector, n, None if mask is None else np.repeat(mask, np.diff(self.starts)))

    def papers_of(self, places: Rows) -> Rows:
        return np.searchsorted(self.starts, places, side="right") - 1

    def places_of(self, rows: Rows) -> tuple[Rows, Rows]:
        return places_of(self.starts, rows)

    def vectors_at(self, places: Rows) -> Vectors:
        return self.vectors.vectors(places)

    def cosines_at(self, places: Rows, vector: NDArray[np.float32]) -> Floats:
        return self.vectors.cosines(places, vector)

    def spans_at(self, places: Rows) -> NDArray[np.int32]:
        return self.spans[places]

    def stored_passages(self, rows: Iterable[int] | None = None) -> Iterator[StoredPassages]:
        """Yield the stored passages of each paper, or of the papers at `rows`, to be copied to another version of a
        corpus.
        """
        remaining = iter(range(len(self)) if rows is None else rows)
        while chunk := list(islice(remaining, _PAPERS_AT_ONCE)):
            places, owners = self.places_of(np.array(chunk, dtype=np.int64))
            vectors = self.vectors.vectors(places).astype(np.float16)
            borders = np.searchsorted(owners, np.arange(1, len(chunk)))
            parts = zip(np.split(self.spans[places], borders), np.split(vectors, borders), strict=True)
            yield from (StoredPassages(spans, own) for spans, own in parts)


def write_passages(papers: Iterable[StoredPassages], dimension: int, folder: Path, limit: float | None = None) -> None:
    """Write the passages of `papers`, in order, into `folder`; they are read once and not kept in memory. For `limit`,
    see `write_dense`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lengths, spans = [0], [np.empty((0, 2), dtype=np.int32)]

    def vectors() -> Iterator[Vectors]:
        remaining = iter(papers)
        while batch := list(islice(remaining, _PAPERS_AT_ONCE)):
            lengths.extend(len(paper.spans) for paper in batch)
            spans.extend(paper.spans for paper in batch)
            yield np.concatenate([paper.vectors for paper in batch]).astype(np.float32)

    write_dense(vectors(), dimension, folder / VECTORS_FILE, limit)
    np.save(folder / STARTS_FILE, np.cumsum(lengths, dtype=np.int64), allow_pickle=False)
    np.save(folder / SPANS_FILE, np.concatenate(spans), allow_pickle=False)


def stored_passages(spans: Iterable[Span], vectors: Vectors) -> StoredPassages:
    """Convert a paper's passages and their vectors to their stored form."""
    return StoredPassages(np.array(list(spans), dtype=np.int32).reshape(-1, 2), vectors.astype(np.float16))


def to_bytes(passages: StoredPassages) -> bytes:
    """Convert a paper's passages to one journal record."""
    records = np.empty(len(passages.spans), dtype=_record_type(passages.vectors.shape[1]))
    records["span"], records["vector"] = passages
    return records.tobytes()


def from_bytes(content: bytes, dimension: int) -> StoredPassages:
    """Read back a record written by `to_bytes`."""
    records = np.frombuffer(content, dtype=_record_type(dimension))
    return StoredPassages(records["span"], records["vector"])


def _record_type(dimension: int) -> np.dtype[Any]:
    return np.dtype([("span", "<i4", (2,)), ("vector", "<f2", (dimension,))])
