"""Selects papers by year, and determines which years are recent."""

import datetime
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pathfinder.landscape.data.map_data import MapData
from pathfinder.types import Floats

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
