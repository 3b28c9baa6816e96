"""Contours: the smallest part of the map that holds a given share of some papers."""

import numpy as np
from contourpy import LineType, contour_generator
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from pathfinder.landscape.grid import Grid
from pathfinder.types import Floats

SPREAD = 0.1
"""Of the grid's long side: the standard deviation of one paper. For n papers it shrinks by n^(-1/6), Scott's rule for
two dimensions (1979), to no less than a cell and no more than five."""


def smoothed(weights: Floats) -> Floats:
    """Papers, or their weights, by cell, spread over the cells around; nothing is lost at the edge."""
    n = max(float(weights.sum()), 1.0)
    sigma = float(np.clip(SPREAD * max(weights.shape) * n ** (-1 / 6), 1.0, 5.0))
    return np.asarray(gaussian_filter(weights, sigma, mode="reflect"))


def level_that_holds(density: Floats, share: float) -> float:
    """The density above which the cells hold `share` of the whole, and no fewer cells do."""
    ordered = np.sort(density.ravel())[::-1]
    held = np.cumsum(ordered)
    return float(ordered[min(int(np.searchsorted(held, share * held[-1])), len(ordered) - 1)])


def contours(grid: Grid, density: Floats, level: float) -> tuple[NDArray[np.float32], ...]:
    """The closed lines where `density`, of the grid's shape, is `level`, in the coordinates of the map."""
    extent = grid.extent
    # A rim of nothing closes the lines that would run off the map.
    rimmed = np.pad(density, 1)
    x = extent.left + (np.arange(-1, grid.n_columns + 1) + 0.5) / grid.n_columns * (extent.right - extent.left)
    y = extent.top - (np.arange(-1, grid.n_rows + 1) + 0.5) / grid.n_rows * (extent.top - extent.bottom)
    x, y = np.clip(x, extent.left, extent.right), np.clip(y, extent.bottom, extent.top)
    lines = contour_generator(x, y, rimmed, line_type=LineType.Separate).lines(level)
    return tuple(np.asarray(line, dtype=np.float32) for line in lines)
