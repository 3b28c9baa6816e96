"""Pseudo-relevance feedback: the question's vector moved towards its first hits (Rocchio 1971)."""

import numpy as np
from numpy.typing import NDArray

from pathfinder.models.ports import Vectors

N_HITS = 5
"""Number of top hits that are assumed to be relevant."""

QUESTION_SHARE = 0.6


def shift_towards(vector: NDArray[np.float32], first_hits: Vectors) -> NDArray[np.float32]:
    """Return `normalise(0.6 q + 0.4 mean of the first hits)`, a unit vector; `q` itself if there are no hits.

    `vector` is the unit vector q of the question, shape (dimension,); `first_hits` are the unit vectors of its first
    hits, shape (n, dimension).
    """
    if not len(first_hits):
        return vector
    mean = first_hits.mean(axis=0, dtype=np.float64)
    return normalise(QUESTION_SHARE * vector + (1 - QUESTION_SHARE) * mean, vector)


def normalise(direction: NDArray[np.float64], otherwise: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return `direction` scaled to length 1, or `otherwise` if it is the zero vector."""
    length = float(np.linalg.norm(direction))
    return np.asarray(direction / length, dtype=np.float32) if length > 0 else otherwise
