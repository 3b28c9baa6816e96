"""The nearest papers of a few papers, exactly, with a bounded amount of memory."""

import numpy as np
from numpy.typing import NDArray

from pathfinder.types import Rows

BLOCK_ROWS = 8192
"""Vectors that are compared at once: with 400 papers, 13 MB of similarities."""


def nearest_neighbours(vectors: NDArray[np.float32], rows: Rows, k: int) -> Rows:
    """The `k` papers of highest cosine to each of `rows`, itself left out; shape (len(rows), k), nearest first.

    `vectors` are unit vectors, shape (n, dimension), n > k; they may be memory-mapped.
    """
    papers = np.asarray(vectors[rows], dtype=np.float32)
    best = np.full((len(rows), k), -np.inf, dtype=np.float32)
    found = np.full((len(rows), k), -1, dtype=np.int64)
    for start in range(0, len(vectors), BLOCK_ROWS):
        block = np.asarray(vectors[start : start + BLOCK_ROWS], dtype=np.float32)
        similarity = papers @ block.T
        inside = np.flatnonzero((rows >= start) & (rows < start + len(block)))
        similarity[inside, rows[inside] - start] = -np.inf
        block_rows = np.broadcast_to(np.arange(start, start + len(block)), similarity.shape)
        best, found = _largest(np.hstack([best, similarity]), np.hstack([found, block_rows]), k)
    order = np.lexsort((found, -best), axis=1)
    return np.take_along_axis(found, order, axis=1)


def _largest(
    similarity: NDArray[np.float32], rows: NDArray[np.int64], k: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    kept = np.argpartition(-similarity, k - 1, axis=1)[:, :k]
    return np.take_along_axis(similarity, kept, axis=1), np.take_along_axis(rows, kept, axis=1)
