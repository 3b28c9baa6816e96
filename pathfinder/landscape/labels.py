"""Names on the map: how large each is drawn, and from which zoom on, so that no two lie over each other.

A name is as wide as `LETTER_WIDTH` of its size for each letter, which common sans-serif fonts stay below, and its
box has a margin. Zooms are those of a map whose square is `MAP_PIXELS` wide at zoom 0; on a map of another width,
the zoom to look up is `effective_zoom`. Names grow more slowly than the map under them, so that two that are apart
at one zoom are apart at every larger one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import log2
from types import MappingProxyType

from pathfinder.landscape.atlas import Label
from pathfinder.landscape.density import Extent

MAP_PIXELS = 1000
PIXELS: Mapping[int, float] = MappingProxyType({1: 19.0, 2: 14.5, 3: 12.0})
"""Size of a name by level at zoom 0 of a map that is `MAP_PIXELS` wide."""
GROWTH, SMALLEST, LARGEST = 1.09, 0.85, 1.5
"""A name is this many times as large at each further zoom, within these bounds."""
LETTER_WIDTH, LINE_HEIGHT, MARGIN_PIXELS = 0.62, 1.25, 4.0
FIRST_ZOOM: Mapping[int, float] = MappingProxyType({1: -2.0, 2: 0.5, 3: 1.75})
"""Before it no name of a level is drawn. Below 0 are maps narrower than `MAP_PIXELS`: a telephone's is at -1.4."""
LAST_ZOOM = 6.0
"""A name that would have to wait longer is left out."""
ZOOM_STEP = 0.25


def effective_zoom(square_pixels: float) -> float:
    """The zoom to compare `min_zoom` with, where the whole square of the map is that many pixels wide."""
    return log2(square_pixels / MAP_PIXELS)


def text_pixels(level: int, zoom: float) -> float:
    """Size of a name at an effective zoom."""
    growth: float = GROWTH**zoom
    return PIXELS[level] * min(max(growth, SMALLEST), LARGEST)


def lettering_record() -> dict[str, object]:
    """What `text_pixels` and `effective_zoom` reckon with, as plain data for the canvas."""
    return {
        "pixels": {str(level): pixels for level, pixels in PIXELS.items()},
        "growth": GROWTH,
        "smallest": SMALLEST,
        "largest": LARGEST,
        "map_pixels": MAP_PIXELS,
    }


def box_pixels(text: str, level: int, zoom: float) -> tuple[float, float]:
    """Width and height that a name takes, with its margin."""
    size = text_pixels(level, zoom)
    return LETTER_WIDTH * size * len(text) + 2 * MARGIN_PIXELS, LINE_HEIGHT * size + MARGIN_PIXELS


def overlap(one: Label, other: Label, zoom: float, square: Extent) -> bool:
    """Whether two names would lie over each other at an effective zoom."""
    scale = MAP_PIXELS * 2**zoom / (square.right - square.left)
    (w, h), (v, g) = box_pixels(one.text, one.level, zoom), box_pixels(other.text, other.level, zoom)
    return abs(one.x - other.x) * scale < (w + v) / 2 and abs(one.y - other.y) * scale < (h + g) / 2


def place_labels(named: Iterable[Label], square: Extent) -> tuple[Label, ...]:
    """Give each of `named` the first zoom from which on it meets none that came before it; leave out who finds none.

    They come in the order of their rank: who comes first is drawn first.
    """
    placed: list[Label] = []
    for label in named:
        zoom = _first_free(label, placed, square)
        if zoom is not None:
            placed.append(replace(label, min_zoom=zoom))
    return tuple(placed)


def _first_free(label: Label, placed: Sequence[Label], square: Extent) -> float | None:
    zoom = FIRST_ZOOM[label.level]
    for other in placed:
        free = max(zoom, other.min_zoom)
        if not overlap(label, other, free, square):
            continue  # Apart wherever both are drawn.
        while overlap(label, other, free, square):
            free += ZOOM_STEP
            if free > LAST_ZOOM:
                return None
        zoom = free
    return zoom
