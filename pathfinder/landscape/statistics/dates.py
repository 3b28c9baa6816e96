"""Selects papers by year, and determines which years are recent."""

import datetime
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.statistics.significance import FDR, Excess, benjamini_hochberg, excess, window_sums
from pathfinder.types import Floats, Rows

RECENT_YEARS = 10
"""Length of "the last ten years": the year of the corpus's snapshot and the nine before it, for both papers and
reviews.
"""
_EPOCH = datetime.date(1970, 1, 1)
YearSpan: TypeAlias = tuple[int | None, int | None]
"""First and last year, both inclusive; `None` means no limit."""


def in_years(map_data: MapData, span: YearSpan) -> NDArray[np.bool_]:
    """Return a mask of the papers from these years; undated ones are excluded, unless no paper is dated or the span is
    open at both ends.
    """
    years = map_data.papers.years()
    if span == (None, None) or np.isnan(years).all():
        return np.ones(len(years), dtype=np.bool_)
    first, last = span
    mask = ~np.isnan(years)
    if first is not None:
        mask &= years >= first
    if last is not None:
        mask &= years <= last
    return mask


def first_recent_year(this_year: int) -> int:
    """The first of the last ten years; `this_year`, the year of the snapshot, is the last."""
    return this_year - RECENT_YEARS + 1


def is_recent_age(years: Floats) -> NDArray[np.bool_]:
    """Return a mask of those ages, given in years, that fall within the last ten years; NaN is never recent."""
    return np.asarray(years < RECENT_YEARS)


def are_recent(map_data: MapData, days: Floats) -> NDArray[np.bool_]:
    """Return a mask of the papers from the last ten years, given their dates of publication as `days` since the start
    of 1970; it selects no papers if nothing in the corpus is dated.

    The first and the last of these years count in full.
    """
    if map_data.this_year is None:
        return np.zeros(len(days), dtype=np.bool_)
    first = datetime.date(max(first_recent_year(map_data.this_year), 1), 1, 1) - _EPOCH
    last = datetime.date(map_data.this_year, 12, 31) - _EPOCH
    # A comparison with NaN is false.
    return np.asarray((days >= first.days) & (days <= last.days))


def date_of(day: float) -> datetime.date:
    """Convert a number of days since the start of 1970 to a date."""
    return _EPOCH + datetime.timedelta(days=int(day))


def n_undated(map_data: MapData) -> int:
    """Count the papers with neither a year nor a date."""
    return int(np.isnan(map_data.papers.years()).sum())


def undated_papers(n: int) -> str:
    """Write the beginning of a sentence about papers without a year or date, such as "2 undated papers are"."""
    return "1 undated paper is" if n == 1 else f"{n:,} undated papers are"


def describe_years(span: YearSpan) -> str:
    """Describe years, for example "2010 to 2020", "since 2010", "until 2020", "2020", "all years"."""
    first, last = span
    if first is not None and first == last:
        return str(first)
    if first is None:
        return "all years" if last is None else f"until {last}"
    return f"since {first}" if last is None else f"{first} to {last}"


# Growth: the newer half of the recent papers compared with the older half, cell by cell.


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
