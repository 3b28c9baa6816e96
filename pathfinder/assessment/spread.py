"""The shape of a result: one cluster, two, or broad (the three shapes of arXiv:2408.01556, figure 4).

The rule works on the unit vectors of the k hits and not on the map, which distorts distances:

1. Split the hits in two by 2-means. They are two clusters if each side has at least two hits and 30% of all hits, and
   the mean silhouette width (Rousseeuw 1987, cosine distance) is at least 0.25. Below 0.25 a split has no substantial
   structure (Kaufman & Rousseeuw 1990, table 4 of chapter 2): neighbours of one paper, and random papers, give values
   of 0.1 to 0.2. A side with fewer hits is not a second topic but a few outliers.
2. Otherwise the result is broad if the median distance from a hit to the centroid of the others is closer to its value
   for random papers in this corpus than to its value for the neighbours of one paper.
3. Otherwise it is one cluster.

The silhouette is scale-free and the corpus sets the scale of distances, so no constant in the rule depends on an
embedder or a field: random papers in an astronomy corpus have the same mean cosine as close neighbours in a corpus of
all the sciences.
"""

import numpy as np
from numpy.typing import NDArray

from pathfinder.assessment.outliers import OutlierCalibration, leave_one_out_distances
from pathfinder.types import Floats, Spread

MIN_HITS = 4
"""Minimum number of hits that can form two groups."""
MIN_SILHOUETTE = 0.25
MIN_SHARE = 0.3
"""Minimum share of the hits in the smaller of two clusters."""
MAX_ROUNDS = 50
"""Maximum number of rounds of 2-means; a few suffice for 30 hits."""


def spread(vectors: NDArray[np.floating], calibration: OutlierCalibration) -> Spread | None:
    """Determine the shape of at most 30 hits with unit `vectors`, shape (k, dimension).

    Returns `None` for fewer than four hits, and for hits that do not form two clusters if the corpus is too small to be
    calibrated.
    """
    k = len(vectors)
    if k < MIN_HITS:
        return None
    if _are_two(np.asarray(vectors, dtype=np.float64)):
        return Spread.TWO_CLUSTERS
    broad = calibration.broad[k - 1]
    if broad is None:
        return None
    return Spread.BROAD if np.median(leave_one_out_distances(vectors)) > broad else Spread.ONE_CLUSTER


def _are_two(vectors: Floats) -> bool:
    sides = split_in_two(vectors)
    smaller = min(sides.sum(), (~sides).sum())
    if smaller < max(2, MIN_SHARE * len(vectors)):
        return False
    return mean_silhouette(vectors, sides) >= MIN_SILHOUETTE


def split_in_two(vectors: Floats) -> NDArray[np.bool_]:
    """Assign each vector to one of two sides by 2-means; returns shape (k,). The iteration starts from the two sides of
    the mean along the principal direction.
    """
    from_mean = vectors - vectors.mean(axis=0)
    principal = np.linalg.eigh(from_mean @ from_mean.T).eigenvectors[:, -1]
    sides: NDArray[np.bool_] = principal > 0
    for _ in range(MAX_ROUNDS):
        if sides.all() or not sides.any():
            break
        near, far = vectors[sides].mean(axis=0), vectors[~sides].mean(axis=0)
        new_sides = np.linalg.norm(vectors - near, axis=1) < np.linalg.norm(vectors - far, axis=1)
        if (new_sides == sides).all():
            break
        sides = new_sides
    return sides


def mean_silhouette(vectors: Floats, sides: NDArray[np.bool_]) -> float:
    """Return the mean of `(b - a) / max(a, b)` over the hits, in [-1, 1].

    a is a hit's mean cosine distance to the others on its side, and b its mean distance to those on the other side;
    each side has at least two hits. Copies of one paper on both sides, where a = b = 0, count as 0.
    """
    apart = 1.0 - vectors @ vectors.T
    np.fill_diagonal(apart, 0.0)
    same = sides[:, None] == sides[None, :]
    a = (apart * same).sum(axis=1) / (same.sum(axis=1) - 1)
    b = (apart * ~same).sum(axis=1) / (~same).sum(axis=1)
    return float(np.mean((b - a) / np.maximum(np.maximum(a, b), 1e-12)))
