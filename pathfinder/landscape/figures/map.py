"""The map as a figure: the density of the corpus, and the papers found."""

import base64
import html
import textwrap
from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from io import BytesIO
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go
from PIL import Image

from pathfinder.landscape.data.landscape import Landscape
from pathfinder.landscape.density import Extent
from pathfinder.landscape.drawing.legend import NOTE, LegendEntry, Sign, dot_entry
from pathfinder.landscape.drawing.palettes import COLOURS
from pathfinder.landscape.drawing.scene import Dot, Ground, Palette
from pathfinder.landscape.figures.plotting import PLOT_CONFIG, load_pandas
from pathfinder.text.english import counted

_NIGHT = COLOURS[Ground.DENSITY, Palette.STANDARD]
VEIL = "rgba(13, 21, 36, 0.7)"
"""Colour of the night background behind the note, which keeps it legible where the map is bright."""
HOVER_COLUMNS = 48
APART = 23
"""Distance in pixels of two dots that do not overlap, on a map that is as small as on a phone."""
_PHONE, _PUSHES = (350, 280), 100
_Place = tuple[float, float]
CLOSE_UP_MARGIN = 0.35
"""Margin around the papers found, as a share of the longer side of the area that they cover."""
SYMBOLS = {Sign.DOT: ("circle", 20), Sign.OUTLIER: ("diamond", 24), Sign.LIVE: ("square", 18)}
"""Shape, and size in pixels, of the dot for each sign."""

RING, WIDE_RING = 1.5, 5.0
"""Width in pixels of the ring around a dot, and of the ring around the dot of a selected paper."""

MAP_CONFIG: Final[dict[str, Any]] = PLOT_CONFIG | {
    "scrollZoom": True,
    "modeBarButtons": [["toImage", "zoomIn2d", "zoomOut2d", "resetScale2d"]],
}
"""Plotly's configuration for the figure: the mouse wheel zooms instead of scrolling the page."""

_BOTTOM_LEFT = {
    "xref": "paper",
    "yref": "paper",
    "x": 0,
    "y": 0,
    "xanchor": "left",
    "yanchor": "bottom",
    "align": "left",
    "showarrow": False,
}


def map_figure(landscape: Landscape, dots: Sequence[Dot], *, selected_rows: Collection[int] = ()) -> go.Figure:
    """Draw the density of the whole corpus, and the papers found as numbered dots whose hover text gives the title and
    year.

    The dots whose rows are in `selected_rows` have a wide ring. The figure opens on the papers that lie close together
    or, without papers, on the whole map; dots that would overlap there stand beside their places, each with a line to
    its own. Display it with `MAP_CONFIG`.
    """
    load_pandas()
    view = _close_up(dots, landscape.extent)
    dots = sorted(dots, key=lambda dot: -(dot.rank or 0))  # where dots overlap, the better paper is on top
    places = _apart(dots, view)
    by_entry: dict[LegendEntry, list[tuple[Dot, _Place]]] = {}
    for dot, place in zip(dots, places, strict=True):
        by_entry.setdefault(dot_entry(dot, _NIGHT), []).append((dot, place))
    moved = [(dot, place) for dot, place in zip(dots, places, strict=True) if place != (dot.x, dot.y)]
    traces = [_lines(moved)] if moved else []
    traces += [_trace(entry, placed, selected_rows) for entry, placed in by_entry.items()]
    # The reader's zoom is kept when a new result is drawn, until the reader switches between the two views.
    layout = _layout(view) | {"images": [_density(landscape)], "uirevision": "close-up" if dots else "whole"}
    # Plotly checks a figure in a third of the time if everything is given at once instead of piece by piece.
    return go.Figure(traces, layout)


def _apart(dots: Sequence[Dot], view: Extent) -> list[_Place]:
    """Return where the dots are drawn: those closer than `APART` are pushed apart until none overlap, or for at most
    `_PUSHES` times, and stay in `view` if they are in it.
    """
    if not dots:
        return []
    low, size = np.array([view.left, view.bottom]), np.array([view.right - view.left, view.top - view.bottom])
    scale = float((np.array(_PHONE) / size).min())
    own = (np.array([(dot.x, dot.y) for dot in dots]) - low) * scale
    edge = size * scale - APART / 2
    is_in = ((own >= APART / 2) & (own <= edge)).all(axis=1)
    turns = 2.4 * np.arange(len(dots))  # in which direction dots of one place move apart
    pushed = own + 0.01 * np.column_stack([np.cos(turns), np.sin(turns)])
    for _ in range(_PUSHES):
        between = pushed[:, None] - pushed
        distances = np.hypot(between[..., 0], between[..., 1])
        np.fill_diagonal(distances, np.inf)
        missing = np.clip(APART - distances, 0, None)
        if missing.max() < 1:
            break
        pushed += (between * (missing / distances / 2)[..., None]).sum(axis=1)
        pushed[is_in] = np.clip(pushed[is_in], APART / 2, edge)
    has_moved = np.abs(pushed - own).max(axis=1) >= 1
    drawn = (pushed / scale + low).tolist()
    return [(x, y) if moved else (dot.x, dot.y) for dot, (x, y), moved in zip(dots, drawn, has_moved, strict=True)]


def _density(landscape: Landscape) -> dict[str, Any]:
    extent = landscape.extent
    return {
        "source": _as_webp(landscape.image_png),
        "x": extent.left,
        "y": extent.top,
        "sizex": extent.right - extent.left,
        "sizey": extent.top - extent.bottom,
        "xref": "x",
        "yref": "y",
        "sizing": "stretch",
        "layer": "below",
    }


@lru_cache(maxsize=8)
def _as_webp(png: bytes) -> str:
    """Return a picture as a data URL, an eighth of the size: the page sends it with every result."""
    picture = BytesIO()
    Image.open(BytesIO(png)).convert("RGB").save(picture, "WEBP", quality=90)
    return "data:image/webp;base64," + base64.b64encode(picture.getvalue()).decode()


def _lines(moved: Sequence[tuple[Dot, _Place]]) -> dict[str, Any]:
    """Draw lines from the places of dots, which are small points, to where the dots stand."""
    return {
        "type": "scatter",
        "x": [x for dot, place in moved for x in (dot.x, place[0], None)],
        "y": [y for dot, place in moved for y in (dot.y, place[1], None)],
        "mode": "lines+markers",
        "line": {"color": "white", "width": 1},
        "marker": {"color": "white", "size": [4, 0, 0] * len(moved)},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _trace(entry: LegendEntry, placed: Sequence[tuple[Dot, _Place]], selected_rows: Collection[int]) -> dict[str, Any]:
    symbol, pixels = SYMBOLS[entry.sign]
    rings = [WIDE_RING if dot.row in selected_rows else RING for dot, _ in placed]
    return {
        "type": "scatter",
        "x": [x for _, (x, _) in placed],
        "y": [y for _, (_, y) in placed],
        "mode": "markers+text",
        "marker": {"color": entry.colour, "symbol": symbol, "size": pixels, "line": {"color": "white", "width": rings}},
        "text": [str(dot.rank) for dot, _ in placed],
        "textfont": {"color": "white", "size": 11, "weight": "bold"},
        "unselected": {"marker": {"opacity": 1}, "textfont": {"color": "white"}},  # a click fades no other paper
        "customdata": [dot.rank for dot, _ in placed],
        "hovertext": [_hover(dot) for dot, _ in placed],
        "hoverinfo": "text",
        "name": entry.text,
        "showlegend": True,
        "legendrank": list(SYMBOLS).index(entry.sign) + 1,
    }


def _hover(dot: Dot) -> str:
    lines = [*textwrap.wrap(dot.title, HOVER_COLUMNS), "year unknown" if dot.year is None else str(dot.year)]
    lines += [f"live: {dot.live}"] if dot.live else []
    return "<br>".join(html.escape(line, quote=False) for line in lines)


def _layout(view: Extent) -> dict[str, Any]:
    return {
        "xaxis": {"visible": False, "range": (view.left, view.right)},
        "yaxis": {"visible": False, "range": (view.bottom, view.top), "scaleanchor": "x"},
        "template": "none",  # all that shows is given here; Plotly would copy its own into each figure, and send it
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "paper_bgcolor": _NIGHT.halo,
        "plot_bgcolor": _NIGHT.halo,
        "font": {"color": _NIGHT.ink},
        "modebar": {"orientation": "v", "bgcolor": "rgba(0,0,0,0)", "color": "#8b93a8", "activecolor": "#ffffff"},
        "dragmode": "pan",
        "hoverlabel": {"align": "left", "font": {"color": "white"}},
        "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},  # over no dot
        "annotations": [
            # One line per sentence: next to an answer, the map is too narrow for two on one line.
            {**_BOTTOM_LEFT, "text": NOTE.replace(". ", ".<br>"), "font": {"size": 11}, "bgcolor": VEIL, "borderpad": 4}
        ],
    }


def _close_up(dots: Sequence[Dot], whole: Extent) -> Extent:
    if not dots:
        return whole
    together = [dot for dot in dots if not dot.outlier] or dots
    places = np.array([(dot.x, dot.y) for dot in together])
    low, high = places.min(axis=0), places.max(axis=0)
    least = 0.02 * (whole.right - whole.left)
    margin = max(CLOSE_UP_MARGIN * float((high - low).max()), least)
    (left, bottom), (right, top) = (low - margin).tolist(), (high + margin).tolist()
    return Extent(left, right, bottom, top)


_COLUMNS, _ROWS = ("left", "middle", "right"), ("bottom", "middle", "top")


def describe_map(landscape: Landscape, dots: Sequence[Dot]) -> str:
    """Describe the figure in words, for readers who cannot see it."""
    n = len(dots)
    ground = f"Map of {len(landscape.coordinates):,} papers, brighter where there are more of them; "
    if n == 0:
        return f"{ground}no papers were found."
    ninth, n_inside = Counter(_ninth(dot, landscape.extent) for dot in dots).most_common(1)[0]
    where = f"{_share(n_inside, n)}at the {ninth}" if 2 * n_inside > n else "spread across the map"
    apart = [str(dot.rank) for dot in dots if dot.outlier]
    outliers = f" Unlike the others: {', '.join(apart)}." if apart else ""
    return f"{ground}{counted(n, 'paper')} found, {where}.{outliers} {NOTE}"


def _share(part: int, whole: int) -> str:
    if part < whole:
        return f"{part} of them "
    return "" if whole == 1 else "all "


def _ninth(dot: Dot, extent: Extent) -> str:
    """Name the ninth of the map in which a dot lies: "top left", "middle right", "centre"."""
    across = (dot.x - extent.left) / (extent.right - extent.left)
    up = (dot.y - extent.bottom) / (extent.top - extent.bottom)
    column, row = (min(2, int(3 * share)) for share in (across, up))
    return "centre" if column == row == 1 else f"{_ROWS[row]} {_COLUMNS[column]}"
