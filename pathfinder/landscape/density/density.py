"""The density of papers on the map, as a picture.

The picture has its own night sky, so that it looks the same on light and dark pages. It never reaches white, so that
dots stand out on it. Its palette varies only in lightness, which can be perceived with every kind of colour vision.
"""

import io
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor
from pydantic import ConfigDict, with_config
from scipy.ndimage import gaussian_filter

from pathfinder.types import Floats

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


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class Extent:
    """The part of the map that a picture shows, in the units of the coordinates."""

    left: float
    right: float
    bottom: float
    top: float


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
