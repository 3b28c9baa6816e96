"""The papers of a result as a network, in the map tab: papers as dots, links as lines, the main path in bold."""

import html
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from pathfinder.addons.network.network import paper_network
from pathfinder.addons.network.operation import (
    LINE_WORDS,
    NetworkPaper,
    PaperNetwork,
    describe_network,
    network_graphml,
)
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.figures.map import HOVER_COLUMNS, MAP_CONFIG, RING, WIDE_RING
from pathfinder.figures.plotting import GREY, VERMILLION, load_pandas
from pathfinder.retrieval.request_records import record_of_request
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import SearchResult, Tie
from pathfinder.ui.papers import selection
from pathfinder.ui.settings import copied_call
from pathfinder.ui.settings.copied_call import Omissions
from pathfinder.ui.shared import resources
from pathfinder.ui.shared.state import kept

LABELS = {
    Tie.REFERENCES: "References",
    Tie.CO_CITATION: "Cited together",
    Tie.COUPLING: "Same references",
    Tie.LIKENESS: "Likeness",
}
SIZES = (20, 60, 150, 500)
N_LISTED = 5
_FIGURE, _LAST_NETWORK = "network-figure", "network-drawn"


def network_panel(pf: Pathfinder, result: SearchResult) -> None:
    """Draw the network of the hits and their neighbours, with its main path and the papers that connect the others."""
    has_citations = pf.corpus.network is not None
    ties = tuple(Tie) if has_citations else (Tie.LIKENESS,)
    by, size = st.columns(2)
    tie = by.selectbox("Linked by", ties, format_func=LABELS.__getitem__, key="network-tie")
    n_papers = size.selectbox("Papers", SIZES, index=1, key="network-papers")
    key = (pf.corpus.name, tuple(hit.row for hit in result.hits), tie, n_papers)
    link = st.spinner("Linking papers ...")(lambda: paper_network(pf, result, tie, n_papers))
    try:
        network = kept(_LAST_NETWORK, key, link)
    except UsageError as error:
        st.error(str(error))
        return
    selected_ids = selection.selected_ids()
    figure = network_figure(network, selected_ids=selected_ids)
    st.plotly_chart(
        figure, key=_FIGURE, config=MAP_CONFIG, height=520, on_select=_select_clicked, selection_mode="points"
    )
    st.caption(describe_network(network))
    for note in network.notes:
        st.caption(for_markdown(f"{note[:1].upper()}{note[1:]}."))
    st.markdown("\n".join(_lines(network, selected_ids)))
    st.download_button(
        "Download as GraphML",
        lambda: network_graphml(network),
        "network.graphml",
        key="network-graphml",
        type="tertiary",
    )
    body = record_of_request(result.request) | {"by": str(tie), "papers": n_papers}
    copied_call.panel("network", body, result.corpus, Omissions(link=("the kind of tie", "the number of papers")))


def _select_clicked() -> None:
    for point in st.session_state[_FIGURE].selection.points:
        paper_id = point.get("customdata")
        if isinstance(paper_id, list):
            (paper_id,) = paper_id
        if paper_id is not None:
            selection.toggle(str(paper_id))


def _lines(network: PaperNetwork, selected_ids: Sequence[str]) -> Iterator[str]:
    """Yield the selected neighbours, the papers that connect the others, and the main path as Markdown."""
    selected_papers = [each for each in network.papers if each.paper.paper_id in selected_ids]
    yield from _paper_lines("Selected", selected_papers)
    yield from _paper_lines("Papers that connect the others", network.between[:N_LISTED])
    yield from _paper_lines(
        "Main path of citations", [network.papers[place] for place in network.main_path], arrow=True
    )


def _paper_lines(heading: str, papers: Iterable[NetworkPaper], *, arrow: bool = False) -> Iterator[str]:
    papers = tuple(papers)
    if not papers:
        return
    yield f"\n**{heading}**\n"
    for place, each in enumerate(papers):
        mark = "→ " if arrow and place else ""
        rank = f", rank {each.rank}" if each.rank else ""
        yield f"- {mark}{resources.title_link(each.paper)}, {each.paper.known_year or 'year unknown'}{rank}"


# The figure.

CLUSTER_COLOURS = ("#0072b2", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#666666")
CLUSTER_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "pentagon", "hexagon")
"""Colours and shapes of the largest clusters; smaller clusters share the last colour and shape."""
SMALLEST, LARGEST = 9, 26
"""Sizes in pixels of the dot of a paper with a betweenness of 0, and of the one with the highest betweenness."""


def network_figure(network: PaperNetwork, *, selected_ids: Collection[str] = ()) -> go.Figure:
    """Draw a network; hits are numbered, the size of a paper's dot shows its betweenness, and the papers whose ids are
    in `selected_ids` have a wide ring. The `customdata` of a dot is the id of its paper.
    """
    load_pandas()
    steps = list(zip(network.main_path, network.main_path[1:], strict=False))
    traces = [_line(network, ((link.first, link.second) for link in network.links), LINE_WORDS[network.tie], GREY, 1)]
    if steps:
        traces.append(_line(network, steps, "main path of citations", VERMILLION, 4))
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
            "hoverlabel": {"align": "left"},
            "legend": {"orientation": "h", "x": 0, "y": 0, "yanchor": "top"},
            "uirevision": "network",
        },
    )


def _line(
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
