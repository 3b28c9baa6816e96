"""Draws the ground of the map as a pyramid of tiles, from the whole map down to 1/256 of its area.

A pixel stores numbers instead of a colour, so that one pyramid serves every palette and both grounds. Tiles cover the
square around the map's extent. From zoom 3 on, pixels are interpolated, so that the ground looks smooth up close.
"""

import io
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pathfinder.landscape.data.landscape import N_TILE_ZOOMS, TILE_PIXELS
from pathfinder.landscape.density import Extent, density
from pathfinder.landscape.drawing import terrain
from pathfinder.types import Floats

RASTER_ZOOM = 2
"""Zoom at which the density is computed, on a grid 1,024 pixels wide: even the finest smoothing, for a million papers,
spans 1.5 of these pixels.
"""
DENSITY_LEVELS, SHADE_LEVELS, HEIGHT_LEVELS = 48, 20, 40
"""Number of steps in each channel: more would hardly be visible, and would make the tiles larger."""
COMPRESSION = 5
"""Compression level for PNG: level 9 takes twenty times as long and saves only a tenth."""


def square_around(extent: Extent) -> Extent:
    """Find the smallest square around `extent` with the same centre: the area that the tiles cover."""
    side = max(extent.right - extent.left, extent.top - extent.bottom)
    x, y = (extent.left + extent.right) / 2, (extent.bottom + extent.top) / 2
    return Extent(x - side / 2, x + side / 2, y - side / 2, y + side / 2)


def draw_tiles(coordinates: NDArray[np.float32], extent: Extent) -> Iterator[bytes]:
    """Draw the PNG of every tile, ordered by zoom, row and column; equal coordinates always produce the same bytes."""
    channels = [Image.fromarray(channel.astype(np.float32)) for channel in _channels(coordinates, extent)]
    for zoom in range(N_TILE_ZOOMS):
        for line in range(2**zoom):
            for column in range(2**zoom):
                yield _png([_crop(channel, zoom, column, line) for channel in channels])


def _channels(coordinates: NDArray[np.float32], extent: Extent) -> tuple[Floats, Floats, Floats]:
    """Compute density, shade and height over the square, each in [0, 1]."""
    square, side = square_around(extent), TILE_PIXELS * 2**RASTER_ZOOM
    shade = terrain.shade(terrain.rough_height(coordinates, square, side))
    return density(coordinates, square, side), shade / 255, terrain.height(coordinates, square, side)


def _crop(channel: Image.Image, zoom: int, column: int, line: int) -> Floats:
    wide = channel.width / 2**zoom
    box = (column * wide, line * wide, (column + 1) * wide, (line + 1) * wide)
    resampling = Image.Resampling.BOX if zoom <= RASTER_ZOOM else Image.Resampling.BICUBIC
    return np.asarray(channel.resize((TILE_PIXELS, TILE_PIXELS), resampling, box=box))


def _png(channels: list[Floats]) -> bytes:
    levels = DENSITY_LEVELS, SHADE_LEVELS, HEIGHT_LEVELS
    steps = [_round_to_levels(channel, n) for channel, n in zip(channels, levels, strict=True)]
    file = io.BytesIO()
    Image.fromarray(np.stack(steps, axis=-1)).save(file, format="PNG", compress_level=COMPRESSION)
    return file.getvalue()


def _round_to_levels(values: Floats, n: int) -> NDArray[np.uint8]:
    return np.asarray(np.round(np.round(np.clip(values, 0, 1) * (n - 1)) * (255 / (n - 1))), dtype=np.uint8)
