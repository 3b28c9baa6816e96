"""The shapes of a picture as pixels."""

from collections.abc import Iterable
from functools import singledispatch

import numpy as np
from PIL import Image, ImageColor, ImageDraw
from PIL.ImageDraw import ImageDraw as Pencil

from pathfinder.landscape.dashes import pieces
from pathfinder.landscape.items import NAMES, Box, Item, Spot, Stroke, Veil, Words
from pathfinder.landscape.lettering import font
from pathfinder.types import Floats

FINENESS = 2
"""Everything is drawn so many times as large and then reduced, which makes edges smooth."""
ARROW_PIXELS = 10.0
HALO_PIXELS = 2


def drawn(ground: Image.Image, items: Iterable[Item]) -> Image.Image:
    """`ground` with `items` on it, RGB, the first lowest."""
    size = (ground.width * FINENESS, ground.height * FINENESS)
    picture = ground.resize(size, Image.Resampling.BILINEAR).convert("RGBA")
    for item in items:
        _draw(item, picture)
    return picture.convert("RGB").reduce(FINENESS)


@singledispatch
def _draw(item: Item, _picture: Image.Image) -> None:
    raise TypeError(f"a picture is made of {NAMES}, which can be drawn, got {type(item).__name__}")


@_draw.register
def _(veil: Veil, picture: Image.Image) -> None:
    left, top, width, height = (FINENESS * x for x in (veil.left, veil.top, veil.width, veil.height))
    # Only what is in the picture is enlarged: seen from close by, the whole would be thousands of pixels wide.
    x0, y0 = max(int(left), 0), max(int(top), 0)
    x1, y1 = min(int(np.ceil(left + width)), picture.width), min(int(np.ceil(top + height)), picture.height)
    if x1 <= x0 or y1 <= y0:
        return
    lines, columns = veil.rgba.shape[:2]
    from_left, to_right = (min(max((x - left) / width, 0.0), 1.0) * columns for x in (x0, x1))
    from_top, to_bottom = (min(max((y - top) / height, 0.0), 1.0) * lines for y in (y0, y1))
    box = (from_left, from_top, to_right, to_bottom)
    part = Image.fromarray(veil.rgba).resize((x1 - x0, y1 - y0), Image.Resampling.BICUBIC, box=box)
    picture.alpha_composite(part, (x0, y0))


@_draw.register
def _(stroke: Stroke, picture: Image.Image) -> None:
    pencil, points = ImageDraw.Draw(picture), stroke.points * FINENESS
    if stroke.is_closed:
        points = np.concatenate([points, points[:1]])
    for piece in pieces(points, [pixels * FINENESS for pixels in stroke.dashes]):
        flat = [tuple(point) for point in piece.tolist()]
        pencil.line(flat, fill=stroke.colour, width=round(stroke.width * FINENESS), joint="curve")
    if stroke.has_arrow:
        pencil.polygon([tuple(corner) for corner in arrow(points, ARROW_PIXELS * FINENESS)], fill=stroke.colour)


@_draw.register
def _(spot: Spot, picture: Image.Image) -> None:
    fill = (*ImageColor.getrgb(spot.colour), round(255 * spot.opacity))
    r = FINENESS * spot.radius
    side = int(np.ceil(2 * r)) + 4
    layer = Image.new("RGBA", (side, side))
    pencil, middle = ImageDraw.Draw(layer), side / 2
    edge = spot.edge or None
    if spot.is_diamond:
        corners = [(middle, middle - r), (middle + r, middle), (middle, middle + r), (middle - r, middle)]
        pencil.polygon(corners, fill, edge, FINENESS)
    else:
        pencil.ellipse((middle - r, middle - r, middle + r, middle + r), fill, edge, FINENESS)
    _paste(layer, picture, round(FINENESS * spot.x - middle), round(FINENESS * spot.y - middle))


@_draw.register
def _(box: Box, picture: Image.Image) -> None:
    fill = (*ImageColor.getrgb(box.colour), round(255 * box.opacity))
    size = max(round(box.width * FINENESS), 1), max(round(box.height * FINENESS), 1)
    _paste(Image.new("RGBA", size, fill), picture, round(box.x * FINENESS), round(box.y * FINENESS))


@_draw.register
def _(words: Words, picture: Image.Image) -> None:
    pencil: Pencil = ImageDraw.Draw(picture)
    pencil.text(
        (words.x * FINENESS, words.y * FINENESS),
        words.text,
        fill=words.colour,
        font=font(words.size * FINENESS),
        anchor="mm" if words.is_centred else "lm",
        stroke_width=HALO_PIXELS * FINENESS if words.halo else 0,
        stroke_fill=words.halo or None,
    )


def _paste(layer: Image.Image, picture: Image.Image, x: int, y: int) -> None:
    """`layer` on `picture`; what sticks out is left out."""
    cut = (max(-x, 0), max(-y, 0), min(layer.width, picture.width - x), min(layer.height, picture.height - y))
    if cut[2] > cut[0] and cut[3] > cut[1]:
        picture.alpha_composite(layer.crop(cut), (x + cut[0], y + cut[1]))


def arrow(points: Floats, pixels: float) -> list[list[float]]:
    """The three corners of an arrow head at the end of a line, its tip on the last point.

    It points to the right where the line leads nowhere, its points being one.
    """
    tip = points[-1]
    others = np.flatnonzero(np.linalg.norm(points - tip, axis=1) > 0)
    before = points[others[-1]] if len(others) else tip - [1, 0]
    along = (tip - before) / np.linalg.norm(tip - before)
    across = np.array([-along[1], along[0]])
    back = tip - pixels * along
    return [tip.tolist(), (back + 0.5 * pixels * across).tolist(), (back - 0.5 * pixels * across).tolist()]
