"""The papers of a result on the map of the whole corpus."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.figures.map import MAP_CONFIG, describe_map, map_figure
from pathfinder.figures.network import describe_network, network_figure
from pathfinder.landscape.drawing.scene import hit_dots
from pathfinder.operations.network import network_graphml
from pathfinder.retrieval.request_records import record_of_request
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Hit, NetworkPaper, PaperNetwork, SearchResult, Tie
from pathfinder.ui.map.map_state import MAX_QUESTION
from pathfinder.ui.papers import selection
from pathfinder.ui.settings import copied_call
from pathfinder.ui.settings.copied_call import Omissions
from pathfinder.ui.shared import panels, resources

MAP, NETWORK = "Map", "Network"
VIEWS = "ask.map"
"""Place of other views of the papers: functions of the open corpus and the result."""
SMALL = 280
"""Height in pixels of a map shown next to other content."""


def panel(pf: Pathfinder, result: SearchResult | None = None) -> None:
    """Draw the hits of a result on the map, or in another view. If the corpus has no map, show a sentence in
    place of the map; the other views do not need one.

    Before the first question, the map shows the whole corpus, and makes the browser load the drawing code in advance.
    """
    st.subheader("Map", anchor="map")
    shown_on = _shown_on() if result is not None and result.hits else MAP
    if result is not None and shown_on == NETWORK:
        network_panel(pf, result)
        return
    if result is not None and shown_on != MAP:
        panels.panels(VIEWS)[shown_on.lower()](pf, result)
        return
    landscape = pf.landscape
    if landscape is None:
        st.info(resources.no_map(pf))
        return
    hits = () if result is None else result.hits
    close_up = bool(hits) and st.toggle("Close-up of the papers found", key="map-close-up")
    dots = hit_dots(hits, landscape.coordinates)
    figure = map_figure(landscape, dots, close_up=close_up, selected_rows=_selected_rows(hits))
    st.plotly_chart(figure, key="map-figure", theme=None, config=MAP_CONFIG)
    if result is not None:
        st.caption(describe_map(landscape, dots))
    if st.button("Open the large map", key="large-map", icon=":material/map:"):
        st.switch_page("pages/map.py", query_params=_on_large_map(result))


def _shown_on() -> str:
    views = (MAP, NETWORK, *(name.capitalize() for name in panels.panels(VIEWS)))
    choice = st.segmented_control(
        "View of the papers", views, default=MAP, key="shown-on", required=True, label_visibility="collapsed"
    )
    return str(choice)


def without_atlas(pf: Pathfinder) -> None:
    """Draw the map of a corpus that has no tiles, and say how to make them; if the corpus has no map, show a
    sentence instead.
    """
    if pf.landscape is None:
        st.info(resources.no_map(pf))
        return
    st.info(f"This map cannot be panned or zoomed: {pf.corpus.absent.get('atlas', 'the corpus has no atlas')}.")
    st.plotly_chart(map_figure(pf.landscape, ()), key="map-plain", theme=None, config=MAP_CONFIG)


def _on_large_map(result: SearchResult | None) -> dict[str, str | list[str]]:
    """Return the address parameters with which the Map page shows `result`."""
    if result is None or not result.hits:
        return {}
    return {"q": result.request.query[:MAX_QUESTION], "found": [hit.paper.paper_id for hit in result.hits]}


def small(pf: Pathfinder, result: SearchResult) -> None:
    """Draw a small map next to other content, with less text."""
    if (landscape := pf.landscape) is None:
        st.info(resources.no_map(pf))
        return
    dots = hit_dots(result.hits, landscape.coordinates)
    figure = map_figure(landscape, dots, selected_rows=_selected_rows(result.hits))
    figure.update_layout(showlegend=False, height=SMALL)
    st.plotly_chart(figure, key="map-small", theme=None, config=MAP_CONFIG, height=SMALL)


def _selected_rows(hits: Sequence[Hit]) -> set[int]:
    return {hit.row for hit in selection.selected_hits(hits)}


# The papers of a result as a network, in the map tab.

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
    try:
        network = _network(pf, result, tie, n_papers)
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


def _network(pf: Pathfinder, result: SearchResult, tie: Tie, n_papers: int) -> PaperNetwork:
    """Return the network; it is made again only if the hits, the kind of link or the number of papers has changed."""
    key = (pf.corpus.name, tuple(hit.row for hit in result.hits), tie, n_papers)
    last: tuple[Any, PaperNetwork] | None = st.session_state.get(_LAST_NETWORK)
    if last is None or last[0] != key:
        with st.spinner("Linking papers ..."):
            last = key, pf.network(result, tie, n_papers)
        st.session_state[_LAST_NETWORK] = last
    return last[1]


def _select_clicked() -> None:
    """Select the papers whose dots were clicked, or deselect them."""
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
        link = f"[{for_markdown(each.paper.title)}]({resources.paper_url(each.paper)})"
        yield f"- {mark}{link}, {each.paper.known_year or 'year unknown'}{rank}"
