"""How a paper's citations stand among those of its year."""

import numpy as np

from pathfinder.types import Floats


def citation_percentiles(years: Floats, counts: Floats, ranks: Floats) -> Floats:
    """Percentile of each paper's citations among the papers of its year, (0, 1]; NaN where unknown.

    Of the papers of a year whose count is known, the share with that many citations or fewer. Where
    only the rank within the year is known (0 is the most cited): of the papers of that year whose
    rank is known, the share with that rank or a lower place.
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
