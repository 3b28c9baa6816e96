"""How densely the papers lie on the map, as a picture.

One picture serves a light and a dark page: its colour is one sand tone from first to last, and its opacity
grows with the density, so that where no paper lies the page itself shows.
"""

import io
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from pydantic import ConfigDict, with_config
from scipy.ndimage import gaussian_filter

from pathfinder.types import Floats

LONG_SIDE_PIXELS = 1000
MARGIN = 0.05
"""Of the long side, left free around the outermost papers."""
SMOOTHING = 0.008
"""Standard deviation of the Gaussian, of the long side."""


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class Extent:
    """The part of the map that a picture shows, in the units of the coordinates."""

    left: float
    right: float
    bottom: float
    top: float


def map_extent(coordinates: NDArray[np.float32]) -> Extent:
    """Every paper and a margin; at least one unit wide and high, so that copies of one paper have a place."""
    low = coordinates.min(axis=0).astype(np.float64)
    high = coordinates.max(axis=0).astype(np.float64)
    margin = max(float(MARGIN * (high - low).max()), 0.5)
    left, bottom = (low - margin).tolist()
    right, top = (high + margin).tolist()
    return Extent(left, right, bottom, top)


def density(coordinates: NDArray[np.float32], extent: Extent) -> Floats:
    """Smoothed papers per cell on a logarithmic scale, [0, 1], shape (height, width), north at the top."""
    width, height = extent.right - extent.left, extent.top - extent.bottom
    cell = max(width, height) / LONG_SIDE_PIXELS
    bins = max(1, round(height / cell)), max(1, round(width / cell))
    counts, _, _ = np.histogram2d(
        coordinates[:, 1],
        coordinates[:, 0],
        bins=bins,
        range=((extent.bottom, extent.top), (extent.left, extent.right)),
    )
    smooth = gaussian_filter(counts, SMOOTHING * LONG_SIDE_PIXELS, mode="constant")
    logarithmic = np.log1p(smooth / smooth.max() * 30)
    scaled: Floats = (logarithmic / logarithmic.max())[::-1]
    return scaled


def density_png(density: Floats) -> bytes:
    """The picture of a density in [0, 1]: PNG, RGBA, one pixel a cell."""
    pixels = np.empty((*density.shape, 4), dtype=np.uint8)
    pixels[..., :3] = (168, 140, 96)
    pixels[..., 3] = np.round(255 * 0.85 * density)
    file = io.BytesIO()
    Image.fromarray(pixels, "RGBA").save(file, format="PNG", optimize=True)
    return file.getvalue()
