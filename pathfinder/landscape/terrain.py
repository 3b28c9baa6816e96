"""The map as a world: how high the land is, and how the light falls on it.

The height is the density, on a logarithmic scale and smoother than the night sky shows it; nothing else goes in.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.landscape.density import Extent, brightness, papers_per_cell
from pathfinder.types import Floats

RELIEF = (60.0, 16.0)
"""Standard deviation for one paper, in thousandths of the long side, and gain of the logarithm; see `density.BROAD`."""
ROUGH = (26.0, 40.0)
"""The same of what the light falls on beside the relief, so that a slope has its ridges."""
ROUGH_SHARE = 0.3

SEA_LEVEL = 0.16
"""Share of the highest land, [0, 1]; with a gain of 24, a fiftieth of the density of the most crowded places."""
COAST_TO = 0.30
PLAINS_TO = 0.55
HILLS_TO = 0.78

EXAGGERATION = 0.055
"""Height of the highest land as a share of the map's side, for the light alone."""
LIGHT_FROM = (-0.5, -0.5, 0.7071)
"""To the left, to the top (as lines of a picture run), and up: the north-west, as on printed maps. Length 1."""
FLAT = 128
"""Shade of level ground, of 255."""


@dataclass(frozen=True, slots=True)
class Band:
    """A kind of land, for a legend and for tables of colours."""

    name: str
    low: float
    """Where it begins, as a share of the highest land; it ends where the next begins."""
    says: str


BANDS = (
    Band("sea", 0.0, "nobody works here"),
    Band("coast", SEA_LEVEL, "a few papers: where a field begins"),
    Band("plains", COAST_TO, "a topic that people work on"),
    Band("hills", PLAINS_TO, "a busy topic"),
    Band("mountains", HILLS_TO, "the most studied topics"),
)
"""From the sea up."""


def height(coordinates: NDArray[np.float32], extent: Extent, side: int) -> Floats:
    """Height over a square `extent`, [0, 1], shape (side, side), the top of the map first."""
    return brightness(papers_per_cell(coordinates, extent, (side, side)), *RELIEF)


def rough_height(coordinates: NDArray[np.float32], extent: Extent, side: int) -> Floats:
    """Like `height`, with ridges: what the light falls on."""
    papers = papers_per_cell(coordinates, extent, (side, side))
    return np.asarray((1 - ROUGH_SHARE) * brightness(papers, *RELIEF) + ROUGH_SHARE * brightness(papers, *ROUGH))


def shade(height: Floats) -> Floats:
    """Light on the land, [0, 255], `FLAT` where it is level and on the sea; Lambert's cosine law.

    `height` is square and in [0, 1].
    """
    land = np.maximum(height - SEA_LEVEL, 0.0) * EXAGGERATION * len(height)
    down, right = np.gradient(land)
    normal = np.sqrt(down**2 + right**2 + 1)
    x, y, z = LIGHT_FROM
    light = (z - x * right - y * down) / normal
    # From no light to the light on level ground, and from there to the light that falls straight down on a slope.
    dark, bright = light / z * FLAT, FLAT + (light - z) / (1 - z) * (255 - FLAT)
    return np.asarray(np.clip(np.where(light < z, dark, bright), 0, 255))
