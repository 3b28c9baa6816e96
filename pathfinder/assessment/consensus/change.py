"""The year in which opinion shifted most, and whether it shifted by more than chance.

Papers say +1, -1 or 0, in the order of their years. A cut before a year parts them in two sides of n1 and n2 papers
with means m1 and m2; the shift is

    n1 n2 / (n1 + n2) (m2 - m1)^2

the sum of squares between the sides: the cut with the largest is the most likely change of a mean (Sen & Srivastava
1975, doi:10.1214/aos/1176343001). Papers of one year are never parted, and either side has at least five: each then
has a level of its own. The test deals the same stances out to the papers in 2,000 other orders, seeded, and counts how
often the largest shift is as large: p = (1 + k) / (1 + 2,000).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.assessment.consensus.rule import MIN_COUNTED, SEED
from pathfinder.types import Floats

N_ORDERS = 2_000
SIGNIFICANT = 0.05
_TIE = 1e-9
"""Sums of the same numbers in another order differ by rounding; they are equal all the same."""


@dataclass(frozen=True, slots=True)
class Change:
    """Where opinion shifted most."""

    year: int
    """Of the first paper after the cut."""
    p_value: float

    @property
    def is_significant(self) -> bool:
        """Whether chance does as much in fewer than one order of twenty."""
        return self.p_value < SIGNIFICANT


def find_change(years: Sequence[int], values: Sequence[int], seed: int = SEED) -> Change | None:
    """The largest shift of `values` (+1, 0, -1), one for each of `years`, in any order.

    `None` where no cut leaves five papers on either side.
    """
    order = np.argsort(years, kind="stable")
    dated, said = np.asarray(years)[order], np.asarray(values, dtype=np.float64)[order]
    starts = np.flatnonzero(np.diff(dated)) + 1
    cuts = starts[(starts >= MIN_COUNTED) & (len(said) - starts >= MIN_COUNTED)]
    if not len(cuts):
        return None
    observed = _shifts(said[np.newaxis], cuts)[0]
    rng = np.random.default_rng(seed)
    dealt = _shifts(rng.permuted(np.tile(said, (N_ORDERS, 1)), axis=1), cuts).max(axis=1)
    n_as_large = int((dealt >= observed.max() - _TIE).sum())
    # Equals are told from rounding: of the cuts that are as good, the first.
    best = int(np.argmax(observed >= observed.max() - _TIE))
    return Change(int(dated[cuts[best]]), (1 + n_as_large) / (1 + N_ORDERS))


def _shifts(said: Floats, cuts: NDArray[np.intp]) -> Floats:
    """The shift of each row at each of `cuts`, shape (rows, cuts)."""
    n = said.shape[1]
    sums = said.cumsum(axis=1)
    before, total = sums[:, cuts - 1], sums[:, -1:]
    means = before / cuts, (total - before) / (n - cuts)
    return np.asarray(cuts * (n - cuts) / n * (means[1] - means[0]) ** 2)
