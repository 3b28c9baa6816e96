"""The map of a screening, with its papers marked by decision."""

from collections.abc import Mapping

import plotly.graph_objects as go

from pathfinder.figures.map import map_figure
from pathfinder.landscape.data.landscape import Landscape
from pathfinder.screening.choices import ScreeningVerdict
from pathfinder.screening.decisions import Screening
from pathfinder.types import Rows

UNDECIDED, NEXT = "undecided", "next"
_MARKERS = {
    UNDECIDED: {"color": "#c3c9d6", "size": 4, "symbol": "circle", "opacity": 0.6},
    ScreeningVerdict.LATER.value: {"color": "#e69f00", "size": 9, "symbol": "triangle-up"},
    ScreeningVerdict.OUT.value: {"color": "#d55e00", "size": 9, "symbol": "x"},
    ScreeningVerdict.IN.value: {"color": "#009e73", "size": 11, "symbol": "circle"},
    NEXT: {"color": "#ffffff", "size": 14, "symbol": "star"},
}
"""A colour and a shape for each group; most colours are from Okabe and Ito (2008)."""


def screening_groups(screening: Screening, upcoming: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the ids of the papers in a screening, grouped by decision. Papers without a decision are in the group
    "next" if they are in `upcoming`, and in "undecided" otherwise.
    """
    latest = screening.latest()
    groups = {verdict.value: screening.with_verdict(verdict) for verdict in ScreeningVerdict}
    undecided_ids = tuple(name for name in screening.paper_ids if name not in latest and name not in upcoming)
    return {**groups, UNDECIDED: undecided_ids, NEXT: upcoming}


def screening_map(landscape: Landscape, rows: Mapping[str, Rows]) -> go.Figure:
    """Draw the map with the papers of each group; `rows` gives their rows, and papers that the corpus lacks
    (row -1) are left out.
    """
    figure = map_figure(landscape, ())
    for name, marker in _MARKERS.items():
        places = landscape.coordinates[rows[name][rows[name] >= 0]]
        figure.add_scatter(
            x=places[:, 0], y=places[:, 1], mode="markers", marker=marker, name=name, hoverinfo="skip", showlegend=True
        )
    return figure
