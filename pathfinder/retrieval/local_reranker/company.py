"""What a paper's likeness to other candidates says: papers that answer one question are alike (van Rijsbergen 1979)."""

import numpy as np
from numpy.typing import NDArray

from pathfinder.types import Floats

FIRST = 5
"""How many of the best by the fused score stand for what is asked."""

NEAREST = 8


def by_company(vectors: NDArray[np.float32], fused: Floats, matched: Floats) -> dict[str, Floats]:
    """Features of each paper, shape (n,), from the cosines among n papers, unit vectors of shape (n, dimension).

    A paper is not compared with itself. `matched` is what its nearest papers hand on to it.
    """
    n = len(vectors)
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, 0.0)
    firsts = np.argsort(-fused, kind="stable")[:FIRST]
    others = np.maximum(len(firsts) - np.isin(np.arange(n), firsts), 1)
    nearest = np.argpartition(-cosines, min(NEAREST, n - 1), axis=1)[:, :NEAREST]
    return {
        "like the first": cosines[:, firsts].sum(axis=1, dtype=np.float64) / others,
        "neighbours": np.asarray(matched[nearest].mean(axis=1)),
    }
