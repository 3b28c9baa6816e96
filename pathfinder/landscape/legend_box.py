"""The legend of a picture: in its lower left corner, or under it where the picture is narrow."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pathfinder.landscape.chart import Chart
from pathfinder.landscape.items import Box, Item, Spot, Stroke, Words
from pathfinder.landscape.legend import NOTE, Entry, Sign, legend_of
from pathfinder.landscape.lettering import LINE_HEIGHT, drawable, text_width, wrapped
from pathfinder.landscape.palettes import Colours
from pathfinder.landscape.scene import Scene

SIZE, SMALL_SIZE = 13.0, 11.0
"""Of the font in pixels."""
NARROW = 700
"""Pictures of less than so many pixels have their legend under the map, in the smaller font."""
PADDING, SIGN_WIDTH, WIDEST = 10.0, 24.0, 380.0
OPACITY = 0.88
"""Of the legend's ground, where it lies on the map."""


@dataclass(frozen=True, slots=True)
class LegendBox:
    """A legend laid out, not yet placed."""

    lines: tuple[tuple[Entry | None, str, bool], ...]
    """The entry that begins on a line, its text, and whether it is set in under a sign."""
    size: float
    width: float
    height: float


def legend_box(scene: Scene, chart: Chart, width: int) -> LegendBox:
    """The legend of a picture of that width: a sign and a line or more for each entry, then how many papers there are,
    and what near means.
    """
    size = SMALL_SIZE if width < NARROW else SIZE
    widest = (width if width < NARROW else min(WIDEST, 0.6 * width)) - 2 * PADDING
    lines: list[tuple[Entry | None, str, bool]] = []
    for entry in legend_of(scene):
        first, *more = wrapped(drawable(entry.text), size, widest - SIGN_WIDTH)
        lines += [(entry, first, True), *((None, text, True) for text in more)]
    for told in (f"{len(chart.coordinates):,} papers", NOTE):
        lines += [(None, text, False) for text in wrapped(told, size, widest)]
    longest = max(text_width(text, size) + SIGN_WIDTH * is_set_in for _, text, is_set_in in lines)
    height = len(lines) * size * LINE_HEIGHT + 2 * PADDING
    return LegendBox(tuple(lines), size, longest + 2 * PADDING, height)


def legend_items(legend: LegendBox, colours: Colours, left: float, top: float) -> list[Item]:
    """The legend with its upper left corner at a place of the picture."""
    items: list[Item] = [Box(left, top, legend.width, legend.height, colours.halo, OPACITY)]
    step = legend.size * LINE_HEIGHT
    for place, (entry, text, is_set_in) in enumerate(legend.lines):
        x, y = left + PADDING, top + PADDING + (place + 0.5) * step
        if entry is not None:
            items += _sign(entry, x + 7, y, colours)
        items.append(Words(x + SIGN_WIDTH * is_set_in, y, text, legend.size, colours.ink, is_centred=False))
    return items


def _sign(entry: Entry, x: float, y: float, colours: Colours) -> Iterator[Item]:
    if entry.sign in {Sign.GROUND, Sign.VEIL}:
        # A colour like the legend's own ground is seen by its edge.
        yield Box(x - 7, y - 5, 14, 10, colours.ink, 0.5)
        yield Box(x - 6, y - 4, 12, 8, colours.halo)
        yield Box(x - 6, y - 4, 12, 8, entry.colour, entry.strength)
    elif entry.sign in {Sign.LINE, Sign.PATH, Sign.REGION}:
        ends = np.array([[x - 7, y], [x + 7, y]])
        yield Stroke(ends, entry.colour, 2.5, has_arrow=entry.sign is Sign.PATH, dashes=entry.dash.pixels)
    else:
        is_diamond = entry.sign in {Sign.MARK, Sign.OUTLIER}
        yield Spot(x, y, 5, entry.colour, edge=colours.ink, is_diamond=is_diamond)
