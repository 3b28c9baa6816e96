"""Tests whether a part of the map has more papers of a given kind than chance would explain."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from pathfinder.landscape.statistics.windows import radius_for, window_sums
from pathfinder.types import Floats, Rows

FDR = 0.05
"""False discovery rate: the expected share of false positives among the significant cells."""


@dataclass(frozen=True, slots=True, eq=False)
class Excess:
    """Excess of a set of papers around each cell, relative to the set's share of the whole map; each array has the
    grid's shape.
    """

    ratio: Floats
    """Share around the cell divided by the overall share; NaN where the cell has no paper."""
    p: Floats
    """Probability of finding at least as many of these papers around the cell by chance if their share were the same
    everywhere: the exact hypergeometric tail. NaN as for `ratio`.
    """
    q: Floats
    """`p` after Benjamini and Hochberg's correction for the number of cells. NaN as for `ratio`."""
    radius: int
    """Papers are counted in a square around each cell, with sides of `2 * radius + 1` cells."""

    @property
    def is_significant(self) -> NDArray[np.bool_]:
        """Return a mask of the cells with q at most 0.05."""
        return np.nan_to_num(self.q, nan=1.0) <= FDR

    @property
    def strength(self) -> Floats:
        """-log10 p, at most 300; 0 where nothing was tested."""
        return np.asarray(-np.log10(np.maximum(np.nan_to_num(self.p, nan=1.0), 1e-300)))

    def least_q(self, cells: Rows) -> float:
        """Return the lowest q among `cells`, to two significant digits."""
        return float(f"{np.nanmin(self.q.ravel()[cells]):.2g}")


def excess(some: Floats, all_: Floats, radius: int | None = None) -> Excess:
    """Test where `some` papers are over-represented among `all_`; both are counted by cell and have the grid's shape.

    Around each cell that has a paper, the `k` of `n` papers in a square of cells are compared with the `K` of `N` on
    the whole map: p = P(X >= k), X hypergeometric (N, K, n). Neighbouring squares overlap, so their tests are
    positively dependent, which the correction allows for (Benjamini & Yekutieli 2001, PRDS). The squares are just large
    enough for the one around the median paper to contain 25 papers.
    """
    radius = radius_for(all_) if radius is None else radius
    near, here = window_sums(some, radius), window_sums(all_, radius)
    total, n_kind = float(all_.sum()), float(some.sum())
    ratio, p = np.full(all_.shape, np.nan), np.full(all_.shape, np.nan)
    is_tested = all_ > 0
    if n_kind:
        ratio[is_tested] = near[is_tested] / here[is_tested] / (n_kind / total)
        p[is_tested] = 1.0
        some_near = is_tested & (near > 0)
        p[some_near] = at_least(near[some_near], total, n_kind, here[some_near])
    return Excess(ratio, p, benjamini_hochberg(p), radius)


def benjamini_hochberg(p: Floats) -> Floats:
    """Compute q for each p (Benjamini & Hochberg 1995): the lowest false discovery rate at which that p is significant.

    `q_(i) = min over j >= i of p_(j) m / j`, with p in ascending order. NaN means that no test was done, and stays NaN.
    """
    flat = p.ravel()
    known_places = np.flatnonzero(~np.isnan(flat))
    order = known_places[np.argsort(flat[known_places], kind="stable")]
    scaled_p = flat[order] * len(order) / np.arange(1, len(order) + 1)
    q = np.full(flat.shape, np.nan)
    q[order] = np.minimum(np.minimum.accumulate(scaled_p[::-1])[::-1], 1.0)
    return q.reshape(p.shape)


# The tail of the hypergeometric distribution, for all cells of a map at once.
#
# It is exact up to rounding: the terms are summed one by one, for all cells together, whereas scipy sums cell by cell
# in Python and takes ten seconds for a map of 350,000 papers.

_NEGLIGIBLE = 1e-17
"""Fraction of the sum below which a term no longer changes any digit of the sum."""


def at_least(k: Floats, total: float, n_marked: float | Floats, n_drawn: Floats) -> Floats:
    """Compute P(X >= k), [0, 1], where X is the number of marked papers among `n_drawn` drawn from `total`, of which
    `n_marked` are marked.

    `k` and `n_drawn` have the same shape, and so has `n_marked` unless it is a single number for all cells. For k at or
    above the mean, the terms fall from k onwards and are summed upwards; for k below the mean, the terms below k are
    summed and the result is subtracted from 1.
    """
    k, n_drawn = np.asarray(k, dtype=np.float64), np.asarray(n_drawn, dtype=np.float64)
    is_high = k > n_marked * n_drawn / total
    start = np.where(is_high, k, k - 1)
    least, most = np.maximum(n_drawn + n_marked - total, 0), np.minimum(n_drawn, n_marked)
    is_possible = (start >= least) & (start <= most)
    x = np.where(is_possible, start, least)
    term = np.where(is_possible, np.exp(_log_probability(x, total, n_marked, n_drawn)), 0.0)
    total_probability = term.copy()
    while (term > _NEGLIGIBLE * total_probability).any():
        above = (n_marked - x) * (n_drawn - x) / ((x + 1) * (total - n_marked - n_drawn + x + 1))
        below = x * (total - n_marked - n_drawn + x) / np.maximum((n_marked - x + 1) * (n_drawn - x + 1), 1.0)
        term = term * np.where(is_high, above, below)
        total_probability += term
        x = np.clip(np.where(is_high, x + 1, x - 1), least, most)
    return np.asarray(np.clip(np.where(is_high, total_probability, 1 - total_probability), 0.0, 1.0))


def _log_probability(x: Floats, total: float, n_marked: float | Floats, n_drawn: Floats) -> Floats:
    """Compute log C(n_marked, x) + log C(total - n_marked, n_drawn - x) - log C(total, n_drawn)."""
    return np.asarray(
        _log_choose(np.asarray(n_marked), x)
        + _log_choose(np.asarray(total - n_marked), n_drawn - x)
        - _log_choose(np.asarray(total), n_drawn)
    )


def _log_choose(n: Floats, k: Floats) -> Floats:
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))
