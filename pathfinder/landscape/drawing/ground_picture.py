"""Paints the ground of a picture by joining, enlarging and colouring the tiles in view."""

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from pathfinder.landscape.data.atlas import N_TILE_ZOOMS, TILE_PIXELS, Atlas
from pathfinder.landscape.density.density import Extent
from pathfinder.landscape.drawing.palettes import SHADE, Colours, paint
from pathfinder.landscape.drawing.terrain import FLAT
from pathfinder.landscape.drawing.tiles import square_around
from pathfinder.landscape.drawing.viewport import Viewport

SMOOTHING = 1.5
"""Width of the smoothing, in tile pixels, applied to the levels of a tile when it is enlarged."""


def ground(atlas: Atlas, viewport: Viewport, colours: Colours) -> NDArray[np.uint8]:
    """Paint the ground in view as RGB, shape (height, width, 3). Beyond the tiles, it looks like the emptiest part of
    the map.

    The channels are enlarged before they are turned into colours, so that coasts stay sharp at close zooms.
    """
    return paint(channels(atlas, viewport), colours)


def channels(atlas: Atlas, viewport: Viewport) -> NDArray[np.uint8]:
    """Read density, shade and height for every pixel of a viewport, shape (height, width, 3)."""
    square = square_around(viewport.extent)
    zoom = _tile_zoom(square, viewport)
    per_unit = TILE_PIXELS * 2**zoom / (square.right - square.left)
    visible = viewport.visible
    # Edges of the viewport, in pixels of the whole square at this zoom; a pixel's centre is half a pixel from its edge.
    left, top = (visible.left - square.left) * per_unit, (square.top - visible.top) * per_unit
    right, bottom = (visible.right - square.left) * per_unit, (square.top - visible.bottom) * per_unit
    first = (_tile_at(left, zoom), _tile_at(top, zoom))
    last = (_tile_at(right, zoom), _tile_at(bottom, zoom))
    mosaic = _mosaic(atlas, zoom, first, last)
    origin = np.array(first) * TILE_PIXELS
    box = (left - origin[0], top - origin[1], right - origin[0], bottom - origin[1])
    return _crop(mosaic, box, (viewport.width, viewport.height))


def _tile_zoom(square: Extent, viewport: Viewport) -> int:
    """Find the lowest zoom at which a tile pixel is no larger than a picture pixel, or else the highest zoom."""
    zoom = np.log2(viewport.pixels_per_unit * (square.right - square.left) / TILE_PIXELS)
    return int(np.clip(np.ceil(zoom), 0, N_TILE_ZOOMS - 1))


def _tile_at(pixel: float, zoom: int) -> int:
    return int(np.clip(np.floor(pixel / TILE_PIXELS), 0, 2**zoom - 1))


def _mosaic(atlas: Atlas, zoom: int, first: tuple[int, int], last: tuple[int, int]) -> Image.Image:
    """Join the tiles from `first` to `last`, each given as (column, row), into one picture."""
    columns, lines = last[0] - first[0] + 1, last[1] - first[1] + 1
    mosaic = Image.new("RGB", (columns * TILE_PIXELS, lines * TILE_PIXELS))
    for column in range(columns):
        for line in range(lines):
            with Image.open(io.BytesIO(atlas.tile(zoom, first[0] + column, first[1] + line))) as tile:
                mosaic.paste(tile.convert("RGB"), (column * TILE_PIXELS, line * TILE_PIXELS))
    return mosaic


def _crop(mosaic: Image.Image, box: tuple[float, float, float, float], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Cut `box` out of `mosaic` and resize it to `size`; the area beyond the mosaic is treated as empty of papers."""
    width, height = size
    scale_x, scale_y = (box[2] - box[0]) / width, (box[3] - box[1]) / height
    empty = np.zeros((height, width, 3), dtype=np.uint8)
    empty[..., SHADE] = FLAT
    # The pixels of the picture that the mosaic covers completely.
    x0, x1 = (int(np.clip(np.ceil((x - box[0]) / scale_x), 0, width)) for x in (0, mosaic.width))
    y0, y1 = (int(np.clip(np.ceil((y - box[1]) / scale_y), 0, height)) for y in (0, mosaic.height))
    if x1 <= x0 or y1 <= y0:
        return empty
    part = (box[0] + x0 * scale_x, box[1] + y0 * scale_y, box[0] + x1 * scale_x, box[1] + y1 * scale_y)
    part = (max(part[0], 0.0), max(part[1], 0.0), min(part[2], mosaic.width), min(part[3], mosaic.height))
    if scale_x < 1:
        # The values of a tile are rounded to a few levels, which would show as terraces when enlarged.
        mosaic = mosaic.filter(ImageFilter.GaussianBlur(SMOOTHING))
    resized_part = mosaic.resize((x1 - x0, y1 - y0), Image.Resampling.BICUBIC, box=part)
    empty[y0:y1, x0:x1] = np.asarray(resized_part)
    return empty
