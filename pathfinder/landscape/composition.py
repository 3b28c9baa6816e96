"""A scene laid out over a frame: what is drawn on the ground, in the order in which it is drawn."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from PIL import ImageColor

from pathfinder.landscape.chart import Chart
from pathfinder.landscape.frame import MIN_PIXELS, Frame, frame_of
from pathfinder.landscape.items import Item, Spot, Stroke, Veil, Words
from pathfinder.landscape.layer import Cells, Layer
from pathfinder.landscape.legend_box import NARROW, PADDING, legend_box, legend_items
from pathfinder.landscape.lettering import drawable
from pathfinder.landscape.names_drawn import names
from pathfinder.landscape.palettes import COLOURS, Colours
from pathfinder.landscape.recolouring import told_apart
from pathfinder.landscape.scene import Scene

VEIL_LEAST, VEIL_MOST = 60, 200
"""Opacity of a veil where its value is just above 0, and where it is 1, of 255."""
POINTS_FROM_ZOOM = 2.0
"""From here on single papers are drawn, without being asked for by their years."""
POINT_RADIUS, DOT_RADIUS, MARK_RADIUS = 1.6, 9.0, 5.0
POINT_GROWTH = 0.3
"""Pixels by which a point is larger with every zoom."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A picture laid out."""

    frame: Frame
    """The map: the upper part of the picture, or the whole of it."""
    items: tuple[Item, ...]
    """What is drawn over the ground, what lies lowest first."""
    width: int
    height: int
    margin: str
    """The colour of what is not map."""


def compose(scene: Scene, chart: Chart, width: int, height: int) -> Sheet:
    """Veils, lines, papers, names, marks, hits and the legend. Raises `UsageError` for a size that no picture has."""
    scene = replace(scene, layers=told_apart(scene.layers, scene.ground, scene.palette))
    colours = COLOURS[scene.ground, scene.palette]
    legend = legend_box(scene, chart, width)
    frame = frame_of(chart.extent, scene.view, width, height)
    if width < NARROW:
        frame = replace(frame, height=max(height - round(legend.height), MIN_PIXELS))
        key = legend_items(legend, colours, 0, height - legend.height)
    else:
        key = legend_items(legend, colours, PADDING, height - PADDING - legend.height)
    items = (*_on_the_map(scene, chart, frame, key), *key)
    return Sheet(frame, items, width, height, colours.halo)


def _on_the_map(scene: Scene, chart: Chart, frame: Frame, key: list[Item]) -> list[Item]:
    colours = COLOURS[scene.ground, scene.palette]
    marks, dots = list(_marks(scene, frame, colours)), list(_dots(scene, frame, colours))
    # A name may lie on marks, of which there can be hundreds, but not on what is written beside one, nor on a hit.
    taken = [*(item for item in marks if isinstance(item, Words)), *dots, *key]
    return [
        *_veils(scene.layers, frame),
        *_lines(scene.layers, frame),
        *_points(scene, chart, frame, colours),
        *_region(scene, frame, colours),
        *marks,
        *(names(chart, frame, colours, taken) if scene.shows_labels else ()),
        *dots,
    ]


def _veils(layers: tuple[Layer, ...], frame: Frame) -> Iterator[Item]:
    for layer in layers:
        for cells in layer.cells:
            yield _veil(cells, frame)


def _veil(cells: Cells, frame: Frame) -> Veil:
    extent = cells.grid.extent
    corners = np.array([[extent.left, extent.top], [extent.right, extent.bottom]])
    (left, top), (right, bottom) = frame.pixels(corners).tolist()
    values = np.nan_to_num(cells.values, nan=0.0)
    rgba = np.empty((*values.shape, 4), dtype=np.uint8)
    rgba[..., :3] = ImageColor.getrgb(cells.colour)
    rgba[..., 3] = np.where(values > 0, np.round(VEIL_LEAST + (VEIL_MOST - VEIL_LEAST) * values), 0)
    return Veil(left, top, right - left, bottom - top, rgba, drawable(cells.title))


def _lines(layers: tuple[Layer, ...], frame: Frame) -> Iterator[Item]:
    for layer in layers:
        for line in layer.lines:
            points, dashes = frame.pixels(line.points), line.dash.pixels
            yield Stroke(points, line.colour, 2.0, drawable(line.title), has_arrow=line.is_path, dashes=dashes)


def _points(scene: Scene, chart: Chart, frame: Frame, colours: Colours) -> Iterator[Item]:
    if scene.years is None and frame.view.zoom < POINTS_FROM_ZOOM:
        return
    rows = chart.sampled(chart.in_sight(frame, scene.years))
    radius = POINT_RADIUS + POINT_GROWTH * frame.view.zoom
    for x, y in frame.pixels(chart.coordinates[rows]).tolist():
        yield Spot(x, y, radius, colours.point, edge="", opacity=0.6)


def _region(scene: Scene, frame: Frame, colours: Colours) -> Iterator[Item]:
    if scene.region is not None:
        corners = frame.pixels(np.array(scene.region.corners))
        yield Stroke(corners, colours.chosen, 2.5, "chosen region", is_closed=True)


def _marks(scene: Scene, frame: Frame, colours: Colours) -> Iterator[Item]:
    for mark in (mark for layer in scene.layers for mark in layer.marks):
        place = np.array([[mark.x, mark.y]])
        if not frame.holds(place)[0]:
            continue
        ((x, y),) = frame.pixels(place).tolist()
        yield Spot(x, y, MARK_RADIUS, mark.colour, edge=colours.halo, title=drawable(mark.text), is_diamond=True)
        if mark.label:
            yield Words(x + MARK_RADIUS + 4, y, drawable(mark.label), 12, colours.ink, colours.halo, is_centred=False)


def _dots(scene: Scene, frame: Frame, colours: Colours) -> Iterator[Item]:
    # The last first: where dots overlap, the better paper lies on top.
    for dot in sorted(scene.dots, key=lambda dot: -(dot.rank or 0)):
        place = np.array([[dot.x, dot.y]])
        if not frame.holds(place)[0]:
            continue
        ((x, y),) = frame.pixels(place).tolist()
        colour = colours.outlier if dot.outlier else colours.dot
        year = "" if dot.year is None else f" ({dot.year})"
        title = drawable(f"{dot.title}{year}")
        yield Spot(x, y, DOT_RADIUS, colour, edge=_against(colour), title=title, is_diamond=bool(dot.outlier))
        if dot.rank is not None:
            yield Words(x, y, str(dot.rank), 11, _against(colour))


def _against(colour: str) -> str:
    """White or black, whichever can be read on `colour`."""
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 150 else "#ffffff"
