"""The density of papers on the map, as a picture.

The picture has its own night sky, so that it looks the same on light and dark pages. It never reaches white, so that
dots stand out on it. Its palette varies only in lightness, which can be perceived with every kind of colour vision.
"""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor
from pydantic import ConfigDict, with_config
from scipy.ndimage import gaussian_filter

from pathfinder.types import Floats, Rows

# The grid of cells in which papers are counted.

LONG_SIDE_CELLS = 96


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class Extent:
    """The part of the map that a picture shows, in the units of the coordinates."""

    left: float
    right: float
    bottom: float
    top: float


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class Grid:
    """Square cells over the whole extent, numbered row by row from the top left, as in a picture."""

    extent: Extent
    n_rows: int
    n_columns: int

    @property
    def n_cells(self) -> int:
        return self.n_rows * self.n_columns

    def cell_of(self, coordinates: NDArray[np.float32]) -> Rows:
        """Find the cell of each place, shape (n,); a place on or beyond the outer edge belongs to the nearest cell."""
        extent = self.extent
        column = (coordinates[:, 0] - extent.left) / (extent.right - extent.left) * self.n_columns
        row = (extent.top - coordinates[:, 1]) / (extent.top - extent.bottom) * self.n_rows
        row_of = np.clip(np.floor(row), 0, self.n_rows - 1).astype(np.int64)
        column_of = np.clip(np.floor(column), 0, self.n_columns - 1).astype(np.int64)
        return np.asarray(row_of * self.n_columns + column_of)

    def count(self, cells: Rows) -> Floats:
        """Count how many times each cell occurs in `cells`, shape (n_rows, n_columns)."""
        counts = np.bincount(cells, minlength=self.n_cells).astype(np.float64)
        return counts.reshape(self.n_rows, self.n_columns)

    def add_up(self, cells: Rows, values: Floats) -> Floats:
        """Sum `values`, one for each of `cells`, within each cell of the grid, shape (n_rows, n_columns)."""
        sums = np.bincount(cells, values, minlength=self.n_cells).astype(np.float64)
        return sums.reshape(self.n_rows, self.n_columns)

    def centre(self, cell: int) -> tuple[float, float]:
        """Return the centre of a cell, in the coordinates of the map."""
        ((x, y),) = self.centres(np.array([cell])).tolist()
        return x, y

    def centres(self, cells: Rows | None = None) -> Floats:
        """Return the centre of each of `cells`, by default of all cells, shape (n, 2)."""
        rows, columns = np.divmod(np.arange(self.n_cells) if cells is None else cells, self.n_columns)
        extent = self.extent
        x = extent.left + (columns + 0.5) / self.n_columns * (extent.right - extent.left)
        y = extent.top - (rows + 0.5) / self.n_rows * (extent.top - extent.bottom)
        return np.stack([x, y], axis=1)


def grid_over(extent: Extent, long_side: int = LONG_SIDE_CELLS) -> Grid:
    """Make a grid with `long_side` cells along the long side, and at least one cell in each direction."""
    width, height = extent.right - extent.left, extent.top - extent.bottom
    cell = max(width, height) / long_side
    return Grid(extent, max(round(height / cell), 1), max(round(width / cell), 1))


LONG_SIDE_PIXELS = 1000
MARGIN = 0.05
"""Margin around the outermost papers, as a fraction of the map's long side."""
BROAD, FINE = (40.0, 20.0), (15.0, 60.0)
"""Settings that show broad trends, and settings that show small groups of papers: the standard deviation of the
smoothing for one paper, in pixels, and the gain of the logarithm. For n papers the standard deviation shrinks as
n^(-1/6) (Scott's rule in two dimensions, 1979).
"""
BROAD_SHARE = 0.55
FULL_AT = 99
"""Percentile of the density in the cells with papers; cells at or above it are drawn at full brightness, so that a pile
of duplicates does not darken the rest of the map.
"""
LEVELS = 128
"""Number of levels in the palette; more could not be told apart, and would make the file half as large again."""
PALETTE = ("#0d1524", "#1c2740", "#384562", "#6b7390", "#b9b6c6")
"""Colours from no papers to the highest density, in equal steps; the first is also the background of the figure."""


def map_extent(coordinates: NDArray[np.float32]) -> Extent:
    """Enclose all papers with a margin; the extent is at least one unit wide and high, so that there is a map even if
    all papers are duplicates of the same one.
    """
    low = coordinates.min(axis=0).astype(np.float64)
    high = coordinates.max(axis=0).astype(np.float64)
    margin = max(float(MARGIN * (high - low).max()), 0.5)
    left, bottom = (low - margin).tolist()
    right, top = (high + margin).tolist()
    return Extent(left, right, bottom, top)


def density(coordinates: NDArray[np.float32], extent: Extent, long_side: int = LONG_SIDE_PIXELS) -> Floats:
    """Smooth the paper counts and convert them to a logarithmic scale, [0, 1], shape (height, width), the top of the
    map first.
    """
    width, height = extent.right - extent.left, extent.top - extent.bottom
    cell = max(width, height) / long_side
    papers = papers_per_cell(coordinates, extent, (round(height / cell), round(width / cell)))
    broad, fine = brightness(papers, *BROAD), brightness(papers, *FINE)
    return np.asarray(BROAD_SHARE * broad + (1 - BROAD_SHARE) * fine)


def papers_per_cell(coordinates: NDArray[np.float32], extent: Extent, shape: tuple[int, int]) -> Floats:
    """Count the papers in each cell of a grid of shape (height, width) over `extent`, the top of the map first."""
    papers, _, _ = np.histogram2d(
        coordinates[:, 1],
        coordinates[:, 0],
        bins=shape,
        range=((extent.bottom, extent.top), (extent.left, extent.right)),
    )
    return np.asarray(papers[::-1])


def brightness(papers: Floats, sigma: float, gain: float) -> Floats:
    """Smooth `papers`, the count in each cell, to a density d in [0, 1], and convert it to a logarithmic scale:
    log(1 + gain d) / log(1 + gain).

    `sigma` is the standard deviation for one paper, as in `BROAD` and `FINE`, in thousandths of the long side.
    """
    pixels = sigma * max(papers.shape) / LONG_SIDE_PIXELS * papers.sum() ** (-1 / 6)
    smooth = gaussian_filter(papers, pixels, mode="constant")
    full = np.percentile(smooth[papers > 0], FULL_AT)
    return np.asarray(np.log1p(gain * np.minimum(smooth / full, 1.0)) / np.log1p(gain))


def density_png(density: Floats) -> bytes:
    """Draw a density in [0, 1] as a PNG with a palette of 128 colours, one pixel per cell."""
    stops = np.array([ImageColor.getrgb(colour) for colour in PALETTE])
    levels, at = np.linspace(0.0, 1.0, LEVELS), np.linspace(0.0, 1.0, len(stops))
    colours = np.stack([np.interp(levels, at, stops[:, channel]) for channel in range(3)], axis=-1)
    image = Image.fromarray(np.round((LEVELS - 1) * density).astype(np.uint8))
    image.putpalette(np.round(colours).astype(np.uint8).tobytes())
    file = io.BytesIO()
    image.save(file, format="PNG", optimize=True)
    return file.getvalue()


# Peaks of the density, and the basin around each of them.


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
