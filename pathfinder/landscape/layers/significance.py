"""Is there more of something in a part of the map than chance would bring?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.landscape.layers.tails import at_least
from pathfinder.landscape.layers.windows import radius_for, window_sums
from pathfinder.types import Floats, Rows

FDR = 0.05
"""Expected share of false finds among the cells that are called significant."""


@dataclass(frozen=True, slots=True, eq=False)
class Excess:
    """How much more of something there is around each cell than overall; arrays are of the grid's shape."""

    ratio: Floats
    """Share around the cell, over the share overall; NaN where the cell has no paper."""
    p: Floats
    """Of as much or more by chance, if it were as frequent everywhere: the exact hypergeometric tail. NaN as above."""
    q: Floats
    """`p` after Benjamini and Hochberg's correction for the number of cells. NaN as above."""
    radius: int
    """What is counted around a cell: a square of `2 * radius + 1` cells."""

    @property
    def is_significant(self) -> NDArray[np.bool_]:
        """Where q is at most 0.05."""
        return np.nan_to_num(self.q, nan=1.0) <= FDR

    @property
    def strength(self) -> Floats:
        """How unlikely by chance: -log10 p, at most 300; 0 where nothing was tested."""
        return np.asarray(-np.log10(np.maximum(np.nan_to_num(self.p, nan=1.0), 1e-300)))

    def least_q(self, cells: Rows) -> float:
        """The lowest q of some cells, to two digits."""
        return float(f"{np.nanmin(self.q.ravel()[cells]):.2g}")


def excess(some: Floats, all_: Floats, radius: int | None = None) -> Excess:
    """Where `some` of `all_` papers, counted by cell, are more than their share; both of the grid's shape.

    Around each cell that has a paper, the `k` of `n` papers in a square of cells are compared with the `K` of `N` on
    the whole map: p = P(X >= k), X hypergeometric (N, K, n). Neighbouring squares overlap, so that their tests depend
    on each other positively, which the correction allows for (Benjamini & Yekutieli 2001, PRDS). The square is as
    large as it takes for the median paper to have 25 papers in it.
    """
    radius = radius_for(all_) if radius is None else radius
    near, here = window_sums(some, radius), window_sums(all_, radius)
    total, wanted = float(all_.sum()), float(some.sum())
    ratio, p = np.full(all_.shape, np.nan), np.full(all_.shape, np.nan)
    tested = all_ > 0
    if wanted:
        ratio[tested] = near[tested] / here[tested] / (wanted / total)
        p[tested] = 1.0
        some_near = tested & (near > 0)
        p[some_near] = at_least(near[some_near], total, wanted, here[some_near])
    return Excess(ratio, p, benjamini_hochberg(p), radius)


def benjamini_hochberg(p: Floats) -> Floats:
    """The q of each p (Benjamini & Hochberg 1995): the lowest false discovery rate at which it is found.

    `q_(i) = min over j >= i of p_(j) m / j`, in the order of p. NaN is no test, and stays.
    """
    flat = p.ravel()
    known = np.flatnonzero(~np.isnan(flat))
    order = known[np.argsort(flat[known], kind="stable")]
    scaled = flat[order] * len(order) / np.arange(1, len(order) + 1)
    q = np.full(flat.shape, np.nan)
    q[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return q.reshape(p.shape)
