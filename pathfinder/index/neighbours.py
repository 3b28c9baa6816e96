"""Find exact nearest neighbours by matrix multiplication, in a bounded amount of memory.

These functions work on a whole corpus while it is being built; `dense.py` looks up a single question.
"""

import numpy as np
from numpy.typing import NDArray

from pathfinder.types import Rows

QUERY_ROWS, BLOCK_ROWS = 512, 8192
"""Number of queries, and of rows that they are compared with, at a time; the distances take up 16 MB."""

Distances = NDArray[np.float32]


def nearest_neighbours(vectors: NDArray[np.float32], rows: Rows, k: int) -> tuple[Rows, Distances]:
    """Return the `k` rows nearest to each of `rows`, and their distances; both of shape (len(rows), k), nearest first.

    `vectors` has shape (n, dimension), n > k, and may be memory-mapped. Distances are Euclidean; on unit vectors, they
    produce the same order as the cosine. A copy of a paper counts as its neighbour; the paper itself does not.
    """
    if not 0 < k < len(vectors):
        raise ValueError(f"k must lie in 1..{len(vectors) - 1} for {len(vectors)} vectors, got {k}")
    parts = [rows[start : start + QUERY_ROWS] for start in range(0, len(rows), QUERY_ROWS)]
    return _join([_nearest(np.asarray(vectors[part], dtype=np.float32), vectors, k, part) for part in parts], k)


def nearest_among(queries: NDArray[np.float32], vectors: NDArray[np.float32], k: int) -> tuple[Rows, Distances]:
    """Return the `k` rows of `vectors` nearest to each of `queries`, and their distances; the queries are not among
    `vectors`.
    """
    if not 0 < k <= len(vectors):
        raise ValueError(f"k must lie in 1..{len(vectors)} for {len(vectors)} vectors, got {k}")
    parts = [queries[start : start + QUERY_ROWS] for start in range(0, len(queries), QUERY_ROWS)]
    return _join([_nearest(np.asarray(part, dtype=np.float32), vectors, k) for part in parts], k)


def _join(batches: list[tuple[Rows, Distances]], k: int) -> tuple[Rows, Distances]:
    if not batches:
        return np.empty((0, k), dtype=np.int64), np.empty((0, k), dtype=np.float32)
    return np.concatenate([near for near, _ in batches]), np.concatenate([apart for _, apart in batches])


def _nearest(
    queries: NDArray[np.float32], vectors: NDArray[np.float32], k: int, themselves: Rows | None = None
) -> tuple[Rows, Distances]:
    """Find neighbours; `themselves`, the rows of `vectors` that contain the queries, are excluded."""
    near, squared_distances = np.empty((len(queries), 0), dtype=np.int64), np.empty((len(queries), 0), dtype=np.float32)
    for start in range(0, len(vectors), BLOCK_ROWS):
        block = np.asarray(vectors[start : start + BLOCK_ROWS], dtype=np.float32)
        apart = _squared_distances(queries, block)
        if themselves is not None:
            itself = np.flatnonzero((themselves >= start) & (themselves < start + len(block)))
            apart[itself, themselves[itself] - start] = np.inf
        nearest = np.argpartition(apart, min(k, len(block)) - 1, axis=1)[:, :k]
        near = np.hstack([near, nearest + start])
        squared_distances = np.hstack([squared_distances, np.take_along_axis(apart, nearest, axis=1)])
        order = np.lexsort((near, squared_distances), axis=1)[:, :k]
        near, squared_distances = (
            np.take_along_axis(near, order, axis=1),
            np.take_along_axis(squared_distances, order, axis=1),
        )
    return near, np.sqrt(np.maximum(squared_distances, 0.0))


def _squared_distances(queries: NDArray[np.float32], block: NDArray[np.float32]) -> Distances:
    """Return `|q - b|^2 = |q|^2 - 2 q.b + |b|^2`, computed in place from one matrix product."""
    apart: Distances = queries @ block.T
    apart *= -2
    apart += np.einsum("ij,ij->i", block, block)
    apart += np.einsum("ij,ij->i", queries, queries)[:, None]
    return apart
