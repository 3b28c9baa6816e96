"""Draws a scene as a matplotlib figure, the same for every kind of picture file.

Import this module only when a picture is drawn: matplotlib takes more than a second to load. One point of the figure is
one pixel, so font sizes and line widths are also in pixels.
"""

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.patches import Patch, Polygon
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Bbox
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageFilter

from pathfinder.landscape.data.landscape import N_TILE_ZOOMS, TILE_PIXELS, Atlas, Label
from pathfinder.landscape.data.layer import Dash, Heatmap, Layer, Mark
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.drawing.legend import NOTE, LegendEntry, Sign, dot_entry, legend_of
from pathfinder.landscape.drawing.palettes import COLOURS, SHADE, Colours, assign_colours, paint
from pathfinder.landscape.drawing.scene import Dot, Scene
from pathfinder.landscape.drawing.terrain import FLAT, square_around
from pathfinder.landscape.drawing.viewport import MIN_PIXELS, Viewport, fit_viewport, rows_in_view, text_pixels
from pathfinder.landscape.picture_files.figure_text import add_halo, add_tooltip, printable, wrap
from pathfinder.types import Rows

POINTS_PER_INCH = 72
MIN_OPACITY, MAX_OPACITY = 60, 200
"""Opacity, out of 255, of a heatmap just above the value 0 and at the value 1."""
POINTS_FROM_ZOOM = 2.0
"""Minimum zoom level at which individual papers are drawn even if no years are chosen."""
MAX_POINTS = 3000
"""Maximum number of papers drawn as points at once; more would hide the ground, which shows the density better."""
POINT_RADIUS, DOT_RADIUS, MARK_RADIUS = 1.6, 9.0, 5.0
POINT_GROWTH = 0.3
"""Number of pixels by which the radius of a point grows with each zoom level."""
ARROW_PIXELS = 10.0
NAME_GAP = 3.0
"""Free space around a name, in pixels."""
PlacedItem = TypeVar("PlacedItem", Mark, Dot)

GROUND, HEATMAPS, LINES, POINTS, REGION, MARKS, NAMES, DOTS, LEGEND = range(-1, 8)
"""Drawing order, bottom first."""
_CENTRED_TEXT: dict[str, Any] = {"horizontalalignment": "center", "verticalalignment": "center_baseline"}


def draw_figure(scene: Scene, map_data: MapData, width: int, height: int) -> tuple[Figure, Viewport]:
    """Draw all of `scene` and its legend at a size of `width` by `height` pixels; return the figure with the viewport
    of its map.

    Raises `UsageError` for a width or height out of bounds.
    """
    scene = replace(scene, layers=assign_colours(scene.layers, scene.ground, scene.palette))
    colours = COLOURS[scene.ground, scene.palette]
    viewport = fit_viewport(map_data.extent, scene.view, width, height)
    inches = (width / POINTS_PER_INCH, height / POINTS_PER_INCH)
    figure = Figure(figsize=inches, dpi=POINTS_PER_INCH, facecolor=colours.halo)
    FigureCanvasAgg(figure)
    legend = draw_legend(figure, scene, len(map_data.coordinates), colours, width)
    legend.set_zorder(LEGEND)
    if width < NARROW:
        viewport = replace(viewport, height=max(height - round(legend.get_window_extent().height), MIN_PIXELS))
    share = viewport.height / height
    axes = figure.add_axes((0.0, 1.0 - share, 1.0, share))
    axes.set_axis_off()
    axes.autoscale(False)
    visible = viewport.visible
    axes.set_xlim(visible.left, visible.right)
    axes.set_ylim(visible.bottom, visible.top)
    figure.figimage(
        ground(map_data.atlas, viewport, colours), 0, height - viewport.height, origin="upper", zorder=GROUND
    )
    _draw_layers(axes, scene.layers)
    _draw_points(axes, scene, map_data, viewport, colours.point)
    if scene.region is not None:
        outline = Polygon(scene.region.corners, fill=False, edgecolor=colours.chosen, linewidth=2.5, zorder=REGION)
        add_tooltip(outline, "chosen region")
        axes.add_patch(outline)
    marks = _in_view(viewport, [mark for layer in scene.layers for mark in layer.marks])
    texts = [text for mark in marks if (text := _draw_mark(axes, mark, colours))]
    # Drawn in reverse order, so that where dots overlap, the better-ranked paper is on top.
    dots = _in_view(viewport, sorted(scene.dots, key=lambda dot: -(dot.rank or 0)))
    for dot in dots:
        entry = dot_entry(dot, colours)
        ink = _ink_on(entry.colour)
        (artist,) = axes.plot(
            dot.x, dot.y, MARKERS[entry.sign], zorder=DOTS,
            markerfacecolor=entry.colour, markeredgecolor=ink, markersize=2 * DOT_RADIUS,
        )  # fmt: skip
        add_tooltip(artist, dot.title if dot.year is None else f"{dot.title} ({dot.year})")
        if dot.rank is not None:
            axes.text(dot.x, dot.y, str(dot.rank), fontsize=11.0, color=ink, zorder=DOTS, clip_on=True, **_CENTRED_TEXT)
    if scene.shows_labels:
        # A name may cover marks, of which there can be hundreds, but neither a mark's text nor a paper found.
        places = axes.transData.transform(np.array([(dot.x, dot.y) for dot in dots]).reshape(-1, 2))
        occupied_boxes = [
            legend.get_window_extent(),
            *(text.get_window_extent() for text in texts),
            *[Bbox([place - DOT_RADIUS, place + DOT_RADIUS]) for place in places],
        ]
        _draw_names(axes, map_data.atlas.labels, viewport.label_zoom, colours, occupied_boxes)
    return figure, viewport


def _in_view(viewport: Viewport, items: Sequence[PlacedItem]) -> list[PlacedItem]:
    places = np.array([(item.x, item.y) for item in items]).reshape(-1, 2)
    return [item for item, is_seen in zip(items, viewport.contains(places), strict=True) if is_seen]


def _draw_layers(axes: Axes, layers: Sequence[Layer]) -> None:
    for layer in layers:
        for cells in layer.heatmaps:
            _draw_heatmap(axes, cells)
    for layer in layers:
        for line in layer.lines:
            style = line_style(line.dash)
            (artist,) = axes.plot(*line.points.T, color=line.colour, linewidth=2.0, linestyle=style, zorder=LINES)
            add_tooltip(artist, line.title)
            if line.is_path:
                head = MarkerStyle(">", transform=Affine2D().rotate(direction(line.points)))
                axes.plot(*line.points[-1:].T, color=line.colour, marker=head, markersize=ARROW_PIXELS, zorder=LINES)


def _draw_heatmap(axes: Axes, heatmap: Heatmap) -> None:
    extent, values = heatmap.grid.extent, np.nan_to_num(heatmap.values, nan=0.0)
    rgba = np.empty((*values.shape, 4), dtype=np.uint8)
    rgba[..., :3] = ImageColor.getrgb(heatmap.colour)
    rgba[..., 3] = np.where(values > 0, np.round(MIN_OPACITY + (MAX_OPACITY - MIN_OPACITY) * values), 0)
    if not rgba[..., 3].any():
        return
    sides = (extent.left, extent.right, extent.bottom, extent.top)
    image = axes.imshow(rgba, extent=sides, aspect="auto", interpolation="bicubic", zorder=HEATMAPS)
    add_tooltip(image, heatmap.title)


def direction(points: NDArray[np.floating[Any]]) -> float:
    """Compute the direction in which a path ends, in radians anticlockwise from the right; 0 if all its points
    coincide.
    """
    ways = points[-1] - points
    lengths = np.hypot(*ways.T)
    if not lengths.any():
        return 0.0
    x, y = ways[np.flatnonzero(lengths)[-1]]
    return float(np.arctan2(y, x))


def _draw_points(axes: Axes, scene: Scene, map_data: MapData, viewport: Viewport, colour: str) -> None:
    if scene.years is None and viewport.view.zoom < POINTS_FROM_ZOOM:
        return
    rows = _sample(rows_in_view(map_data, viewport, scene.years))
    diameter = 2 * (POINT_RADIUS + POINT_GROWTH * viewport.view.zoom)
    x, y = map_data.coordinates[rows].T
    axes.scatter(x, y, s=diameter**2, color=colour, alpha=0.6, linewidths=0, gid="points", zorder=POINTS)


def _sample(rows: Rows) -> Rows:
    """Take at most `MAX_POINTS` of `rows`, evenly spaced; the selection is always the same."""
    if len(rows) <= MAX_POINTS:
        return rows
    return rows[np.linspace(0, len(rows) - 1, MAX_POINTS).astype(np.int64)]


def _draw_mark(axes: Axes, mark: Mark, colours: Colours) -> Text | None:
    """Draw a mark, with its label next to it if it has one."""
    look: dict[str, Any] = {
        "color": mark.colour,
        "markeredgecolor": colours.halo,
        "markersize": 2 * MARK_RADIUS,
        "zorder": MARKS,
    }
    (artist,) = axes.plot(mark.x, mark.y, "^", **look)
    add_tooltip(artist, mark.text)
    if not mark.label:
        return None
    text = axes.annotate(
        printable(mark.label), (mark.x, mark.y), (MARK_RADIUS + 4, 0), textcoords="offset points", fontsize=12.0,
        color=colours.ink, verticalalignment="center_baseline", zorder=MARKS, clip_on=True, annotation_clip=False,
    )  # fmt: skip
    add_halo(text, colours.halo)
    return text


def _ink_on(colour: str) -> str:
    """Choose white or black, whichever is more legible on `colour`."""
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 150 else "#ffffff"


def _draw_names(axes: Axes, labels: Sequence[Label], zoom: float, colours: Colours, occupied_boxes: list[Bbox]) -> None:
    """Draw the names in view, each of them complete and clear of all other names and of `occupied_boxes`.

    Continents come before countries, and countries before towns; within a level, the largest come first.
    """
    for label in sorted(labels, key=lambda label: (label.level, -label.n_papers, label.text)):
        if label.min_zoom > zoom:
            continue
        plate = {"facecolor": colours.halo, "alpha": colours.plate, "edgecolor": "none", "pad": NAME_GAP}
        text = axes.text(
            label.x, label.y, printable(label.text), fontsize=text_pixels(label.level, zoom), color=colours.ink,
            zorder=NAMES, bbox=plate if colours.plate else None, **_CENTRED_TEXT,
        )  # fmt: skip
        add_halo(text, colours.halo)
        box = text.get_window_extent().padded(NAME_GAP, 1.0)
        if is_within(box, axes.bbox) and not any(box.fully_overlaps(other) for other in occupied_boxes):
            occupied_boxes.append(box)
        else:
            text.remove()


def is_within(box: Bbox, other: Bbox) -> bool:
    """True if `box` lies entirely within `other`."""
    return bool(np.all(box.min >= other.min) and np.all(box.max <= other.max))


# Draws the legend of a picture file in the lower left corner of the map, or below the map if the picture is narrow.

SIZE, SMALL_SIZE = 13.0, 11.0
"""Font sizes in pixels."""
NARROW = 700
"""Pictures narrower than this, in pixels, have their legend below the map, in the smaller font."""
PADDING, SAMPLE_WIDTH, SAMPLE_GAP, MAX_WIDTH = 10.0, 16.0, 8.0, 380.0
OPACITY = 0.88
MARKERS = {Sign.MARK: "^", Sign.OUTLIER: "D", Sign.DOT: "o", Sign.LIVE: "s"}


def draw_legend(figure: Figure, scene: Scene, n_papers: int, colours: Colours, width: int) -> Legend:
    """Add the scene's legend, the number of papers and the note about distances, laid out for the picture's width."""
    is_narrow = width < NARROW
    size = SMALL_SIZE if is_narrow else SIZE
    widest = (width if is_narrow else min(MAX_WIDTH, 0.6 * width)) - 2 * PADDING - SAMPLE_WIDTH - SAMPLE_GAP
    entries = legend_of(scene)
    texts = [*(entry.text for entry in entries), f"{n_papers:,} papers", NOTE]
    return figure.legend(
        [*(_legend_sample(entry, colours) for entry in entries), _nothing(), _nothing()],
        ["\n".join(wrap(printable(text), size, widest)) for text in texts],
        loc="lower left",
        fontsize=size,
        labelcolor=colours.ink,
        facecolor=colours.halo,
        framealpha=OPACITY,
        edgecolor="none",
        fancybox=False,
        # Lengths are in units of the font size.
        borderaxespad=0.0 if is_narrow else PADDING / size,
        borderpad=PADDING / size,
        labelspacing=0.3,
        handlelength=SAMPLE_WIDTH / size,
        handletextpad=SAMPLE_GAP / size,
    )


def _legend_sample(entry: LegendEntry, colours: Colours) -> Artist:
    if entry.sign in {Sign.GROUND, Sign.HEATMAP}:
        # The edge keeps a colour visible even if it resembles the legend's own background.
        return Patch(facecolor=to_rgba(entry.colour, entry.strength), edgecolor=to_rgba(colours.ink, 0.5), linewidth=1)
    if entry.sign in MARKERS:
        look: dict[str, Any] = {"markerfacecolor": entry.colour, "markeredgecolor": colours.ink, "markersize": 10.0}
        return Line2D([], [], linestyle="none", marker=MARKERS[entry.sign], markeredgewidth=1.0, **look)
    marker = ">" if entry.sign is Sign.PATH else "none"
    line = Line2D([], [], color=entry.colour, linewidth=2.5, marker=marker)
    line.set_linestyle(line_style(entry.dash))
    return line


def line_style(dash: Dash) -> Any:
    """Translate `dash` into a matplotlib line style."""
    return (0, dash.pixels) if dash.pixels else "solid"


def _nothing() -> Artist:
    return Line2D([], [], linestyle="none")


# Paints the ground of a picture by joining, enlarging and colouring the tiles in view.

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
    # Find the lowest zoom at which a tile pixel is no larger than a picture pixel, or else the highest zoom.
    exact_zoom = np.log2(viewport.pixels_per_unit * (square.right - square.left) / TILE_PIXELS)
    zoom = int(np.clip(np.ceil(exact_zoom), 0, N_TILE_ZOOMS - 1))
    per_unit = TILE_PIXELS * 2**zoom / (square.right - square.left)
    visible = viewport.visible
    # Edges of the viewport, in pixels of the whole square at this zoom; a pixel's centre is half a pixel from its edge.
    left, top = (visible.left - square.left) * per_unit, (square.top - visible.top) * per_unit
    right, bottom = (visible.right - square.left) * per_unit, (square.top - visible.bottom) * per_unit
    first = (_tile_at(left, zoom), _tile_at(top, zoom))
    last = (_tile_at(right, zoom), _tile_at(bottom, zoom))
    # Join the tiles from `first` to `last`, each given as (column, row), into one picture.
    columns, lines = last[0] - first[0] + 1, last[1] - first[1] + 1
    mosaic = Image.new("RGB", (columns * TILE_PIXELS, lines * TILE_PIXELS))
    for column in range(columns):
        for line in range(lines):
            with Image.open(io.BytesIO(atlas.tile(zoom, first[0] + column, first[1] + line))) as tile:
                mosaic.paste(tile.convert("RGB"), (column * TILE_PIXELS, line * TILE_PIXELS))
    origin = np.array(first) * TILE_PIXELS
    box = (left - origin[0], top - origin[1], right - origin[0], bottom - origin[1])
    return _crop(mosaic, box, (viewport.width, viewport.height))


def _tile_at(pixel: float, zoom: int) -> int:
    return int(np.clip(np.floor(pixel / TILE_PIXELS), 0, 2**zoom - 1))


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
