"""What a paper's likeness to other candidates says: papers that answer one question are alike (van Rijsbergen 1979)."""

import numpy as np
from numpy.typing import NDArray

from pathfinder.types import Floats

NEAREST = 8


def by_company(vectors: NDArray[np.float32], matched: Floats) -> dict[str, Floats]:
    """The mean of `matched` over each paper's eight nearest others, shape (n,); over itself where it is alone.

    `vectors` are unit vectors, shape (n, dimension).
    """
    n = len(vectors)
    if n == 1:
        return {"neighbours": matched}
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = np.argsort(-cosines, axis=1, kind="stable")[:, : min(NEAREST, n - 1)]
    return {"neighbours": np.asarray(matched[nearest].mean(axis=1))}
