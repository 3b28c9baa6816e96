"""Lays out the names on the map: determines the size of each and the lowest zoom at which it is drawn, so that no two
overlap.

The width of a letter is taken to be `LETTER_WIDTH` times the font size, which common sans-serif fonts do not exceed,
and the box of a name has a margin. Zooms refer to a map whose square is `MAP_PIXELS` wide at zoom 0; for a map of
another width, use `effective_zoom`. Names grow more slowly than the map beneath them, so two names that are apart at
one zoom stay apart at every higher one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import log2
from types import MappingProxyType

from pathfinder.landscape.data.atlas import Label
from pathfinder.landscape.density.density import Extent

MAP_PIXELS = 1000
PIXELS: Mapping[int, float] = MappingProxyType({1: 19.0, 2: 14.5, 3: 12.0})
"""Font size of a name by level, at zoom 0 of a map that is `MAP_PIXELS` wide."""
GROWTH, SMALLEST, LARGEST = 1.09, 0.85, 1.5
"""Factor by which a name grows with each zoom level, and the limits on its total growth."""
LETTER_WIDTH, LINE_HEIGHT, MARGIN_PIXELS = 0.62, 1.25, 4.0
FIRST_ZOOM: Mapping[int, float] = MappingProxyType({1: -2.0, 2: 0.5, 3: 1.75})
"""Lowest zoom at which the names of a level are drawn. A negative zoom means a map narrower than `MAP_PIXELS`: -1.4 on
a phone.
"""
LAST_ZOOM = 6.0
"""A name that could only be drawn beyond this zoom is left out."""
ZOOM_STEP = 0.25


def effective_zoom(square_pixels: float) -> float:
    """Compute the zoom to compare with a label's `min_zoom`, for a map whose whole square is `square_pixels` wide."""
    return log2(square_pixels / MAP_PIXELS)


def text_pixels(level: int, zoom: float) -> float:
    """Compute the font size of a name at an effective zoom."""
    growth: float = GROWTH**zoom
    return PIXELS[level] * min(max(growth, SMALLEST), LARGEST)


def lettering_record() -> dict[str, object]:
    """List the constants of `text_pixels` and `effective_zoom` as plain data for the canvas."""
    return {
        "pixels": {str(level): pixels for level, pixels in PIXELS.items()},
        "growth": GROWTH,
        "smallest": SMALLEST,
        "largest": LARGEST,
        "map_pixels": MAP_PIXELS,
    }


def box_pixels(text: str, level: int, zoom: float) -> tuple[float, float]:
    """Compute the width and height that a name takes up, including its margin."""
    size = text_pixels(level, zoom)
    return LETTER_WIDTH * size * len(text) + 2 * MARGIN_PIXELS, LINE_HEIGHT * size + MARGIN_PIXELS


def overlap(label: Label, other: Label, zoom: float, square: Extent) -> bool:
    """True if two names overlap at an effective zoom."""
    scale = MAP_PIXELS * 2**zoom / (square.right - square.left)
    (w, h), (v, g) = box_pixels(label.text, label.level, zoom), box_pixels(other.text, other.level, zoom)
    return abs(label.x - other.x) * scale < (w + v) / 2 and abs(label.y - other.y) * scale < (h + g) / 2


def place_labels(labels: Iterable[Label], square: Extent) -> tuple[Label, ...]:
    """Give each label the lowest zoom at which it overlaps none of the earlier ones; leave out labels without such a
    zoom.

    `labels` are sorted by rank: the first is drawn first.
    """
    placed_labels: list[Label] = []
    for label in labels:
        zoom = _first_free(label, placed_labels, square)
        if zoom is not None:
            placed_labels.append(replace(label, min_zoom=zoom))
    return tuple(placed_labels)


def _first_free(label: Label, placed_labels: Sequence[Label], square: Extent) -> float | None:
    zoom = FIRST_ZOOM[label.level]
    for other in placed_labels:
        free = max(zoom, other.min_zoom)
        if not overlap(label, other, free, square):
            continue  # They do not overlap at any zoom where both are drawn.
        while overlap(label, other, free, square):
            free += ZOOM_STEP
            if free > LAST_ZOOM:
                return None
        zoom = free
    return zoom
