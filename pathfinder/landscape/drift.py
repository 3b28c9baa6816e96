"""How far a map that papers were added to has drifted from one that is laid out afresh.

Of a fresh map, position, direction, mirror image and size mean nothing, so it is first laid over the old one as well
as these four allow (Procrustes). What is left says how much the two disagree; islands that lie elsewhere weigh much
in it, although nobody is a worse neighbour for that. So the neighbourhoods of both maps are told beside it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.neighbours import nearest_neighbours
from pathfinder.landscape.projection import project
from pathfinder.types import Floats, Rows

N_NEIGHBOURS, N_SAMPLED = 15, 2_000


@dataclass(frozen=True, slots=True)
class Drift:
    """The map of a corpus beside a fresh one of the same papers. Distances are shares of the map's longer side."""

    n_papers: int
    median: float
    """Of how far papers lie from their place on the fresh map."""
    ninth_decile: float
    root_mean_square: float
    neighbours_kept: float
    """Share of each paper's 15 nearest by meaning that are among its 15 nearest on this map, [0, 1]."""
    neighbours_kept_afresh: float
    """The same of the fresh map."""


def measure_drift(vectors: NDArray[np.float32], coordinates: NDArray[np.float32], seed: int) -> Drift:
    """Lay the map out afresh, which takes as long as it does in a build, and compare.

    `vectors` and `coordinates` are of the same papers, more than 15 of them.
    """
    fresh = project(vectors, seed)
    if fresh is None or len(vectors) <= N_NEIGHBOURS:
        raise ValueError(f"drift is measured on more than {N_NEIGHBOURS} papers, got {len(vectors)}")
    apart = np.linalg.norm(laid_over(fresh, coordinates) - coordinates, axis=1) / float(np.ptp(coordinates, 0).max())
    rows = _sample(len(vectors), seed)
    near, _ = nearest_neighbours(vectors, rows, N_NEIGHBOURS)
    return Drift(
        n_papers=len(vectors),
        median=float(np.median(apart)),
        ninth_decile=float(np.percentile(apart, 90)),
        root_mean_square=float(np.sqrt(np.mean(apart**2))),
        neighbours_kept=_kept(near, coordinates, rows),
        neighbours_kept_afresh=_kept(near, fresh, rows),
    )


def laid_over(moving: NDArray[np.float32], fixed: NDArray[np.float32]) -> Floats:
    """`moving` turned, mirrored, scaled and shifted as a whole so that the squared distances to `fixed` are least.

    Orthogonal Procrustes (Schönemann 1966) with one scale for both axes.
    """
    here, there = np.asarray(moving, dtype=np.float64), np.asarray(fixed, dtype=np.float64)
    middle, goal = here.mean(axis=0), there.mean(axis=0)
    left, strengths, right = np.linalg.svd((here - middle).T @ (there - goal))
    scale = strengths.sum() / max(float(((here - middle) ** 2).sum()), np.finfo(np.float64).tiny)
    return np.asarray((here - middle) @ (left @ right) * scale + goal)


def _sample(n: int, seed: int) -> Rows:
    return np.sort(np.random.default_rng(seed).choice(n, size=min(N_SAMPLED, n), replace=False))


def _kept(near: Rows, places: NDArray[np.float32], rows: Rows) -> float:
    shown, _ = nearest_neighbours(places, rows, N_NEIGHBOURS)
    return float(np.mean([len(np.intersect1d(a, b)) / N_NEIGHBOURS for a, b in zip(near, shown, strict=True)]))
