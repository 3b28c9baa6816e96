"""The atlas of a corpus: what is drawn once, when the corpus is built, and lies on disk beside the coordinates."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, with_config

from pathfinder.landscape.grid import Grid
from pathfinder.types import Floats

TILE_PIXELS = 256
N_TILE_ZOOMS = 5
"""Zooms 0 to 4: one tile for the whole square of the map, then four, up to 256."""
SCALES = ("broad", "medium", "fine")
"""Of the density, by how far each paper's weight is spread."""
LABEL_LEVELS = (1, 2, 3)
"""1: continents, seen at once; 2: countries; 3: towns, seen from close by."""
KEYWORDS = "keywords"
"""What names a part of the map where no chat model does."""


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class Label:
    """The name of a part of the map: keyword phrases that are frequent there and rare elsewhere."""

    x: float
    y: float
    text: str
    level: int
    """1, 2 or 3: the zoom at which it appears is `min_zoom`."""
    min_zoom: float
    """From this zoom on it is drawn; no two labels that are drawn at the same zoom overlap. It is a zoom of a map whose
    square is 1,000 pixels wide at zoom 0; see `labels.effective_zoom`. Below 0 for what narrower maps show at once."""
    n_papers: int
    """Of the region that it names."""
    named_by: str = KEYWORDS
    """`keywords`, or the chat model that gave it, as `vendor:model`."""


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class Peak:
    """A place where the density is highest around."""

    x: float
    y: float
    height: float
    """Share of the highest, (0, 1]."""
    scale: str
    """One of `SCALES`."""


@dataclass(frozen=True, slots=True, eq=False)
class Atlas:
    """What `write_atlas` wrote, memory-mapped."""

    grid: Grid
    """Of what is counted in cells: `density` and the layers."""
    density: Mapping[str, Floats]
    """Papers by scale, smoothed, each in [0, 1], four by four to a cell of the grid, the top of the map first."""
    labels: tuple[Label, ...]
    """Each on a peak of the scale of its level; a peak whose papers have nothing in common has none."""
    peaks: tuple[Peak, ...]
    """Of all scales, the highest of each first."""
    tiles: NDArray[np.uint8]
    """The PNG of every tile, one after the other."""
    ends: NDArray[np.int64]
    """Where each tile ends in `tiles`; they are numbered by zoom, then by line, then by column."""

    def tile(self, zoom: int, column: int, line: int) -> bytes:
        """The PNG of one tile of the square around the map, `TILE_PIXELS` wide and high, RGB.

        Red is the density on a logarithmic scale, green the shade of the relief (128 is flat), blue its height: whoever
        draws it chooses the colours.
        """
        number = (4**zoom - 1) // 3 + line * 2**zoom + column
        start = int(self.ends[number - 1]) if number else 0
        return self.tiles[start : int(self.ends[number])].tobytes()
