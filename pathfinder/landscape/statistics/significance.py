"""Tests whether a part of the map has more papers of a given kind than chance would explain."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import false_discovery_control, hypergeom

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
        p[some_near] = hypergeom.sf(near[some_near] - 1, total, n_kind, here[some_near])
    return Excess(ratio, p, benjamini_hochberg(p), radius)


def benjamini_hochberg(p: Floats) -> Floats:
    """Compute q for each p (Benjamini & Hochberg 1995): the lowest false discovery rate at which that p is significant.

    `q_(i) = min over j >= i of p_(j) m / j`, with p in ascending order. NaN means that no test was done, and stays NaN.
    """
    q, is_known = np.full(p.shape, np.nan), ~np.isnan(p)
    q[is_known] = false_discovery_control(p[is_known]) if is_known.any() else q[is_known]
    return q
