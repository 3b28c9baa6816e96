"""Draws the map as a landscape: the height of the land, and the light that falls on it.

The height is simply the density on a logarithmic scale, smoothed more than for the night sky.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.landscape.density import Extent, brightness, papers_per_cell
from pathfinder.types import Floats

RELIEF = (60.0, 16.0)
"""Standard deviation of the smoothing for one paper, in thousandths of the long side, and gain of the logarithm; see
`density.BROAD`.
"""
ROUGH = (26.0, 40.0)
"""The same settings for the rougher surface that the light falls on, so that slopes have ridges."""
ROUGH_SHARE = 0.3

SEA_LEVEL = 0.16
"""Height of the sea relative to the highest land, [0, 1]. With the gain in `RELIEF`, it corresponds to 1/28 of the
density in the most crowded places.
"""
COAST_TO = 0.30
PLAINS_TO = 0.55
HILLS_TO = 0.78

EXAGGERATION = 0.055
"""Height of the highest land as a fraction of the map's side, used only for the light."""
LIGHT_FROM = (-0.5, -0.5, 0.7071)
"""Direction of the light, a unit vector: from the left, the top (in picture coordinates) and above, that is, from the
north-west, as on printed maps.
"""
FLAT = 128
"""Shade of level ground, from 0 to 255."""


@dataclass(frozen=True, slots=True)
class Band:
    """A kind of land, for legends and colour tables."""

    name: str
    low: float
    """Lowest height of the band, as a fraction of the height of the highest land; the band ends where the next one
    begins.
    """
    description: str


BANDS = (
    Band("sea", 0.0, "no papers"),
    Band("coast", SEA_LEVEL, "a few papers, where a field begins"),
    Band("plains", COAST_TO, "an active topic"),
    Band("hills", PLAINS_TO, "a busy topic"),
    Band("mountains", HILLS_TO, "the most studied topics"),
)
"""Kinds of land, from the sea upwards."""


def height(coordinates: NDArray[np.float32], extent: Extent, side: int) -> Floats:
    """Compute the height over a square `extent`, [0, 1], shape (side, side), the top of the map first."""
    return brightness(papers_per_cell(coordinates, extent, (side, side)), *RELIEF)


def rough_height(coordinates: NDArray[np.float32], extent: Extent, side: int) -> Floats:
    """Compute the height with ridges, used only for the light; otherwise like `height`."""
    papers = papers_per_cell(coordinates, extent, (side, side))
    return np.asarray((1 - ROUGH_SHARE) * brightness(papers, *RELIEF) + ROUGH_SHARE * brightness(papers, *ROUGH))


def shade(height: Floats) -> Floats:
    """Compute the light on the land by Lambert's cosine law, [0, 255]; level ground and the sea have the value `FLAT`.

    `height` is square and in [0, 1].
    """
    land = np.maximum(height - SEA_LEVEL, 0.0) * EXAGGERATION * len(height)
    down, right = np.gradient(land)
    normal = np.sqrt(down**2 + right**2 + 1)
    x, y, z = LIGHT_FROM
    light = (z - x * right - y * down) / normal
    # Two linear scales: from no light to the light on level ground, and from there to full light on a slope facing it.
    dark, bright = light / z * FLAT, FLAT + (light - z) / (1 - z) * (255 - FLAT)
    return np.asarray(np.clip(np.where(light < z, dark, bright), 0, 255))
