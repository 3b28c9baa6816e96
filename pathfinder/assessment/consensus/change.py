"""The year in which opinion shifted most, and a test of whether the shift could be due to chance.

In order of year, each paper counts as +1 (supports the statement), -1 (refutes it) or 0 (mixed). A cut before a year
divides them into two sides of n1 and n2 papers with means m1 and m2; the shift is

    n1 n2 / (n1 + n2) (m2 - m1)^2,

the sum of squares between the sides: the cut with the largest shift is the most likely change of a mean (Sen &
Srivastava 1975, doi:10.1214/aos/1176343001). Papers of the same year are never separated, and each side has at least
five papers, enough for a consensus level of its own. The test shuffles the stances among the papers 2,000 times with a
fixed seed; if k of the shuffles have a largest shift at least as large as the observed one, p = (1 + k) / (1 + 2,000).
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
"""Tolerance for ties: sums of the same numbers in a different order differ by rounding errors."""


@dataclass(frozen=True, slots=True)
class OpinionChange:
    """The year in which opinion shifted most."""

    year: int
    """Year of the first paper after the cut."""
    p_value: float

    @property
    def is_significant(self) -> bool:
        """True if fewer than one random order in twenty has as large a shift."""
        return self.p_value < SIGNIFICANT


def find_change(years: Sequence[int], values: Sequence[int], seed: int = SEED) -> OpinionChange | None:
    """Find the largest shift in `values` (+1, 0 or -1), one for each of `years`, which may be in any order.

    Returns `None` if no cut leaves at least five papers on each side.
    """
    order = np.argsort(years, kind="stable")
    sorted_years, signs = np.asarray(years)[order], np.asarray(values, dtype=np.float64)[order]
    starts = np.flatnonzero(np.diff(sorted_years)) + 1
    cuts = starts[(starts >= MIN_COUNTED) & (len(signs) - starts >= MIN_COUNTED)]
    if not len(cuts):
        return None
    shifts = _shifts(signs[np.newaxis], cuts)[0]
    rng = np.random.default_rng(seed)
    largest_by_chance = _shifts(rng.permuted(np.tile(signs, (N_ORDERS, 1)), axis=1), cuts).max(axis=1)
    n_as_large = int((largest_by_chance >= shifts.max() - _TIE).sum())
    # Tied cuts may differ by rounding; the first of the best is taken.
    best = int(np.argmax(shifts >= shifts.max() - _TIE))
    return OpinionChange(int(sorted_years[cuts[best]]), (1 + n_as_large) / (1 + N_ORDERS))


def _shifts(signs: Floats, cuts: NDArray[np.intp]) -> Floats:
    """Return the shift of each row of `signs` at each of `cuts`, shape (rows, cuts)."""
    n = signs.shape[1]
    sums = signs.cumsum(axis=1)
    before, total = sums[:, cuts - 1], sums[:, -1:]
    means = before / cuts, (total - before) / (n - cuts)
    return np.asarray(cuts * (n - cuts) / n * (means[1] - means[0]) ** 2)
