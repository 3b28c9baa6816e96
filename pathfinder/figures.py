"""Figures from plain data: the map with the papers of a result on it, and how methods did."""

import base64
import html
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from pathfinder.landscape.density import PALETTE, Extent
from pathfinder.landscape.landscape import Landscape

BLUE, VERMILLION = "#0072B2", "#D55E00"
"""Okabe & Ito's: told apart by every kind of colour vision, as are a disc and a diamond."""
INK = "#d9dde6"
"""Legend and note on the night ground of the map."""
VEIL = "rgba(13, 21, 36, 0.7)"
"""Behind them, that ground, so that they can be read where the map is bright."""
HOVER_COLUMNS = 48
CLOSE_UP_MARGIN = 0.35
"""Of the long side of the papers found, left free around them."""

MAP_NOTE = "Near means alike. The axes mean nothing."
MAP_CONFIG: Final[dict[str, Any]] = {
    "scrollZoom": True,
    "displaylogo": False,
    # The button that sends a figure to a server of Plotly's.
    "showSendToCloud": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", "zoom2d", "pan2d"],
}
"""For whoever draws the figure: the wheel zooms, the page does not scroll."""


@dataclass(frozen=True, slots=True)
class MapPoint:
    """A paper of a result, on the map."""

    rank: int
    """1 is the best."""
    x: float
    y: float
    title: str
    """As text: markup in it is shown, not followed."""
    year: int | None
    outlier: bool | None
    """Whether it lies apart from the other hits; `None` when that cannot be said."""


@dataclass(frozen=True, slots=True)
class _Dot:
    label: str
    colour: str
    symbol: str
    pixels: int
    legend_rank: int


_INLIER = _Dot("close to the others in subject", BLUE, "circle", 20, 1)
_OUTLIER = _Dot("apart from the others", VERMILLION, "diamond", 24, 2)
_UNDECIDED = _Dot("paper found", BLUE, "circle", 20, 1)
_BOTTOM_LEFT = {
    "xref": "paper",
    "yref": "paper",
    "x": 0,
    "y": 0,
    "xanchor": "left",
    "yanchor": "bottom",
    "showarrow": False,
}
_DOTS = {False: _INLIER, True: _OUTLIER, None: _UNDECIDED}


def load_pandas() -> None:
    """Load pandas, or wait until another thread has: to be called before a figure is drawn.

    Plotly takes pandas as it finds it in `sys.modules`, also while another thread is still loading it, and then fails.
    It is not loaded with this module, because it takes half a second that the first page need not wait for.
    """
    import pandas  # noqa: F401


def map_figure(landscape: Landscape, points: Sequence[MapPoint], *, close_up: bool = False) -> go.Figure:
    """The density of the whole corpus, and the papers found as numbered dots that say title and year.

    `close_up` begins with the papers that lie together, and not with the whole map. Draw it with `MAP_CONFIG`.
    """
    load_pandas()
    figure = go.Figure()
    shown: set[_Dot] = set()
    # The last first: where dots overlap, the better paper lies on top, and zooming in uncovers the others.
    for point in sorted(points, key=lambda point: -point.rank):
        dot = _DOTS[point.outlier]
        figure.add_trace(_trace(point, dot, in_legend=dot not in shown))
        shown.add(dot)
    extent = landscape.extent
    figure.add_layout_image(
        source="data:image/png;base64," + base64.b64encode(landscape.image_png).decode(),
        x=extent.left,
        y=extent.top,
        sizex=extent.right - extent.left,
        sizey=extent.top - extent.bottom,
        xref="x",
        yref="y",
        sizing="stretch",
        layer="below",
    )
    figure.update_layout(_layout(_close_up(points, extent) if close_up else extent))
    # The reader's zoom outlives a new result, until the other view is chosen.
    figure.update_layout(uirevision="close-up" if close_up else "whole")
    return figure


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Papers that can be clicked on the map."""

    coordinates: NDArray[np.float32]
    """Shape (n, 2)."""
    titles: Sequence[str]
    """As text."""


def with_places(figure: go.Figure, places: Places) -> go.Figure:
    """`figure` with a faint point for each of `places`, under the papers found; a click on one selects it."""
    figure.add_trace(
        go.Scatter(
            x=places.coordinates[:, 0],
            y=places.coordinates[:, 1],
            mode="markers",
            marker={"color": "white", "size": 3, "opacity": 0.4},
            selected={"marker": {"color": VERMILLION, "size": 10, "opacity": 1.0}},
            unselected={"marker": {"opacity": 0.4}},
            hovertext=["<br>".join(map(html.escape, textwrap.wrap(title, HOVER_COLUMNS))) for title in places.titles],
            hoverinfo="text",
            showlegend=False,
        )
    )
    *papers, under = figure.data
    figure.data = (under, *papers)
    figure.update_layout(clickmode="event+select")
    return figure


def _trace(point: MapPoint, dot: _Dot, *, in_legend: bool) -> go.Scatter:
    return go.Scatter(
        x=[point.x],
        y=[point.y],
        mode="markers+text",
        marker={
            "color": dot.colour,
            "symbol": dot.symbol,
            "size": dot.pixels,
            "line": {"color": "white", "width": 1.5},
        },
        text=[str(point.rank)],
        textfont={"color": "white", "size": 11, "weight": "bold"},
        customdata=[point.rank],
        hovertext=[_hover(point)],
        hoverinfo="text",
        name=dot.label,
        legendgroup=dot.label,
        showlegend=in_legend,
        legendrank=dot.legend_rank,
    )


def _hover(point: MapPoint) -> str:
    """Plotly follows a few HTML tags in hover texts, so a title's own are escaped."""
    lines = [*textwrap.wrap(point.title, HOVER_COLUMNS), "year unknown" if point.year is None else str(point.year)]
    return "<br>".join(html.escape(line, quote=False) for line in lines)


def _layout(view: Extent) -> dict[str, Any]:
    return {
        "xaxis": {"visible": False, "range": (view.left, view.right)},
        "yaxis": {"visible": False, "range": (view.bottom, view.top), "scaleanchor": "x"},
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "paper_bgcolor": PALETTE[0],
        "plot_bgcolor": PALETTE[0],
        "font": {"color": INK},
        "modebar": {"orientation": "v", "bgcolor": "rgba(0,0,0,0)", "color": "#8b93a8", "activecolor": "#ffffff"},
        "dragmode": "pan",
        "hoverlabel": {"align": "left", "font": {"color": "white"}},
        "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "top", "bgcolor": VEIL},
        "annotations": [{**_BOTTOM_LEFT, "text": MAP_NOTE, "font": {"size": 11}, "bgcolor": VEIL, "borderpad": 4}],
    }


def _close_up(points: Sequence[MapPoint], whole: Extent) -> Extent:
    if not points:
        return whole
    together = [point for point in points if not point.outlier] or points
    places = np.array([(point.x, point.y) for point in together])
    low, high = places.min(axis=0), places.max(axis=0)
    least = 0.02 * (whole.right - whole.left)
    margin = max(CLOSE_UP_MARGIN * float((high - low).max()), least)
    (left, bottom), (right, top) = (low - margin).tolist(), (high + margin).tolist()
    return Extent(left, right, bottom, top)


_COLUMNS, _ROWS = ("left", "middle", "right"), ("bottom", "middle", "top")


def describe_map(landscape: Landscape, points: Sequence[MapPoint]) -> str:
    """What the map shows, in words, for those who do not see it."""
    n = len(points)
    found = f"Map of {len(landscape.coordinates):,} papers, brighter where there are more of them; "
    if n == 0:
        return f"{found}no paper was found."
    region, inside = Counter(_region(point, landscape.extent) for point in points).most_common(1)[0]
    where = f"{_share(inside, n)}at the {region}" if 2 * inside > n else "spread over the map"
    apart = [str(point.rank) for point in points if point.outlier]
    outliers = f" Apart from the others in subject: number {', '.join(apart)}." if apart else ""
    return f"{found}{n} {'paper' if n == 1 else 'papers'} found, {where}.{outliers} {MAP_NOTE}"


def _share(part: int, whole: int) -> str:
    if part < whole:
        return f"{part} of them "
    return "" if whole == 1 else "all "


def _region(point: MapPoint, extent: Extent) -> str:
    """Which ninth of the map it lies in: "top left", "middle right", "centre"."""
    across = (point.x - extent.left) / (extent.right - extent.left)
    up = (point.y - extent.bottom) / (extent.top - extent.bottom)
    column, row = (min(2, int(3 * share)) for share in (across, up))
    return "centre" if column == row == 1 else f"{_ROWS[row]} {_COLUMNS[column]}"


@dataclass(frozen=True, slots=True)
class MethodBar:
    """How a method did by one measure."""

    name: str
    mean: float
    low: float
    high: float
    """`low` to `high` is the interval of the mean."""


EVALUATION_ROW_PIXELS = 34


def evaluation_figure(measure: str, bars: Sequence[MethodBar]) -> go.Figure:
    """The mean of each method as a dot with its interval, the first on top; the first is marked by a line across."""
    load_pandas()
    names = [html.escape(bar.name, quote=False) for bar in bars]
    figure = go.Figure(
        go.Scatter(
            x=[bar.mean for bar in bars],
            y=names,
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [bar.high - bar.mean for bar in bars],
                "arrayminus": [bar.mean - bar.low for bar in bars],
                "color": BLUE,
            },
            mode="markers",
            marker={"color": BLUE, "size": 10},
            hovertext=[
                f"{name}: {bar.mean:.3f} [{bar.low:.2f}, {bar.high:.2f}]" for name, bar in zip(names, bars, strict=True)
            ],
            hoverinfo="text",
        )
    )
    if bars:
        figure.add_vline(x=bars[0].mean, line={"color": VERMILLION, "dash": "dot", "width": 1})
    figure.update_layout(
        xaxis={"title": measure, "fixedrange": True},
        yaxis={"autorange": "reversed", "type": "category", "fixedrange": True, "automargin": True},
        margin={"l": 0, "r": 8, "t": 8, "b": 0},
        height=80 + EVALUATION_ROW_PIXELS * len(bars),
        showlegend=False,
    )
    return figure
