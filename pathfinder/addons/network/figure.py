"""The network of a search result as a figure: papers as dots, links as lines, the main path in bold."""

import html
import textwrap
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import plotly.graph_objects as go

from pathfinder.addons.network.outcome import NetworkPaper, PaperNetwork
from pathfinder.landscape.figures.map import HOVER_COLUMNS, RING, WIDE_RING
from pathfinder.landscape.figures.plotting import GREY, VERMILLION, load_pandas
from pathfinder.text.english import counted
from pathfinder.text.latex.display import readable
from pathfinder.types import Tie

CLUSTER_COLOURS = ("#0072b2", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#666666")
CLUSTER_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "pentagon", "hexagon")
"""Colours and shapes of the largest clusters; smaller clusters share the last colour and shape."""
SMALLEST, LARGEST = 9, 26
"""Sizes in pixels of the dot of a paper with a betweenness of 0, and of the one with the highest betweenness."""
LINE_WORDS = {
    Tie.REFERENCES: "one cites the other",
    Tie.CO_CITATION: "often cited together",
    Tie.COUPLING: "cite the same works",
    Tie.LIKENESS: "similar",
}


def network_figure(network: PaperNetwork, *, selected_ids: Collection[str] = ()) -> go.Figure:
    """Draw a network; hits are numbered, the size of a paper's dot shows its betweenness, and the papers whose ids are
    in `selected_ids` have a wide ring. The `customdata` of a dot is the id of its paper.
    """
    load_pandas()
    steps = list(zip(network.main_path, network.main_path[1:], strict=False))
    traces = [_lines(network, ((link.first, link.second) for link in network.links), LINE_WORDS[network.tie], GREY, 1)]
    if steps:
        traces.append(_lines(network, steps, "main path of citations", VERMILLION, 4))
    most = max((paper.betweenness for paper in network.papers), default=0.0) or 1.0
    for number in sorted({min(paper.cluster, len(CLUSTER_COLOURS) - 1) for paper in network.papers}):
        members = [paper for paper in network.papers if min(paper.cluster, len(CLUSTER_COLOURS) - 1) == number]
        traces.append(_dots(members, number, most, selected_ids))
    axis = {"visible": False, "range": (-1.15, 1.15)}
    return go.Figure(
        traces,
        {
            "xaxis": axis,
            "yaxis": axis,
            "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
            "paper_bgcolor": "rgba(0, 0, 0, 0)",
            "plot_bgcolor": "rgba(0, 0, 0, 0)",
            "dragmode": "pan",
            "clickmode": "event+select",
            "hoverlabel": {"align": "left", "bgcolor": "#16191d", "font": {"color": "white"}},
            "legend": {"orientation": "h", "x": 0, "y": 0, "yanchor": "top"},
            "uirevision": "network",
        },
    )


def _lines(
    network: PaperNetwork, pairs: Iterable[tuple[int, int]], name: str, colour: str, width: int
) -> dict[str, Any]:
    x: list[float | None] = []
    y: list[float | None] = []
    for pair in pairs:
        first, second = (network.papers[place] for place in pair)
        x += (first.x, second.x, None)
        y += (first.y, second.y, None)
    line = {"color": colour, "width": width}
    opacity = 0.45 if width == 1 else 0.9
    kind = {"type": "scatter", "mode": "lines", "hoverinfo": "skip"}
    return {**kind, "x": x, "y": y, "line": line, "opacity": opacity, "name": name}


def _dots(papers: Sequence[NetworkPaper], number: int, most: float, selected_ids: Collection[str]) -> dict[str, Any]:
    is_last = number == len(CLUSTER_COLOURS) - 1
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [paper.x for paper in papers],
        "y": [paper.y for paper in papers],
        "marker": {
            "color": CLUSTER_COLOURS[number],
            "symbol": CLUSTER_SYMBOLS[number],
            "size": [SMALLEST + (LARGEST - SMALLEST) * (paper.betweenness / most) ** 0.5 for paper in papers],
            "opacity": [1.0 if paper.rank else 0.65 for paper in papers],
            "line": {
                "color": "white",
                "width": [WIDE_RING if paper.paper.paper_id in selected_ids else RING for paper in papers],
            },
        },
        "text": ["" if paper.rank is None else str(paper.rank) for paper in papers],
        "textposition": "top center",
        "customdata": [paper.paper.paper_id for paper in papers],
        "hovertext": [_hover_text(paper) for paper in papers],
        "hoverinfo": "text",
        "name": f"cluster {number + 1}" + (" and smaller" if is_last else ""),
        # A click selects a paper for the page; the figure itself does not fade the others.
        "selected": {"marker": {"opacity": 1.0}},
        "unselected": {"marker": {"opacity": 0.8}},
    }


def _hover_text(paper: NetworkPaper) -> str:
    place = f"rank {paper.rank}" if paper.rank else "neighbour of the papers found"
    year = "year unknown" if paper.paper.year is None else str(paper.paper.year)
    lines = [*textwrap.wrap(readable(paper.paper.title), HOVER_COLUMNS), f"{year} · {place}"]
    return "<br>".join(html.escape(line, quote=False) for line in lines)


def describe_network(network: PaperNetwork) -> str:
    """Describe the figure in words, for readers who cannot see it."""
    n = len(network.papers)
    clusters = counted(len({paper.cluster for paper in network.papers}), "cluster")
    alone = n - len({place for link in network.links for place in (link.first, link.second)})
    parts = [
        f"Network of {counted(n, 'paper')} with {counted(len(network.links), 'link')}",
        f"(a line: {LINE_WORDS[network.tie]}), in {clusters}.",
    ]
    if alone:
        parts.append(f"{alone} {'paper has' if alone == 1 else 'papers have'} no link here.")
    return " ".join(parts)
