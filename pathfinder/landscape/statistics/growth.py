"""Growth: the newer half of the recent papers compared with the older half, cell by cell."""

import datetime
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.statistics.dates import RECENT_YEARS, are_recent, date_of
from pathfinder.landscape.statistics.significance import FDR, Excess, benjamini_hochberg, excess
from pathfinder.landscape.statistics.windows import window_sums
from pathfinder.types import Floats, Rows

MIN_PAPERS = 20
"""Minimum number of dated recent papers for measuring growth."""
REQUIREMENT = f"at least {MIN_PAPERS} dated papers from the last {RECENT_YEARS} years, not all from the same day"
"""Condition for having two halves to compare."""


@dataclass(frozen=True, slots=True, eq=False)
class Halves:
    """The papers from the last ten years, split at a date into an older and a newer half, as evenly as possible."""

    older: Rows
    newer: Rows
    since: datetime.date
    """The first day of the time span."""
    split: datetime.date
    """The first day of the newer half."""

    def times(self, newer: Floats | Rows | int, older: Floats | Rows | int) -> Floats:
        """Compute how fast a topic grows relative to the whole map, from its number of papers in each half.

        `((newer + 1/2) / (older + 1/2)) / (all newer / all older)`: adding 1/2 keeps the result finite for a topic with
        papers in only one half.
        """
        return np.asarray((newer + 0.5) / (older + 0.5) / (len(self.newer) / len(self.older)))


@dataclass(frozen=True, slots=True, eq=False)
class Growth:
    """Growth of each cell compared with the whole map; arrays have the grid's shape."""

    times: Floats
    """Ratio of newer to older papers around a cell, relative to the same ratio for the whole map; NaN where there are
    no recent papers.
    """
    grows: Excess
    shrinks: Excess
    q: Floats
    """q of the test for growth or of that for shrinkage, whichever is lower, corrected for both tests of every cell."""

    @property
    def is_growing(self) -> NDArray[np.bool_]:
        """Return a mask of the cells that grow significantly faster than the whole map."""
        return (np.nan_to_num(self.q, nan=1.0) <= FDR) & (self.grows.p <= self.shrinks.p)

    @property
    def is_shrinking(self) -> NDArray[np.bool_]:
        """Return a mask of the cells that grow significantly more slowly than the whole map, or shrink."""
        return (np.nan_to_num(self.q, nan=1.0) <= FDR) & (self.grows.p > self.shrinks.p)


def halves(map_data: MapData) -> Halves | None:
    """Split the recent papers; `None` if fewer than 20 of them are dated, or if all are from the same day."""
    days = map_data.papers.published_days()
    recent = np.flatnonzero(are_recent(map_data, days))
    split = _splitting_day(days[recent]) if len(recent) >= MIN_PAPERS else None
    if split is None:
        return None
    is_newer = days[recent] >= split
    return Halves(recent[~is_newer], recent[is_newer], date_of(days[recent].min()), date_of(split))


def _splitting_day(days: Floats) -> float | None:
    """Find the day that splits the papers most evenly; `None` if all are from the same day."""
    distinct, counts = np.unique(days, return_counts=True)
    if len(distinct) < 2:
        return None
    before = np.cumsum(counts)[:-1]
    return float(distinct[1 + int(np.abs(before - len(days) / 2).argmin())])


def growth(map_data: MapData, parts: Halves) -> Growth:
    """Measure how fast each cell grows compared with the whole map, counting papers in a square around the cell."""
    older, newer = (map_data.grid.count(map_data.cell_of_paper[rows]) for rows in (parts.older, parts.newer))
    grows = excess(newer, older + newer)
    shrinks = excess(older, older + newer, grows.radius)
    times = parts.times(window_sums(newer, grows.radius), window_sums(older, grows.radius))
    q = benjamini_hochberg(np.stack([grows.p, shrinks.p])).min(axis=0)
    return Growth(np.where(np.isnan(grows.p), np.nan, times), grows, shrinks, q)
