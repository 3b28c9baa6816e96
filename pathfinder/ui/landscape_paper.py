"""One paper of the map, opened by a click."""

from urllib.parse import urlencode

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown
from pathfinder.export.links import paper_link
from pathfinder.landscape.scene import View
from pathfinder.types import Paper
from pathfinder.ui.landscape import change, go
from pathfinder.ui.landscape_shelf import has_room, on_shelf, put_on, take_off
from pathfinder.ui.landscape_state import MapState
from pathfinder.ui.papers import facts

CLOSE_BY = 5.0
"""The zoom from which a paper and its neighbours are seen."""
SHELF = "Keep it marked on the map. The address holds your shelf: bookmark it, or send it to someone."
NO_ROOM = "The address holds no more: take another paper off the shelf, or a layer off the map."


def panel(pf: Pathfinder, state: MapState) -> None:
    """The paper that is open, if one is; what it says, where it is, and the way to more like it."""
    if state.paper is None:
        return
    row = int(pf.corpus.papers.rows_of((state.paper,))[0])
    if row < 0:
        st.info(f"The paper {for_markdown(state.paper)} of the link is not in this corpus.")
        return
    paper = pf.corpus.papers[row]
    with st.container(border=True, gap="xsmall", key="map-paper"):
        st.markdown(f"**[{for_markdown(paper.title)}]({paper_link(paper).url})**")
        st.caption(" · ".join(facts(paper)))
        if paper.abstract:
            with st.expander("Summary" if paper.is_summary else "Abstract", type="compact"):
                st.markdown(for_markdown(paper.abstract))
        _ways_on(pf, paper, row, state)


def _ways_on(pf: Pathfinder, paper: Paper, row: int, state: MapState) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"[Similar papers](similar?{urlencode({'like': paper.paper_id})})", width="content")
        if pf.corpus.coordinates is not None:
            x, y = pf.corpus.coordinates[row].tolist()
            st.button("Go there", on_click=go, args=(View(x, y, CLOSE_BY),), type="tertiary")
        _shelf_button(paper.paper_id, state.layer)
        st.button("Close", key="close-paper", on_click=change, kwargs={"paper": None}, type="tertiary")


def _shelf_button(paper_id: str, layers: tuple[str, ...]) -> None:
    if paper_id in on_shelf(layers):
        changed = {"layer": take_off(layers, paper_id)}
        st.button("Take off the shelf", key="shelf", on_click=change, kwargs=changed, type="tertiary")
    elif has_room(layers, paper_id):
        changed = {"layer": put_on(layers, paper_id)}
        st.button("Put on the shelf", key="shelf", on_click=change, kwargs=changed, type="tertiary", help=SHELF)
    else:
        st.button("Put on the shelf", key="shelf", disabled=True, type="tertiary", help=NO_ROOM)
