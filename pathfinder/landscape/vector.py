"""The shapes of a picture as SVG: text stays text, and what a shape stands for is its title."""

import base64
import io
from collections.abc import Iterable
from functools import singledispatch
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from PIL import Image

from pathfinder.landscape.items import NAMES, Box, Item, Spot, Stroke, Veil, Words
from pathfinder.landscape.raster import ARROW_PIXELS, arrow
from pathfinder.types import Floats, without_control_characters

NOT_IN_XML = "\ufffe\uffff"
FONTS = "Aileron, Helvetica, Arial, sans-serif"


def document(items: Iterable[Item], ground: str, size: tuple[int, int], description: str) -> str:
    """An SVG document of `size` pixels with the picture `ground`, a data address, under `items`."""
    width, height = size
    begin = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' role="img" aria-labelledby="title desc" font-family={quoteattr(FONTS)}>'
    )
    told = f'<title id="title">Map of the literature</title>\n<desc id="desc">{_text(description)}</desc>'
    under = f'<image width="{width}" height="{height}" href="{ground}"/>'
    return "\n".join((begin, told, under, *map(_element, items), "</svg>", ""))


@singledispatch
def _element(item: Item) -> str:
    raise TypeError(f"a picture is made of {NAMES}, which can be written as SVG, got {type(item).__name__}")


@_element.register
def _(veil: Veil) -> str:
    file = io.BytesIO()
    Image.fromarray(veil.rgba).save(file, format="PNG", optimize=True)
    source = "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
    place = f'x="{_n(veil.left)}" y="{_n(veil.top)}" width="{_n(veil.width)}" height="{_n(veil.height)}"'
    return f'<image {place} preserveAspectRatio="none" href="{source}">{_title(veil.title)}</image>'


@_element.register
def _(stroke: Stroke) -> str:
    dashes = f' stroke-dasharray="{" ".join(map(_n, stroke.dashes))}"' if stroke.dashes else ""
    line = (
        f'<path d="{_path(stroke.points, stroke.is_closed)}" fill="none" stroke="{stroke.colour}"'
        f' stroke-width="{_n(stroke.width)}"{dashes} stroke-linejoin="round">{_title(stroke.title)}</path>'
    )
    if not stroke.has_arrow:
        return line
    head = _path(np.array(arrow(stroke.points, ARROW_PIXELS)), is_closed=True)
    return f'{line}<path d="{head}" fill="{stroke.colour}"/>'


@_element.register
def _(spot: Spot) -> str:
    x, y, r = spot.x, spot.y, spot.radius
    edge = f' stroke="{spot.edge}"' if spot.edge else ""
    look = f'fill="{spot.colour}" fill-opacity="{_n(spot.opacity)}"{edge}'
    if spot.is_diamond:
        corners = np.array([(x, y - r), (x + r, y), (x, y + r), (x - r, y)])
        return f'<path d="{_path(corners, is_closed=True)}" {look}>{_title(spot.title)}</path>'
    return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}" {look}>{_title(spot.title)}</circle>'


@_element.register
def _(box: Box) -> str:
    place = f'x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(box.width)}" height="{_n(box.height)}"'
    return f'<rect {place} fill="{box.colour}" fill-opacity="{_n(box.opacity)}"/>'


@_element.register
def _(words: Words) -> str:
    anchor = ' text-anchor="middle"' if words.is_centred else ""
    halo = f' stroke="{words.halo}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"' if words.halo else ""
    place = f'x="{_n(words.x)}" y="{_n(words.y)}" dominant-baseline="central" font-size="{_n(words.size)}"'
    return f'<text {place} fill="{words.colour}"{anchor}{halo}>{_text(words.text)}</text>'


def _path(points: Floats, is_closed: bool) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points.tolist()) + ("Z" if is_closed else "")


def _title(text: str) -> str:
    return f"<title>{_text(text)}</title>" if text else ""


def _text(text: str) -> str:
    return escape("".join(c for c in without_control_characters(text) if c not in NOT_IN_XML))


def _n(number: float) -> str:
    """A number in as few characters as a tenth of a pixel takes."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
