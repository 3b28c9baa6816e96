"""The evaluation as a figure: the score of each method on one measure."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from pathfinder.figures.plotting import BLUE, VERMILLION, load_pandas

HEIGHT, ROW_HEIGHT = 80, 34
"""Height in pixels of a figure without methods, and the height added for each method."""


@dataclass(frozen=True, slots=True)
class MethodMean:
    """A method's mean score on one measure, with its confidence interval."""

    name: str
    mean: float
    low: float
    high: float


def evaluation_figure(measure: str, methods: Sequence[MethodMean]) -> go.Figure:
    """Draw each mean as a dot with its interval; the first method is at the top, and a line across the figure marks its
    mean.
    """
    load_pandas()
    figure = go.Figure(_means(methods))
    if methods:
        figure.add_vline(x=methods[0].mean, line={"color": VERMILLION, "dash": "dot", "width": 1})
    figure.update_layout(
        xaxis={"title": measure, "fixedrange": True},
        yaxis={"autorange": "reversed", "type": "category", "fixedrange": True, "automargin": True},
        margin={"l": 0, "r": 8, "t": 8, "b": 0},
        height=HEIGHT + ROW_HEIGHT * len(methods),
        showlegend=False,
        dragmode=False,  # on a phone, a swipe scrolls the page
    )
    return figure


def _means(methods: Sequence[MethodMean]) -> go.Scatter:
    # Plotly interprets a few HTML tags, so the tags in a name are escaped.
    names = [html.escape(method.name, quote=False) for method in methods]
    return go.Scatter(
        x=[method.mean for method in methods],
        y=names,
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [method.high - method.mean for method in methods],
            "arrayminus": [method.mean - method.low for method in methods],
            "color": BLUE,
        },
        mode="markers",
        marker={"color": BLUE, "size": 10},
        hovertext=[
            f"{name}: {method.mean:.3f} [{method.low:.2f}, {method.high:.2f}]"
            for name, method in zip(names, methods, strict=True)
        ],
        hoverinfo="text",
    )
