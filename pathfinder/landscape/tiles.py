"""The ground of the map as a pyramid of small pictures, from the whole map to a 256th of it.

Each pixel holds numbers and no colours, so that one pyramid serves every palette and both grounds. Tiles cover the
square around the map's extent. What is smooth stays smooth from close by: from zoom 3 on, pixels are interpolated.
"""

import io
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pathfinder.landscape import terrain
from pathfinder.landscape.atlas import N_TILE_ZOOMS, TILE_PIXELS
from pathfinder.landscape.density import Extent, density
from pathfinder.types import Floats

RASTER_ZOOM = 2
"""At which what is smoothed is worked out, 1,024 pixels wide: the finest smoothing, that of a million papers, is still
1.5 of these."""
DENSITY_LEVELS, SHADE_LEVELS, HEIGHT_LEVELS = 48, 20, 40
"""Steps of each channel: more can hardly be told apart, and make a tile larger."""
COMPRESSION = 5
"""Of PNG: 9 takes twenty times as long for a tenth less."""


def square_around(extent: Extent) -> Extent:
    """The smallest square around `extent`, with the same middle: what the tiles cover."""
    side = max(extent.right - extent.left, extent.top - extent.bottom)
    x, y = (extent.left + extent.right) / 2, (extent.bottom + extent.top) / 2
    return Extent(x - side / 2, x + side / 2, y - side / 2, y + side / 2)


def draw_tiles(coordinates: NDArray[np.float32], extent: Extent) -> Iterator[bytes]:
    """The PNG of every tile, by zoom, then by line, then by column. The same coordinates draw the same bytes."""
    channels = [Image.fromarray(channel.astype(np.float32)) for channel in _channels(coordinates, extent)]
    for zoom in range(N_TILE_ZOOMS):
        for line in range(2**zoom):
            for column in range(2**zoom):
                yield _png([_cut(channel, zoom, column, line) for channel in channels])


def _channels(coordinates: NDArray[np.float32], extent: Extent) -> tuple[Floats, Floats, Floats]:
    """Density, shade and height over the square, each in [0, 1]."""
    square, side = square_around(extent), TILE_PIXELS * 2**RASTER_ZOOM
    shade = terrain.shade(terrain.rough_height(coordinates, square, side))
    return density(coordinates, square, side), shade / 255, terrain.height(coordinates, square, side)


def _cut(channel: Image.Image, zoom: int, column: int, line: int) -> Floats:
    """One tile of one channel."""
    wide = channel.width / 2**zoom
    box = (column * wide, line * wide, (column + 1) * wide, (line + 1) * wide)
    filtered = Image.Resampling.BOX if zoom <= RASTER_ZOOM else Image.Resampling.BICUBIC
    return np.asarray(channel.resize((TILE_PIXELS, TILE_PIXELS), filtered, box=box))


def _png(channels: list[Floats]) -> bytes:
    levels = DENSITY_LEVELS, SHADE_LEVELS, HEIGHT_LEVELS
    steps = [_stepped(channel, n) for channel, n in zip(channels, levels, strict=True)]
    file = io.BytesIO()
    Image.fromarray(np.stack(steps, axis=-1)).save(file, format="PNG", compress_level=COMPRESSION)
    return file.getvalue()


def _stepped(values: Floats, n: int) -> NDArray[np.uint8]:
    """[0, 1] in `n` equal steps of [0, 255]."""
    return np.asarray(np.round(np.round(np.clip(values, 0, 1) * (n - 1)) * (255 / (n - 1))), dtype=np.uint8)
