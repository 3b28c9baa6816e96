"""An atlas that is made up: four mounds of papers, and the names on them."""

import io

import numpy as np
from PIL import Image

from pathfinder.landscape.data.landscape import N_TILE_ZOOMS, TILE_PIXELS, Atlas, Label
from pathfinder.landscape.density import Extent, grid_over
from pathfinder.types import Floats

EXTENT = Extent(0.0, 20.0, 0.0, 12.0)
MOUNDS = ((4.0, 8.0, 1.5, 1.0), (8.0, 4.0, 2.0, 0.8), (14.0, 7.0, 1.8, 0.9), (17.0, 3.0, 0.8, 0.5))
"""x, y, spread and height of each."""
LABELS = (
    Label(4.0, 8.0, "stars", 1, 0.0, 400),
    Label(14.0, 7.0, "galaxies", 1, 0.0, 500),
    Label(8.0, 4.0, "planets", 1, 0.0, 300),
    Label(17.0, 3.0, "pulsar timing", 2, 0.5, 90),
    Label(4.4, 8.3, "white dwarfs", 3, 3.0, 30),
)


def height(x: Floats, y: Floats) -> Floats:
    """Of the ground, [0, 1]."""
    mounds = [h * np.exp(-((x - at) ** 2 + (y - up) ** 2) / (2 * wide**2)) for at, up, wide, h in MOUNDS]
    return np.asarray(np.clip(sum(mounds), 0.0, 1.0))


def made_up_atlas(n_zooms: int = N_TILE_ZOOMS) -> Atlas:
    """With every tile of the first `n_zooms` zooms."""
    tiles = [
        _tile(zoom, column, line) for zoom in range(n_zooms) for line in range(2**zoom) for column in range(2**zoom)
    ]
    ends = np.cumsum([len(tile) for tile in tiles]).astype(np.int64)
    grid = grid_over(EXTENT)
    return Atlas(grid, {}, LABELS, (), np.frombuffer(b"".join(tiles), np.uint8), ends)


def _tile(zoom: int, column: int, line: int) -> bytes:
    side = max(EXTENT.right - EXTENT.left, EXTENT.top - EXTENT.bottom)
    left, top = (EXTENT.left + EXTENT.right - side) / 2, (EXTENT.bottom + EXTENT.top + side) / 2
    pixel = side / 2**zoom / TILE_PIXELS
    steps = np.arange(TILE_PIXELS) + 0.5
    x, y = np.meshgrid(left + (column * TILE_PIXELS + steps) * pixel, top - (line * TILE_PIXELS + steps) * pixel)
    high = height(x, y)
    lit = height(x - 0.05, y + 0.05) - height(x + 0.05, y - 0.05)
    shade = np.clip(128 - 900 * lit, 0, 255)
    picture = np.stack([255 * high, shade, 255 * high], axis=-1).round().astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(picture).save(file, format="PNG", compress_level=6)
    return file.getvalue()
