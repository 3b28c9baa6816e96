"""The values that papers state, over the years of the papers, with error bars."""

import html
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from pathfinder.assessment.values.comparable import ComparableValue, comparable
from pathfinder.figures.plotting import BLUE, GREY, VERMILLION, load_pandas
from pathfinder.text.author_names import parse_name
from pathfinder.types import Paper, StatedValue

HEIGHT = 320
"""Height in pixels."""
WIDE = 30.0
"""Ratio of the largest value to the smallest above which the axis is logarithmic."""
_SYMBOLS = {None: "circle", "about": "circle-open", "upper": "triangle-down", "lower": "triangle-up"}
_NAMES = {None: "value", "about": "approximate value", "upper": "upper limit", "lower": "lower limit"}
_COLOURS = {None: BLUE, "about": BLUE, "upper": VERMILLION, "lower": GREY}


def values_figure(values: Sequence[StatedValue], papers: Mapping[str, Paper]) -> go.Figure:
    """Draw `values` over the years of their papers, in their most common unit.

    Error bars add statistical and systematic uncertainties in quadrature; limits are triangles that point to where the
    value may lie. Values of other dimensions, and those of papers without a year, are left out.
    """
    load_pandas()
    common = comparable(values)
    dated = [value for value in common.values if papers[value.stated.paper_id].year is not None]
    figure = go.Figure()
    for limit, name in _NAMES.items():
        part = [value for value in dated if value.stated.limit == limit]
        if part:
            figure.add_trace(_points(part, papers, limit, name))
    quantity = _commonest_quantity(dated)
    figure.update_layout(
        xaxis={"title": "year of the paper", "fixedrange": True, "tickformat": "d"},
        yaxis={"title": f"{quantity} [{common.unit}]" if common.unit else quantity, "fixedrange": True}
        | ({"type": "log"} if _is_wide(dated) else {}),
        margin={"l": 0, "r": 8, "t": 8, "b": 0},
        height=HEIGHT,
        legend={"orientation": "h", "y": 1.12},
    )
    return figure


def describe_values(values: Sequence[StatedValue], papers: Mapping[str, Paper]) -> str:
    """Describe the figure in words, for readers who cannot see it."""
    common = comparable(values)
    dated = [value for value in common.values if papers[value.stated.paper_id].year is not None]
    if not dated:
        return "None of these values comes from a paper with a year."
    years = [papers[value.stated.paper_id].year or 0 for value in dated]
    low, high = min(value.value for value in dated), max(value.value for value in dated)
    extent = f"from {low:.6g} to {high:.6g} {common.unit}".rstrip()
    return f"{len(dated)} values of papers from {min(years)} to {max(years)}, {extent}."


def _points(part: Sequence[ComparableValue], papers: Mapping[str, Paper], limit: str | None, name: str) -> go.Scatter:
    return go.Scatter(
        x=[papers[value.stated.paper_id].year for value in part],
        y=[value.value for value in part],
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [value.high - value.value for value in part],
            "arrayminus": [value.value - value.low for value in part],
            "color": _COLOURS[limit],
        },
        mode="markers",
        marker={"color": _COLOURS[limit], "size": 9, "symbol": _SYMBOLS[limit]},
        name=name,
        hovertext=[_hover_text(value, papers[value.stated.paper_id]) for value in part],
        hoverinfo="text",
    )


def _hover_text(value: ComparableValue, paper: Paper) -> str:
    # Plotly interprets a few HTML tags, so those in names and titles are escaped.
    author = parse_name(paper.authors[0]).last if paper.authors else paper.title
    stated = value.stated
    errors = "" if stated.plus is None else f" +{stated.plus:g} −{stated.minus:g}"
    return html.escape(f"{author} {paper.year}: {stated.value:g}{errors} {stated.unit}".rstrip(), quote=False)


def _commonest_quantity(values: Sequence[ComparableValue]) -> str:
    names = [value.stated.quantity for value in values]
    return html.escape(max(set(names), key=lambda name: (names.count(name), name)), quote=False) if names else "value"


def _is_wide(values: Sequence[ComparableValue]) -> bool:
    numbers = [value.value for value in values]
    return bool(numbers) and min(numbers) > 0.0 and max(numbers) / min(numbers) > WIDE
