"""Counts papers around cells, in squares just large enough for a test, and spreads the values for drawing.

On a sparse map a value is drawn over part of the square in which it was counted, so that the map does not look like
scattered dust.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation, maximum_filter

from pathfinder.types import Floats

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
