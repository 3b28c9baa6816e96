"""Citations of a paper relative to those of its year."""

import numpy as np

from pathfinder.types import Floats


def citation_percentiles(years: Floats, counts: Floats, ranks: Floats) -> Floats:
    """Return the percentile of each paper's citations among the papers of its year, in (0, 1]; NaN where unknown.

    For a paper with a citation count, this is the fraction of the year's papers with a known count that have no more
    citations than it. For a paper with only a rank within the year (0 is the most cited), it is the fraction of the
    year's ranked papers that have the same rank or are cited less.
    """
    by_count = _shares_at_or_below(years, counts)
    return np.where(np.isnan(by_count), _shares_at_or_below(years, -ranks), by_count)


def _shares_at_or_below(years: Floats, values: Floats) -> Floats:
    shares = np.full(len(years), np.nan)
    known = np.flatnonzero(~(np.isnan(years) | np.isnan(values)))
    for year in np.unique(years[known]):
        rows = known[years[known] == year]
        shares[rows] = np.searchsorted(np.sort(values[rows]), values[rows], side="right") / len(rows)
    return shares
