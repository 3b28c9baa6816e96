"""Passages by meaning: their vectors (FAISS), and for each the paper and the stretch of its abstract."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.passages import Span
from pathfinder.errors import CorpusDamaged
from pathfinder.index.dense import DenseIndex, write_dense
from pathfinder.index.ports import Allowed, Ranking
from pathfinder.models.ports import Vectors
from pathfinder.types import Rows

VECTORS_FILE, STARTS_FILE, SPANS_FILE = "vectors.faiss", "starts.npy", "spans.npy"
_PAPERS_AT_ONCE = 1000


class StoredPassages(NamedTuple):
    """The passages of a paper as they lie on the disk."""

    spans: NDArray[np.int32]
    """`abstract[start:end]`, shape (n, 2)."""
    vectors: NDArray[np.float16]
    """Unit vectors, shape (n, dimension)."""


@dataclass(frozen=True, slots=True, eq=False)
class PassageIndex:
    """The passages of a corpus, memory-mapped, in the order of its papers."""

    vectors: DenseIndex
    starts: NDArray[np.int64]
    """Where each paper's passages begin, shape (n_papers + 1,)."""
    spans: NDArray[np.int32]
    """`abstract[start:end]`, shape (n_passages, 2)."""

    @classmethod
    def open(cls, folder: Path) -> Self:
        """What `write_passages` wrote. Raises `CorpusDamaged` where the files do not fit each other."""
        vectors = DenseIndex.open(folder / VECTORS_FILE)
        starts = np.load(folder / STARTS_FILE, mmap_mode="r", allow_pickle=False)
        spans = np.load(folder / SPANS_FILE, mmap_mode="r", allow_pickle=False)
        _check(folder, starts.dtype == np.int64 and starts.ndim == 1 and len(starts) > 0, "its starts are none")
        _check(folder, spans.dtype == np.int32 and spans.shape == (len(vectors), 2), "its spans do not fit")
        in_order = bool((np.diff(starts) >= 0).all())
        _check(folder, in_order and starts[0] == 0 and starts[-1] == len(vectors), "its starts do not fit")
        return cls(vectors, starts, spans)

    def __len__(self) -> int:
        """Papers."""
        return len(self.starts) - 1

    @property
    def dimension(self) -> int:
        return self.vectors.dimension

    def search(self, vector: NDArray[np.float32], n: int, allowed: Allowed = None) -> Ranking:
        """The `n` passages of highest cosine similarity to the unit `vector`, of the allowed papers: their places."""
        of_passages = None if allowed is None else np.repeat(allowed, np.diff(self.starts))
        return self.vectors.search(vector, n, of_passages)

    def papers_of(self, places: Rows) -> Rows:
        """The paper of each passage."""
        return np.searchsorted(self.starts, places, side="right") - 1

    def places_of(self, rows: Rows) -> tuple[Rows, Rows]:
        """The passages of the papers at `rows`, one paper behind the other, and to which of `rows` each belongs."""
        starts = self.starts[rows]
        lengths = self.starts[rows + 1] - starts
        owners = np.repeat(np.arange(len(rows)), lengths)
        within = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return starts[owners] + within, owners

    def stored(self) -> Iterator[StoredPassages]:
        """Each paper's, as it lies here, for a corpus that papers are added to."""
        for row in range(len(self)):
            places = np.arange(self.starts[row], self.starts[row + 1])
            yield StoredPassages(self.spans[places], self.vectors.vectors(places).astype(np.float16))


def write_passages(papers: Iterable[StoredPassages], dimension: int, folder: Path) -> None:
    """Write the passages of `papers`, in their order, into `folder`; they are read once and not kept."""
    folder.mkdir(parents=True, exist_ok=True)
    lengths, spans = [0], [np.empty((0, 2), dtype=np.int32)]

    def vectors() -> Iterator[Vectors]:
        remaining = iter(papers)
        while batch := list(islice(remaining, _PAPERS_AT_ONCE)):
            lengths.extend(len(paper.spans) for paper in batch)
            spans.extend(paper.spans for paper in batch)
            yield np.concatenate([paper.vectors for paper in batch]).astype(np.float32)

    write_dense(vectors(), dimension, folder / VECTORS_FILE)
    np.save(folder / STARTS_FILE, np.cumsum(lengths, dtype=np.int64), allow_pickle=False)
    np.save(folder / SPANS_FILE, np.concatenate(spans), allow_pickle=False)


def stored_passages(spans: Iterable[Span], vectors: Vectors) -> StoredPassages:
    """A paper's passages and their vectors as they are stored."""
    return StoredPassages(np.array(list(spans), dtype=np.int32).reshape(-1, 2), vectors.astype(np.float16))


def to_bytes(stored: StoredPassages) -> bytes:
    """A paper's passages as one record of a journal."""
    records = np.empty(len(stored.spans), dtype=_record_type(stored.vectors.shape[1]))
    records["span"], records["vector"] = stored
    return records.tobytes()


def from_bytes(content: bytes, dimension: int) -> StoredPassages:
    """What `to_bytes` made."""
    records = np.frombuffer(content, dtype=_record_type(dimension))
    return StoredPassages(records["span"], records["vector"])


def _record_type(dimension: int) -> np.dtype[Any]:
    return np.dtype([("span", "<i4", (2,)), ("vector", "<f2", (dimension,))])


def _check(folder: Path, is_right: bool, fault: str) -> None:
    if not is_right:
        raise CorpusDamaged(f"{folder} is damaged ({fault}): build the corpus again")
