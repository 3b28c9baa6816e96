"""Peaks of the density, and the basin around each of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, with_config
from scipy.ndimage import gaussian_filter

from pathfinder.landscape.density.density import papers_per_cell
from pathfinder.landscape.density.grid import Grid
from pathfinder.types import Floats, Rows


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class Peak:
    """A local maximum of the density."""

    x: float
    y: float
    height: float
    """Height relative to the highest peak, (0, 1]."""
    scale: str
    """One of `SCALES`."""


CELLS_PER_CELL = 4
"""Number of density cells in each direction per cell of the grid."""
SPREAD: Mapping[str, float] = MappingProxyType({"broad": 0.034, "medium": 0.016, "fine": 0.008})
"""Standard deviation of the smoothing at each scale, as a fraction of the map's long side. These values produce about
ten continents, forty countries and two hundred towns, whatever the size of the corpus.
"""
LOWEST = 0.01
"""Fraction of the highest density below which a peak is only a ripple in the sea and belongs to no basin."""


def densities(coordinates: NDArray[np.float32], grid: Grid) -> dict[str, Floats]:
    """Smooth the paper counts at each scale, and normalise each result to its own maximum, [0, 1], with 4 x 4 values
    per cell of `grid`.
    """
    shape = grid.n_rows * CELLS_PER_CELL, grid.n_columns * CELLS_PER_CELL
    papers = papers_per_cell(coordinates, grid.extent, shape)
    smooth = {scale: gaussian_filter(papers, share * max(shape), mode="constant") for scale, share in SPREAD.items()}
    return {scale: np.asarray(values / values.max()) for scale, values in smooth.items()}


def basins(density: Floats) -> Rows:
    """Find, for each cell, the flat index of the peak to which steepest ascent leads; -1 in the sea.

    If two neighbours are equally high, the first is climbed, so that a plateau has a single peak.
    """
    heights = np.where(density > LOWEST * density.max(), density, -np.inf)
    padded_heights = np.pad(heights, 1, constant_values=-np.inf)
    rows, columns = density.shape
    index = np.arange(density.size).reshape(density.shape)
    best, uphill = heights.copy(), index.copy()
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            other = padded_heights[1 + down : 1 + down + rows, 1 + right : 1 + right + columns]
            towards = index + down * columns + right
            is_better = (other > best) | ((other == best) & (towards < uphill) & np.isfinite(other))
            best, uphill = np.where(is_better, other, best), np.where(is_better, towards, uphill)
    flat = uphill.ravel()
    while not np.array_equal(flat, flat[flat]):
        flat = flat[flat]
    return np.where(np.isfinite(heights.ravel()), flat, -1)


def basin_of(coordinates: NDArray[np.float32], grid: Grid, density: Floats) -> Rows:
    """Find the basin in which each paper lies, numbered as in `basins`."""
    finer = Grid(grid.extent, *density.shape)
    return np.asarray(basins(density)[finer.cell_of(coordinates)])


def peaks(density: Floats, grid: Grid, scale: str) -> tuple[Peak, ...]:
    """List the peaks of the basins, the highest first."""
    tops = np.unique(basins(density))
    tops = tops[tops >= 0]
    heights = density.ravel()[tops]
    order = np.lexsort((tops, -heights))
    places = [Grid(grid.extent, *density.shape).centre(int(top)) for top in tops[order]]
    return tuple(Peak(x, y, float(high), scale) for (x, y), high in zip(places, heights[order], strict=True))
