"""Plots the values stated in papers against the years of the papers, with error bars, for the page."""

import html
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from pathfinder.figures.dated_values import LIMITS, DatedValue, dated_values
from pathfinder.figures.plotting import BLUE, GREY, VERMILLION, load_pandas
from pathfinder.types import Paper, StatedValue

HEIGHT = 320
"""Height in pixels."""
COLOURS = {None: BLUE, "about": BLUE, "upper": VERMILLION, "lower": GREY}
_SYMBOLS = {None: "circle", "about": "circle-open", "upper": "triangle-down", "lower": "triangle-up"}


def values_figure(values: Sequence[StatedValue], papers: Mapping[str, Paper]) -> go.Figure:
    """Plot `values`, in their most common unit, against the years of their papers.

    Error bars add statistical and systematic uncertainties in quadrature; limits are triangles that point to where the
    value may lie. Values with other dimensions, and those from papers without a year, are left out.
    """
    load_pandas()
    dated_points = dated_values(values, papers)
    figure = go.Figure()
    for limit in LIMITS:
        if part := dated_points.with_limit(limit):
            figure.add_trace(value_points(part, limit))
    figure.update_layout(
        xaxis={"title": "year of the paper", "fixedrange": True, "tickformat": "d"},
        yaxis={"title": _escape(dated_points.axis_title), "fixedrange": True}
        | ({"type": "log"} if dated_points.is_wide else {}),
        margin={"l": 0, "r": 8, "t": 8, "b": 0},
        height=HEIGHT,
        legend={"orientation": "h", "y": 1.12},
    )
    return figure


def describe_values(values: Sequence[StatedValue], papers: Mapping[str, Paper]) -> str:
    """Describe the figure in words, for readers who cannot see it."""
    return dated_values(values, papers).describe()


def value_points(part: Sequence[DatedValue], limit: str | None) -> go.Scatter:
    """Draw values or limits of one kind with their error bars."""
    return go.Scatter(
        x=[value.year for value in part],
        y=[value.comparable.value for value in part],
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [value.comparable.high - value.comparable.value for value in part],
            "arrayminus": [value.comparable.value - value.comparable.low for value in part],
            "color": COLOURS[limit],
            "width": 0,  # a cap would strike through a point without an error
        },
        mode="markers",
        marker={"color": COLOURS[limit], "size": 9, "symbol": _SYMBOLS[limit]},
        name=LIMITS[limit],
        hovertext=[_escape(value.description) for value in part],
        hoverinfo="text",
    )


def _escape(text: str) -> str:
    """Escape the few HTML tags that Plotly interprets: names and titles come from papers."""
    return html.escape(text, quote=False)
