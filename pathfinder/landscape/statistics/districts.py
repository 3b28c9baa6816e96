"""Divides the map into districts with about the same number of papers in each, so that they can be compared."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from pathfinder.landscape.data.map_data import MapData
from pathfinder.types import Floats, Rows

SEED = 20240801
MOST_LOOKED_AT = 20_000
"""Maximum number of papers, sampled evenly, from which the centres are computed; all papers are then assigned to the
nearest centre.
"""
N_STEPS = 15
MIN_PAPERS = 240
"""Minimum number of papers for a division; with fewer there are too few districts to compare."""


@dataclass(frozen=True, slots=True, eq=False)
class Districts:
    """A division of the map: each paper and each cell of the grid belongs to the district whose centre is nearest."""

    middles: Floats
    """The centre of each district, shape (n_districts, 2), from left to right."""
    of: Rows
    """The district of each paper, shape (n_papers,)."""
    of_cell: Rows
    """The district of each cell of the grid, shape (n_cells,)."""

    def __len__(self) -> int:
        return len(self.middles)

    @property
    def sizes(self) -> Rows:
        """Count the papers in each district."""
        return np.bincount(self.of, minlength=len(self))


def divide(map_data: MapData, papers_each: int, most: int) -> Districts:
    """Divide the map into districts of about `papers_each` papers each: at least one district and at most `most`.

    The method is k-means on the places (Lloyd 1982), initialised by k-means++ (Arthur & Vassilvitskii 2007) with a
    fixed seed: districts are small where the map is dense and large where it is sparse.
    """
    places = map_data.coordinates
    n = max(1, min(round(len(places) / papers_each), most))
    middles = _k_means(_even_sample(places), n)
    middles = middles[np.lexsort((middles[:, 1], middles[:, 0]))]
    return Districts(middles, nearest_middle(places, middles), nearest_middle(map_data.grid.centres(), middles))


def nearest_middle(places: NDArray[np.floating], middles: Floats) -> Rows:
    """Find the index of the nearest centre for each place, shape (n,)."""
    if not len(places):
        return np.empty(0, dtype=np.int64)
    _, nearest = cKDTree(middles).query(places)
    return np.asarray(nearest, dtype=np.int64)


def _even_sample(places: NDArray[np.float32]) -> Floats:
    rows = np.unique(np.linspace(0, len(places) - 1, min(len(places), MOST_LOOKED_AT)).astype(np.int64))
    return places[rows].astype(np.float64)


def _k_means(places: Floats, n: int) -> Floats:
    middles = _k_means_plus_plus(places, n)
    for _ in range(N_STEPS):
        of = nearest_middle(places, middles)
        sizes = np.bincount(of, minlength=len(middles))
        sums = np.stack([np.bincount(of, places[:, axis], minlength=len(middles)) for axis in (0, 1)], axis=1)
        middles = np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], middles)
    return middles


def _k_means_plus_plus(places: Floats, n: int) -> Floats:
    """Draw `n` of the places, or fewer if there are fewer distinct ones, each with probability proportional to its
    squared distance from the nearest of those already drawn.
    """
    generator = np.random.default_rng(SEED)
    middles = [int(generator.integers(len(places)))]
    apart = ((places - places[middles[0]]) ** 2).sum(axis=1)
    while len(middles) < n and apart.sum() > 0:
        middles.append(int(generator.choice(len(places), p=apart / apart.sum())))
        apart = np.minimum(apart, ((places - places[middles[-1]]) ** 2).sum(axis=1))
    return places[middles]


def touching(map_data: MapData, districts: Districts) -> NDArray[np.bool_]:
    """Return a mask of the pairs of districts that touch on the map, shape (n, n); each district touches itself."""
    of_cell = districts.of_cell.reshape(map_data.grid.n_rows, map_data.grid.n_columns)
    touch = np.eye(len(districts), dtype=np.bool_)
    for cells, others in (
        (of_cell[:, 1:], of_cell[:, :-1]),
        (of_cell[1:], of_cell[:-1]),
        (of_cell[1:, 1:], of_cell[:-1, :-1]),
        (of_cell[1:, :-1], of_cell[:-1, 1:]),
    ):
        touch[cells.ravel(), others.ravel()] = touch[others.ravel(), cells.ravel()] = True
    return touch


def too_few_papers(map_data: MapData) -> str | None:
    """Return the reason why the map cannot be divided, if there are too few papers; `None` if there are enough."""
    n = len(map_data.papers)
    return None if n >= MIN_PAPERS else f"regions need at least {MIN_PAPERS} papers, but there are only {n}: add papers"
