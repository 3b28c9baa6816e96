"""Find papers by meaning, by scanning all their vectors, which are stored as 16-bit floats or in 256 equal steps
(FAISS).

An approximate index would lose a tenth of the candidate pool. If 20,000 or more vectors are stored in steps, the scan
compares integers, which takes half the time, and the best are then compared exactly: of the best 1,000 of 673,498
vectors, 999.7 on average are the same as in an exact scan.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import CorpusError
from pathfinder.index.file_maps import is_large, map_file
from pathfinder.index.ports import NO_HITS, Ranking, best, cosines
from pathfinder.index.predicate import EVERY_PAPER, Mask, PaperColumns, Predicate
from pathfinder.models.ports import Vectors
from pathfinder.types import Floats, Rows

LARGE = 20_000
"""Minimum number of vectors, stored as bytes, for a scan to compare them as integers."""
FEWEST_SPARE = 100
"""Minimum number of papers, beyond those requested, that a scan of integers passes on to be compared exactly."""
EXACT, ROUNDED_QUESTION = "exact cosine, FAISS", "cosine, FAISS: nearest to a rounded question, then compared exactly"
_ZERO = 127
"""Byte that stands for 0; also the largest coordinate of a question that is rounded to whole steps."""


class DenseIndex:
    """A memory-mapped FAISS index of unit vectors; row i is paper i."""

    def __init__(self, index: Any, columns: PaperColumns | None = None, path: Path | None = None) -> None:
        """Wrap a FAISS index, which was read from the file at `path` if that is given."""
        self._index = index
        self._columns = columns
        self._step = _read_as_integers(index)
        self._codes = None if self._step is None else _codes(index, path)

    @classmethod
    def open(cls, path: Path, columns: PaperColumns | None = None) -> "DenseIndex":
        """Open the index at `path`; without the `columns` of its papers, searches cannot be filtered.

        Raises `CorpusError` for anything other than a FAISS index.
        """
        try:
            return cls(faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC), columns, path)
        except RuntimeError as error:
            raise CorpusError(
                f"{path} is not a FAISS index that this version can read: build the corpus again"
            ) from error

    @classmethod
    def of(cls, vectors: Vectors, columns: PaperColumns | None = None) -> "DenseIndex":
        """Index unit vectors, shape (n, dimension), in memory, as 16-bit floats."""
        return cls(_fill([vectors], _empty(vectors.shape[1], None)), columns)

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @property
    def dimension(self) -> int:
        return int(self._index.d)

    @property
    def method(self) -> str:
        return EXACT if self._step is None else ROUNDED_QUESTION

    def search(self, vector: NDArray[np.float32], n: int, predicate: Predicate = EVERY_PAPER) -> Ranking:
        """Search as described in `VectorIndex.search`; the filter is applied during the scan, so the ranking still has
        `n` papers if enough papers satisfy it.
        """
        return self.search_masked(vector, n, predicate.mask(len(self), self._columns))

    def search_masked(self, vector: NDArray[np.float32], n: int, mask: Mask | None) -> Ranking:
        """Search with the filter given as a mask over the rows; `None` admits all papers."""
        n_admitted = len(self) if mask is None else int(mask.sum())
        n = min(n, n_admitted)
        if n == 0:
            return NO_HITS
        if self._step is None:
            rows, scores = self._scan(vector, n, mask)
            return best(rows, scores, n)
        # The scan rounds the question too, so its best vectors are compared again, without rounding.
        whole_steps = np.round(vector * (_ZERO / np.abs(vector).max()))
        rows, _ = self._scan(whole_steps, min(n + max(n // 4, FEWEST_SPARE), n_admitted), mask)
        return best(rows, np.einsum("ij,j->i", self.vectors(rows), vector, dtype=np.float64), n)

    def _scan(self, vector: NDArray[np.float32], n: int, mask: Mask | None) -> tuple[Rows, Floats]:
        # One thread is fastest for a single question: a second one would only wait for memory.
        faiss.omp_set_num_threads(1)
        parameters = None
        if mask is not None:
            # The wheel's type stubs describe the C++ constructors, not those added by its Python layer.
            selector = faiss.IDSelectorBitmap(np.packbits(mask, bitorder="little"))  # type: ignore[call-arg, arg-type]
            parameters = faiss.SearchParameters(sel=selector)  # type: ignore[call-arg]
        scores, rows = self._index.search(vector[np.newaxis], n, params=parameters)
        return rows[0].astype(np.int64), scores[0].astype(np.float64)

    def cosines(self, rows: Rows, vector: NDArray[np.float32]) -> Floats:
        return cosines(self.vectors(rows), vector)

    def vectors(self, rows: Rows) -> Vectors:
        if len(rows) == 0:
            return np.empty((0, self.dimension), dtype=np.float32)
        if self._codes is None or self._step is None:
            return np.asarray(self._index.reconstruct_batch(np.ascontiguousarray(rows)), dtype=np.float32)
        # In place, because two more arrays of this size would double the time.
        vectors = self._codes[rows].astype(np.float32)
        vectors -= _ZERO
        vectors *= np.float32(self._step)
        return vectors


class SelectedVectors:
    """Some vectors of an index as an index of their own; row i is the i-th of `rows`, which are ascending."""

    def __init__(self, whole: DenseIndex, rows: Rows) -> None:
        self._whole, self._rows = whole, rows

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def dimension(self) -> int:
        return self._whole.dimension

    @property
    def method(self) -> str:
        return self._whole.method

    def search_masked(self, vector: NDArray[np.float32], n: int, mask: Mask | None) -> Ranking:
        whole_mask = np.zeros(len(self._whole), dtype=np.bool_)
        whole_mask[self._rows if mask is None else self._rows[mask]] = True
        rows, scores = self._whole.search_masked(vector, n, whole_mask)
        return Ranking(np.searchsorted(self._rows, rows), scores)

    def vectors(self, rows: Rows) -> Vectors:
        return self._whole.vectors(self._rows[rows])


def _read_as_integers(index: Any) -> float | None:
    """Let FAISS read the bytes of a large index as integers, which it scans twice as fast if the question consists of
    integers too, and return the step between them; `None` for other indexes, whose scan is exact.

    A byte b stands for a coordinate of (b - 127) steps, between `-limit` and `limit`. FAISS then reads it as b - 128,
    which is one step less in every coordinate and changes all scores by the same amount.
    """
    kinds = faiss.ScalarQuantizer
    if index.ntotal < LARGE or index.sq.qtype != kinds.QT_8bit_uniform:
        return None
    _, width = faiss.vector_to_array(index.sq.trained)
    index.sq = kinds(index.d, kinds.QT_8bit_direct_signed)
    return float(width) / 255


def _codes(index: Any, path: Path | None) -> NDArray[np.uint8]:
    """Return the bytes of all vectors, shape (n, dimension): from a separate map if the file is large, so that the
    pages read can be given back to the system, which is impossible with FAISS's map.

    Raises `CorpusError` if they are not the last bytes of the file.
    """
    # A view of FAISS's bytes, valid as long as the index exists.
    index_codes = faiss.rev_swig_ptr(index.codes.data(), index.ntotal * index.d).reshape(index.ntotal, -1)
    if path is None or not is_large(path.stat().st_size):
        return index_codes
    codes = np.frombuffer(map_file(path), np.uint8)[-index_codes.size :].reshape(index_codes.shape)
    if not np.array_equal(codes[[0, -1]], index_codes[[0, -1]]):
        raise CorpusError(f"{path} does not end with its vectors: build the corpus again")
    return codes


def write_dense(batches: Iterable[Vectors], dimension: int, path: Path, limit: float | None = None) -> None:
    """Write batches of unit vectors, each of shape (n, dimension), as an index file.

    With a `limit`, a coordinate takes one byte, in 256 equal steps from `-limit` to `limit`, and a value beyond the
    limit is stored as the limit; without a limit, a coordinate is a 16-bit float.
    """
    faiss.write_index(_fill(batches, _empty(dimension, limit)), str(path))


def _fill(batches: Iterable[Vectors], index: Any) -> Any:
    for batch in batches:
        index.add(np.ascontiguousarray(batch, dtype=np.float32))
    return index


def as_stored(vectors: Vectors, limit: float | None) -> Vectors:
    """Return unit vectors, shape (n, dimension), as they come back from an index written with `limit`. Writing them
    again does not change them.
    """
    index = _empty(vectors.shape[1], limit)
    return np.asarray(index.sa_decode(index.sa_encode(np.ascontiguousarray(vectors, dtype=np.float32))))


def _empty(dimension: int, limit: float | None) -> Any:
    kinds = faiss.ScalarQuantizer
    kind = kinds.QT_fp16 if limit is None else kinds.QT_8bit_uniform
    index = faiss.IndexScalarQuantizer(dimension, kind, faiss.METRIC_INNER_PRODUCT)
    if limit is not None:
        # The lowest value and the width of the range, which FAISS would otherwise take from a sample.
        faiss.copy_array_to_vector(np.array([-limit, 2 * limit], dtype=np.float32), index.sq.trained)
        index.is_trained = True
    return index
