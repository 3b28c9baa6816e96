"""Counts papers around cells, in squares just large enough for a test, and tests whether a place has more papers of a
given kind than chance would explain.

On a sparse map a value is drawn over part of the square in which it was counted, so that the map does not look like
scattered dust.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation, label, maximum_filter
from scipy.stats import false_discovery_control, hypergeom

from pathfinder.landscape.data.layer import Column, Heatmap, Table
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.statistics.keywords import describe_papers
from pathfinder.types import Floats, Rows

ENOUGH = 25
"""Number of papers that the square around the median paper should contain, so that there are enough papers for a test.
"""
MAX_RADIUS = 6


def window_sums(counts: Floats, radius: int) -> Floats:
    """Sum `counts` in the square around each cell, with sides of `2 * radius + 1` cells, cut off at the edge of the
    map.
    """
    height, width = counts.shape
    cumulative = np.zeros((height + 1, width + 1))
    cumulative[1:, 1:] = counts.cumsum(axis=0).cumsum(axis=1)
    rows, columns = np.arange(height), np.arange(width)
    top, bottom = np.maximum(rows - radius, 0), np.minimum(rows + radius + 1, height)
    left, right = np.maximum(columns - radius, 0), np.minimum(columns + radius + 1, width)
    sums = (
        cumulative[bottom][:, right]
        - cumulative[top][:, right]
        - cumulative[bottom][:, left]
        + cumulative[top][:, left]
    )
    return np.asarray(np.round(sums, 9))


def radius_for(papers: Floats) -> int:
    """Find the smallest radius at which the square around the median paper contains 25 papers; the radius is 6 if no
    smaller one suffices.
    """
    weights = papers.ravel()
    for radius in range(MAX_RADIUS):
        around = window_sums(papers, radius).ravel()
        order = np.argsort(around, kind="stable")
        middle = np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)
        if around[order[min(int(middle), len(order) - 1)]] >= ENOUGH:
            return radius
    return MAX_RADIUS


def describe_square(radius: int) -> str:
    """Describe the square around a cell: "the 5 x 5 cells around each cell", or "each cell alone"."""
    side = 2 * radius + 1
    return f"the {side} x {side} cells around each cell" if radius else "each cell alone"


def spread(values: Floats, radius: int) -> Floats:
    """Spread each value over the cells within half of `radius` of its own cell, keeping the highest where several
    overlap; NaN does not spread.

    A cell's value was computed from the square that extends `radius` cells from it in each direction, so nothing is
    drawn where nothing was counted.
    """
    if radius < 2:
        return values
    highest = maximum_filter(np.where(np.isnan(values), -1.0, values), footprint=_disc(radius // 2), mode="nearest")
    return np.where(highest < 0, np.nan, highest)


def around_papers(papers: Floats, radius: int) -> NDArray[np.bool_]:
    """Return a mask of the cells that contain a paper, and of those within half of `radius` of such a cell."""
    is_occupied = papers > 0
    if radius < 2:
        return np.asarray(is_occupied)
    return np.asarray(binary_dilation(is_occupied, structure=_disc(radius // 2)))


def _disc(radius: int) -> NDArray[np.bool_]:
    line = np.arange(-radius, radius + 1)
    return np.asarray(line[:, None] ** 2 + line[None, :] ** 2 <= radius**2)


# Patches: adjacent cells of the map that count as one place.

MOST_LISTED = 40
"""Maximum number of places in a table, the most significant first; nobody would read more than that."""
_TOUCHING = np.ones((3, 3))


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """One place on the map."""

    cells: Rows
    """The numbers of the selected cells."""
    rows: Rows
    """The papers counted in these cells and in the squares around them."""
    x: float
    y: float
    """The place of the paper nearest to the mean position of the patch's papers."""


def patches(map_data: MapData, is_selected: NDArray[np.bool_], weight: Floats, radius: int) -> tuple[Patch, ...]:
    """Join selected cells into patches where the squares around them, which reach `radius` cells in each direction,
    touch; the patch with the highest sum of `weight` comes first.
    """
    square = np.ones((2 * radius + 1, 2 * radius + 1))
    area = binary_dilation(is_selected, structure=square) if radius else is_selected
    patch_numbers, n = label(area, structure=_TOUCHING)
    of_cell = patch_numbers.ravel()
    sums = np.bincount(of_cell, np.where(is_selected, weight, 0.0).ravel(), minlength=n + 1)[1:]
    of_paper = of_cell[map_data.cell_of_paper]
    cells = np.where(is_selected.ravel(), of_cell, 0)
    order = np.argsort(-sums, kind="stable") + 1
    parts = ((np.flatnonzero(cells == i), np.flatnonzero(of_paper == i)) for i in order)
    return tuple(Patch(own_cells, rows, *middle(map_data, rows)) for own_cells, rows in parts)


def middle(map_data: MapData, rows: Rows) -> tuple[float, float]:
    """Find the paper among `rows` that is nearest to their mean position, and return its place; there may be no paper
    at the mean position itself.
    """
    places = map_data.coordinates[rows].astype(np.float64)
    nearest = int(((places - places.mean(axis=0)) ** 2).sum(axis=1).argmin())
    return float(places[nearest, 0]), float(places[nearest, 1])


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


# Footprints: places where a set of papers is over-represented relative to all papers, as shown for missions and topics.


FULL_AT = 8.0
"""Frequency relative to the whole map at which the colour is at full strength."""
FAINT = 0.3
"""Factor by which the colour is weakened where the excess may be due to chance."""
_COLUMNS = (
    Column("about", "distinctive keywords of these papers"),
    Column("papers", "papers on the mission or topic in this place"),
    Column("of", "all papers in this place, from the same years"),
    Column("times", "their share in this place relative to that on the whole map"),
    Column("q", "lowest false discovery rate at which a cell here is significant, [0, 1]"),
    Column("x", "position on the map"),
    Column("y", "position on the map"),
)


def footprint(map_data: MapData, rows: Rows, others: NDArray[np.bool_]) -> Excess:
    """Test where the papers at `rows` are over-represented among `others`, which include them."""
    some, all_ = (
        map_data.grid.count(map_data.cell_of_paper[rows]),
        map_data.grid.count(map_data.cell_of_paper[np.flatnonzero(others)]),
    )
    return excess(some, all_)


def heatmaps(map_data: MapData, cells: Excess, title: str, colour: str) -> tuple[Heatmap, Heatmap]:
    """Colour the places where the excess is significant and, more faintly, those where it may be due to chance; the
    strength of the colour depends on the logarithm of the ratio.
    """
    strength = np.clip(np.log2(np.maximum(cells.ratio, 1.0)) / np.log2(FULL_AT), 0.0, 1.0)
    certain = spread(np.where(cells.is_significant, strength, np.nan), cells.radius)
    more = spread(np.where(cells.ratio > 1, FAINT * strength, np.nan), cells.radius)
    uncertain = np.where(np.isnan(certain), more, np.nan)
    high = f"{FULL_AT:g} times as frequent as on the whole map"
    return (
        Heatmap(map_data.grid, certain, colour, title, "1", high),
        Heatmap(map_data.grid, uncertain, colour, f"{title}, faint: may be due to chance", may_be_chance=True),
    )


def places(map_data: MapData, rows: Rows, others: NDArray[np.bool_], cells: Excess) -> Table:
    """List at most 40 places with a significant excess, the most significant first."""
    where, overall = cells.is_significant, len(rows) / max(int(others.sum()), 1)
    lines = []
    for patch in patches(map_data, where, cells.strength, cells.radius)[:MOST_LISTED]:
        own, n_all = np.intersect1d(patch.rows, rows), int(others[patch.rows].sum())
        times = round(len(own) / n_all / overall, 2)
        lines.append(
            (describe_papers(map_data, own), len(own), n_all, times, cells.least_q(patch.cells), patch.x, patch.y)
        )
    return Table(_COLUMNS, tuple(lines))


def describe_test(cells: Excess) -> str:
    """Explain how the footprint was counted and tested, and what the table lists."""
    return (
        f"The colour shows how much more frequent they are in {describe_square(cells.radius)} than on the whole map; "
        "it is strong where the difference is greater than chance would explain (exact hypergeometric test, "
        f"false discovery rate {FDR:.0%}). "
        f"The table lists the most significant places, at most {MOST_LISTED}."
    )
