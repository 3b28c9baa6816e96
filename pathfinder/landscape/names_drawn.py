"""Which names of the map a picture shows, and how large."""

from collections.abc import Iterable, Iterator

import numpy as np

from pathfinder.landscape.chart import Chart
from pathfinder.landscape.frame import Frame
from pathfinder.landscape.items import Box, Item, Spot, Words
from pathfinder.landscape.labels import effective_zoom, text_pixels
from pathfinder.landscape.lettering import drawable, text_width
from pathfinder.landscape.palettes import Colours

GAP = 3.0
"""Pixels between names."""

Rectangle = tuple[float, float, float, float]


def names(chart: Chart, frame: Frame, colours: Colours, taken: Iterable[Item] = ()) -> list[Item]:
    """The names in sight, each whole within the frame; none lies on another or on what is `taken`."""
    occupied = [around(item) for item in taken if isinstance(item, Spot | Box | Words)]
    items: list[Item] = []
    for words in _in_order(chart, frame, colours):
        place = around(words)
        if not _is_inside(place, frame) or any(overlap(place, other) for other in occupied):
            continue
        occupied.append(place)
        if colours.plate:
            left, top, right, bottom = place
            items.append(Box(left, top, right - left, bottom - top, colours.halo, colours.plate))
        items.append(words)
    return items


def _in_order(chart: Chart, frame: Frame, colours: Colours) -> Iterator[Words]:
    """Continents before countries before towns; of one level, the larger first."""
    zoom = label_zoom(frame)
    for label in sorted(chart.atlas.labels, key=lambda label: (label.level, -label.n_papers, label.text)):
        place = np.array([[label.x, label.y]])
        if label.min_zoom <= zoom and frame.holds(place)[0]:
            ((x, y),) = frame.pixels(place).tolist()
            size = text_pixels(label.level, zoom)
            yield Words(x, y, drawable(label.text), size, colours.ink, colours.halo)


def label_zoom(frame: Frame) -> float:
    """The zoom that `Label.min_zoom` is compared with: below 0 in a frame that shows the map smaller."""
    extent = frame.extent
    return effective_zoom(frame.pixels_per_unit * max(extent.right - extent.left, extent.top - extent.bottom))


def around(item: Spot | Box | Words) -> Rectangle:
    """Left, top, right and bottom of what is drawn, with a small margin around words."""
    if isinstance(item, Spot):
        return item.x - item.radius, item.y - item.radius, item.x + item.radius, item.y + item.radius
    if isinstance(item, Box):
        return item.x, item.y, item.x + item.width, item.y + item.height
    width, half = text_width(item.text, item.size), item.size * 0.6
    left = item.x - width / 2 if item.is_centred else item.x
    return left - GAP, item.y - half - 1, left + width + GAP, item.y + half + 1


def overlap(one: Rectangle, other: Rectangle) -> bool:
    """Whether two rectangles share more than an edge."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _is_inside(place: Rectangle, frame: Frame) -> bool:
    return place[0] >= 0 and place[1] >= 0 and place[2] <= frame.width and place[3] <= frame.height
