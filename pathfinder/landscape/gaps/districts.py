"""The map parted into districts of about as many papers each, so that each can be counted and compared."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from pathfinder.landscape.survey import Survey
from pathfinder.types import Floats, Rows

SEED = 20240801
MOST_LOOKED_AT = 20_000
"""Papers, taken evenly, that the middles are found from; all papers are then given to the nearest middle."""
N_STEPS = 15


@dataclass(frozen=True, slots=True, eq=False)
class Districts:
    """Every paper, and every cell of the grid, belongs to the district whose middle is nearest."""

    middles: Floats
    """Shape (n_districts, 2), from the left to the right of the map."""
    of: Rows
    """The district of each paper, shape (n_papers,)."""
    of_cell: Rows
    """The district of each cell of the grid, shape (n_cells,)."""

    def __len__(self) -> int:
        return len(self.middles)

    @property
    def sizes(self) -> Rows:
        """How many papers each has."""
        return np.bincount(self.of, minlength=len(self))

    def at(self, places: NDArray[np.floating]) -> Rows:
        """The district of each place, shape (n,)."""
        return nearest_middle(places, self.middles)


def divide(survey: Survey, papers_each: int, most: int) -> Districts:
    """As many districts as make about `papers_each` papers in each, but 1 to `most`.

    By k-means over the places (Lloyd 1982), begun by k-means++ (Arthur & Vassilvitskii 2007) with a fixed seed: dense
    parts of the map have small districts and empty ones large.
    """
    places = survey.coordinates
    n = max(1, min(round(len(places) / papers_each), most))
    middles = _settled(_evenly(places), n)
    middles = middles[np.lexsort((middles[:, 1], middles[:, 0]))]
    return Districts(middles, nearest_middle(places, middles), nearest_middle(survey.grid.centres(), middles))


def nearest_middle(places: NDArray[np.floating], middles: Floats) -> Rows:
    """The number of the middle that is nearest to each place, shape (n,)."""
    if not len(places):
        return np.empty(0, dtype=np.int64)
    _, nearest = cKDTree(middles).query(places)
    return np.asarray(nearest, dtype=np.int64)


def _evenly(places: NDArray[np.float32]) -> Floats:
    rows = np.unique(np.linspace(0, len(places) - 1, min(len(places), MOST_LOOKED_AT)).astype(np.int64))
    return places[rows].astype(np.float64)


def _settled(places: Floats, n: int) -> Floats:
    middles = _spread_out(places, n)
    for _ in range(N_STEPS):
        of = nearest_middle(places, middles)
        sizes = np.bincount(of, minlength=len(middles))
        sums = np.stack([np.bincount(of, places[:, axis], minlength=len(middles)) for axis in (0, 1)], axis=1)
        middles = np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], middles)
    return middles


def _spread_out(places: Floats, n: int) -> Floats:
    """`n` of the places, or fewer where fewer differ: each by lot, the likelier the farther from those before it."""
    lots = np.random.default_rng(SEED)
    chosen = [int(lots.integers(len(places)))]
    apart = ((places - places[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < n and apart.sum() > 0:
        chosen.append(int(lots.choice(len(places), p=apart / apart.sum())))
        apart = np.minimum(apart, ((places - places[chosen[-1]]) ** 2).sum(axis=1))
    return places[chosen]


def neighbours(survey: Survey, districts: Districts) -> NDArray[np.bool_]:
    """Which districts touch on the map, shape (n, n); each touches itself."""
    of_cell = districts.of_cell.reshape(survey.grid.n_rows, survey.grid.n_columns)
    touch = np.eye(len(districts), dtype=np.bool_)
    for one, other in (
        (of_cell[:, 1:], of_cell[:, :-1]),
        (of_cell[1:], of_cell[:-1]),
        (of_cell[1:, 1:], of_cell[:-1, :-1]),
        (of_cell[1:, :-1], of_cell[:-1, 1:]),
    ):
        touch[one.ravel(), other.ravel()] = touch[other.ravel(), one.ravel()] = True
    return touch
