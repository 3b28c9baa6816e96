"""Krippendorff's alpha: how far readers agree beyond chance.

With the coincidences o(c, k) of the values of two readers on one unit, each pair of values of a unit counted
1 / (m - 1) times where m readers judged it, and n(c) the sum over k (Krippendorff 2011, "Computing Krippendorff's
Alpha-Reliability", section D):

    alpha = 1 - (n - 1) sum_{c<k} o(c, k) d(c, k) / sum_{c<k} n(c) n(k) d(c, k)

where d is the squared ordinal distance, (n(c) / 2 + n(c + 1) + ... + n(k) / 2)^2.
"""

from collections.abc import Sequence

import numpy as np

from pathfinder.types import Floats


def krippendorff_alpha(units: Sequence[Sequence[int]]) -> float | None:
    """Return alpha for ordered values: 1 if all readers agree, 0 if they agree as often as by chance.

    Each unit lists the values that readers gave it, numbered from 0 in their order. `None` if no two readers judged the
    same unit, or all values are equal, for which alpha is not defined.
    """
    size = max((value + 1 for unit in units for value in unit), default=0)
    coincidences = np.zeros((size, size))
    for unit in units:
        if len(unit) > 1:
            counts = np.bincount(unit, minlength=size)
            coincidences += (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    totals = coincidences.sum(axis=1)
    distances = _ordinal_distances(totals)
    expected = float((np.outer(totals, totals) * distances).sum())
    if expected == 0:
        return None
    return 1.0 - float((totals.sum() - 1) * (coincidences * distances).sum()) / expected


def _ordinal_distances(totals: Floats) -> Floats:
    """Return the squared distances of all values: the number of values between them, half of each end counted."""
    middles = np.cumsum(totals) - totals / 2
    return np.asarray((middles[:, None] - middles[None, :]) ** 2)
