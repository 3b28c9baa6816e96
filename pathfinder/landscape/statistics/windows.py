"""Counts papers around cells, in squares just large enough for a test, and spreads the values for drawing.

On a sparse map a value is drawn over part of the square in which it was counted, so that the map does not look like
scattered dust.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation, label, maximum_filter

from pathfinder.landscape.data.map_data import MapData
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
    return tuple(_patch(map_data, np.flatnonzero(cells == i), np.flatnonzero(of_paper == i)) for i in order)


def _patch(map_data: MapData, cells: Rows, rows: Rows) -> Patch:
    x, y = middle(map_data, rows)
    return Patch(cells, rows, x, y)


def middle(map_data: MapData, rows: Rows) -> tuple[float, float]:
    """Find the paper among `rows` that is nearest to their mean position, and return its place; there may be no paper
    at the mean position itself.
    """
    places = map_data.coordinates[rows].astype(np.float64)
    nearest = int(((places - places.mean(axis=0)) ** 2).sum(axis=1).argmin())
    return float(places[nearest, 0]), float(places[nearest, 1])
