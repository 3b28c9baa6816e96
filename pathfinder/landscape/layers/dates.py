"""Which papers are of which years."""

import datetime
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pathfinder.landscape.survey import Survey
from pathfinder.types import Floats

SPAN_YEARS = 10
"""Up to the corpus's snapshot, whose papers are the recent ones."""
_EPOCH = datetime.date(1970, 1, 1)
YearSpan: TypeAlias = tuple[int | None, int | None]
"""First and last year, both inclusive; `None`: open."""


def in_years(survey: Survey, span: YearSpan) -> NDArray[np.bool_]:
    """Whether each paper is of these years; an undated one is not, unless no paper is dated or no year is asked for."""
    years = survey.papers.years()
    if span == (None, None) or np.isnan(years).all():
        return np.ones(len(years), dtype=np.bool_)
    first, last = span
    found = ~np.isnan(years)
    if first is not None:
        found &= years >= first
    if last is not None:
        found &= years <= last
    return found


def are_recent(survey: Survey, days: Floats) -> NDArray[np.bool_]:
    """Whether each paper, published on one of `days` since 1970, is of the last ten years; none where no year is known.

    The first and the last of these years count as a whole.
    """
    if survey.this_year is None:
        return np.zeros(len(days), dtype=np.bool_)
    first = datetime.date(max(survey.this_year - SPAN_YEARS + 1, 1), 1, 1) - _EPOCH
    last = datetime.date(survey.this_year, 12, 31) - _EPOCH
    # A comparison with NaN is false.
    return np.asarray((days >= first.days) & (days <= last.days))


def date_of(day: float) -> datetime.date:
    """The date of a day since 1970."""
    return _EPOCH + datetime.timedelta(days=int(day))


def n_undated(survey: Survey) -> int:
    """How many papers have neither a year nor a date."""
    return int(np.isnan(survey.papers.years()).sum())


def undated_papers(n: int) -> str:
    """The start of a sentence on papers that have neither, such as "2 undated papers are"."""
    return "1 undated paper is" if n == 1 else f"{n:,} undated papers are"


def in_words(span: YearSpan) -> str:
    """Such as "2010 to 2020", "since 2010", "until 2020", "2020", "all years"."""
    first, last = span
    if first is not None and first == last:
        return str(first)
    if first is None:
        return "all years" if last is None else f"until {last}"
    return f"since {first}" if last is None else f"{first} to {last}"
