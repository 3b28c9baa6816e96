"""The papers of a result as a network, in the map tab."""

from collections.abc import Iterable, Iterator, Sequence

import streamlit as st

from pathfinder.addons.network.figure import describe_network, network_figure
from pathfinder.addons.network.network import paper_network
from pathfinder.addons.network.operation import network_graphml
from pathfinder.addons.network.outcome import NetworkPaper, PaperNetwork
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.landscape.figures.map import MAP_CONFIG
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import SearchResult, Tie
from pathfinder.ui.papers import selection
from pathfinder.ui.shared import resources
from pathfinder.ui.shared.frame import save
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
    try:
        # Made again only if the hits, the kind of link or the number of papers has changed.
        key = (pf.corpus.name, tuple(hit.row for hit in result.hits), tie, n_papers)
        network = kept(
            _LAST_NETWORK, key, st.spinner("Linking papers ...")(lambda: paper_network(pf, result, tie, n_papers))
        )
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
    save("Download as GraphML", lambda: network_graphml(network), "network.graphml", type="tertiary")


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
