"""The ground of a picture: the tiles in sight, put together, enlarged and painted."""

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from pathfinder.landscape.atlas import N_TILE_ZOOMS, TILE_PIXELS, Atlas
from pathfinder.landscape.density import Extent
from pathfinder.landscape.frame import Frame
from pathfinder.landscape.palettes import SHADE, Colours, painted
from pathfinder.landscape.terrain import FLAT
from pathfinder.landscape.tiles import square_around

SMOOTHING = 1.5
"""Pixels of a tile over which its levels are evened out where it is enlarged."""


def ground(atlas: Atlas, frame: Frame, colours: Colours) -> Image.Image:
    """The ground of a frame, RGB. What lies beyond the tiles looks like the emptiest place on them.

    The channels are enlarged before they become colours, so that a coast stays a line when one comes close.
    """
    return Image.fromarray(painted(channels(atlas, frame), colours))


def channels(atlas: Atlas, frame: Frame) -> NDArray[np.uint8]:
    """Density, shade and height of every pixel of a frame, shape (height, width, 3)."""
    square = square_around(frame.extent)
    zoom = _tile_zoom(square, frame)
    per_unit = TILE_PIXELS * 2**zoom / (square.right - square.left)
    seen = frame.seen
    # Of the frame, in pixels of the whole square at this zoom; a pixel's middle lies half a pixel in.
    left, top = (seen.left - square.left) * per_unit, (square.top - seen.top) * per_unit
    right, bottom = (seen.right - square.left) * per_unit, (square.top - seen.bottom) * per_unit
    first = (_tile_at(left, zoom), _tile_at(top, zoom))
    last = (_tile_at(right, zoom), _tile_at(bottom, zoom))
    sheet = _sheet(atlas, zoom, first, last)
    origin = np.array(first) * TILE_PIXELS
    box = (left - origin[0], top - origin[1], right - origin[0], bottom - origin[1])
    return _cut(sheet, box, (frame.width, frame.height))


def _tile_zoom(square: Extent, frame: Frame) -> int:
    """The first zoom at which a pixel of a tile is no larger than one of the picture; else the last there is."""
    wanted = np.log2(frame.pixels_per_unit * (square.right - square.left) / TILE_PIXELS)
    return int(np.clip(np.ceil(wanted), 0, N_TILE_ZOOMS - 1))


def _tile_at(pixel: float, zoom: int) -> int:
    return int(np.clip(np.floor(pixel / TILE_PIXELS), 0, 2**zoom - 1))


def _sheet(atlas: Atlas, zoom: int, first: tuple[int, int], last: tuple[int, int]) -> Image.Image:
    """The tiles from `first` to `last`, each (column, line), as one picture."""
    columns, lines = last[0] - first[0] + 1, last[1] - first[1] + 1
    sheet = Image.new("RGB", (columns * TILE_PIXELS, lines * TILE_PIXELS))
    for column in range(columns):
        for line in range(lines):
            with Image.open(io.BytesIO(atlas.tile(zoom, first[0] + column, first[1] + line))) as tile:
                sheet.paste(tile.convert("RGB"), (column * TILE_PIXELS, line * TILE_PIXELS))
    return sheet


def _cut(sheet: Image.Image, box: tuple[float, float, float, float], size: tuple[int, int]) -> NDArray[np.uint8]:
    """The part of `sheet` within `box`, enlarged or reduced to `size`; beyond the sheet there is nobody."""
    width, height = size
    scale_x, scale_y = (box[2] - box[0]) / width, (box[3] - box[1]) / height
    empty = np.zeros((height, width, 3), dtype=np.uint8)
    empty[..., SHADE] = FLAT
    # The whole pixels of the picture that the sheet covers.
    x0, x1 = (int(np.clip(np.ceil((x - box[0]) / scale_x), 0, width)) for x in (0, sheet.width))
    y0, y1 = (int(np.clip(np.ceil((y - box[1]) / scale_y), 0, height)) for y in (0, sheet.height))
    if x1 <= x0 or y1 <= y0:
        return empty
    part = (box[0] + x0 * scale_x, box[1] + y0 * scale_y, box[0] + x1 * scale_x, box[1] + y1 * scale_y)
    part = (max(part[0], 0.0), max(part[1], 0.0), min(part[2], sheet.width), min(part[3], sheet.height))
    if scale_x < 1:
        # A tile's levels are steps: enlarged, they would show as terraces.
        sheet = sheet.filter(ImageFilter.GaussianBlur(SMOOTHING))
    resized = sheet.resize((x1 - x0, y1 - y0), Image.Resampling.BICUBIC, box=part)
    empty[y0:y1, x0:x1] = np.asarray(resized)
    return empty
