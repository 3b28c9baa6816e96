"""Contours: outlines of the smallest part of the map that contains a given share of a set of papers."""

import numpy as np
from contourpy import LineType, contour_generator
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from pathfinder.landscape.density.grid import Grid
from pathfinder.types import Floats

SPREAD = 0.1
"""Standard deviation of the smoothing for one paper, as a fraction of the grid's long side. For n papers it shrinks as
n^(-1/6) (Scott's rule in two dimensions, 1979), but is kept between one and five cells.
"""


def smooth(weights: Floats) -> Floats:
    """Smooth the number of papers, or their weight, in each cell; no weight is lost at the edge."""
    n = max(float(weights.sum()), 1.0)
    sigma = float(np.clip(SPREAD * max(weights.shape) * n ** (-1 / 6), 1.0, 5.0))
    return np.asarray(gaussian_filter(weights, sigma, mode="reflect"))


def level_that_holds(density: Floats, share: float) -> float:
    """Find the density level above which the cells together contain `share` of the total."""
    falling_densities = np.sort(density.ravel())[::-1]
    cumulative = np.cumsum(falling_densities)
    return float(
        falling_densities[min(int(np.searchsorted(cumulative, share * cumulative[-1])), len(falling_densities) - 1)]
    )


def contours(grid: Grid, density: Floats, level: float) -> tuple[NDArray[np.float32], ...]:
    """Draw closed lines, in the map's coordinates, along which `density` (one value per cell) equals `level`."""
    extent = grid.extent
    # A border of zeros closes the lines that would otherwise run off the map.
    density_with_rim = np.pad(density, 1)
    x = extent.left + (np.arange(-1, grid.n_columns + 1) + 0.5) / grid.n_columns * (extent.right - extent.left)
    y = extent.top - (np.arange(-1, grid.n_rows + 1) + 0.5) / grid.n_rows * (extent.top - extent.bottom)
    x, y = np.clip(x, extent.left, extent.right), np.clip(y, extent.bottom, extent.top)
    lines = contour_generator(x, y, density_with_rim, line_type=LineType.Separate).lines(level)
    return tuple(np.asarray(line, dtype=np.float32) for line in lines)
