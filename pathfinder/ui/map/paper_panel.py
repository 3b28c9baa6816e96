"""The panel for the paper opened by a click on the map."""

from urllib.parse import urlencode

import streamlit as st

from pathfinder.landscape.drawing.scene import MapView
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Paper
from pathfinder.ui.map.map_page import change, go
from pathfinder.ui.map.map_state import MapState
from pathfinder.ui.map.marked_papers import has_room, mark, marked_ids, unmark
from pathfinder.ui.papers.papers import facts
from pathfinder.ui.shared import resources
from pathfinder.ui.shared.visit_corpus import link_parameters
from pathfinder.ui.stars import stars

PAPER_ZOOM = 5.0
"""Zoom level that shows a paper and its neighbours."""
MARK_HELP = "Marks this paper in the page's address, which you can bookmark or share, so that it stays marked."
NO_ROOM = "The page's address has no room for another mark: remove a layer, or the mark of another paper."


def panel(pf: Pathfinder, state: MapState) -> None:
    """Show the open paper, if any, with links to its position and to similar papers."""
    if state.paper is None:
        return
    row = int(pf.corpus.papers.rows_of((state.paper,))[0])
    if row < 0:
        st.info(f"The paper {for_markdown(state.paper)} in this link is not in this corpus.")
        return
    paper = pf.corpus.papers[row]
    with st.container(border=True, gap="xsmall", key="map-paper"):
        st.markdown(f"**[{for_markdown(paper.title)}]({resources.paper_url(paper)})**")
        st.caption(" · ".join(facts(paper)))
        if paper.abstract:
            with st.expander("Summary" if paper.is_summary else "Abstract", type="compact"):
                st.markdown(for_markdown(paper.abstract))
        _actions(pf, paper, row, state)


def _actions(pf: Pathfinder, paper: Paper, row: int, state: MapState) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        link = urlencode({"like": paper.paper_id} | link_parameters())
        st.markdown(f"[Similar papers](similar?{link})", width="content")
        if pf.corpus.coordinates is not None:
            x, y = pf.corpus.coordinates[row].tolist()
            st.button("Show on the map", on_click=go, args=(MapView(x, y, PAPER_ZOOM),), type="tertiary")
        stars.star(paper.paper_id, "map-paper", stars.open_shelf())
        _mark_button(paper.paper_id, state.layer)
        st.button("Close", key="close-paper", on_click=change, kwargs={"paper": None}, type="tertiary")


def _mark_button(paper_id: str, layers: tuple[str, ...]) -> None:
    if paper_id in marked_ids(layers):
        parameters = {"layer": unmark(layers, paper_id)}
        st.button("Remove mark", key="mark-paper", on_click=change, kwargs=parameters, type="tertiary")
    elif has_room(layers, paper_id):
        parameters = {"layer": mark(layers, paper_id)}
        st.button(
            "Mark on the map", key="mark-paper", on_click=change, kwargs=parameters, type="tertiary", help=MARK_HELP
        )
    else:
        st.button("Mark on the map", key="mark-paper", disabled=True, type="tertiary", help=NO_ROOM)
