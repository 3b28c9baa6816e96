"""Measures how far a map with added papers has drifted from a fresh layout of the same papers.

The position, orientation, handedness and scale of a fresh map are arbitrary, so it is first aligned with the old one
(Procrustes). The remaining distances measure the disagreement; islands that have moved weigh heavily in them, although
no paper's neighbours are any worse for it. The neighbourhoods on both maps are therefore compared as well.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.neighbours import nearest_neighbours
from pathfinder.landscape.projection.projection import project
from pathfinder.types import Floats, Rows

N_NEIGHBOURS, N_SAMPLED = 15, 2_000


@dataclass(frozen=True, slots=True)
class Drift:
    """The map of a corpus compared with a fresh one of the same papers. Distances are fractions of the map's longer
    side.
    """

    n_papers: int
    median: float
    """Median distance of a paper from its place on the fresh map."""
    ninth_decile: float
    root_mean_square: float
    neighbours_kept: float
    """Mean fraction of a paper's 15 neighbours in meaning that are also among its 15 nearest papers on this map, [0,
    1].
    """
    neighbours_kept_afresh: float
    """The same fraction as in `neighbours_kept`, but for the fresh map."""


def measure_drift(vectors: NDArray[np.float32], coordinates: NDArray[np.float32], seed: int) -> Drift:
    """Lay out a fresh map, which takes as long as in a build, and compare the two maps.

    `vectors` and `coordinates` belong to the same papers, of which there must be more than 15.
    """
    fresh = project(vectors, seed)
    if fresh is None or len(vectors) <= N_NEIGHBOURS:
        raise ValueError(f"drift can be measured only for more than {N_NEIGHBOURS} papers, got {len(vectors)}")
    distances = np.linalg.norm(align(fresh, coordinates) - coordinates, axis=1) / float(np.ptp(coordinates, 0).max())
    rows = _sample(len(vectors), seed)
    near, _ = nearest_neighbours(vectors, rows, N_NEIGHBOURS)
    return Drift(
        n_papers=len(vectors),
        median=float(np.median(distances)),
        ninth_decile=float(np.percentile(distances, 90)),
        root_mean_square=float(np.sqrt(np.mean(distances**2))),
        neighbours_kept=_shared_neighbours(near, coordinates, rows),
        neighbours_kept_afresh=_shared_neighbours(near, fresh, rows),
    )


def align(moving: NDArray[np.float32], target: NDArray[np.float32]) -> Floats:
    """Rotate, reflect, scale and shift `moving` as a whole to minimise the squared distances to `target`.

    Orthogonal Procrustes (Schönemann 1966), with one scale for both axes.
    """
    here, there = np.asarray(moving, dtype=np.float64), np.asarray(target, dtype=np.float64)
    middle, goal = here.mean(axis=0), there.mean(axis=0)
    left, strengths, right = np.linalg.svd((here - middle).T @ (there - goal))
    scale = strengths.sum() / max(float(((here - middle) ** 2).sum()), np.finfo(np.float64).tiny)
    return np.asarray((here - middle) @ (left @ right) * scale + goal)


def _sample(n: int, seed: int) -> Rows:
    return np.sort(np.random.default_rng(seed).choice(n, size=min(N_SAMPLED, n), replace=False))


def _shared_neighbours(near: Rows, places: NDArray[np.float32], rows: Rows) -> float:
    on_map, _ = nearest_neighbours(places, rows, N_NEIGHBOURS)
    return float(np.mean([len(np.intersect1d(a, b)) / N_NEIGHBOURS for a, b in zip(near, on_map, strict=True)]))
