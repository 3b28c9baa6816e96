"""One paper of the map, opened by a click."""

from urllib.parse import urlencode

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown
from pathfinder.export.links import paper_link
from pathfinder.landscape.scene import View
from pathfinder.types import Paper
from pathfinder.ui.landscape import change, go
from pathfinder.ui.landscape_state import MapState
from pathfinder.ui.papers import facts

CLOSE_BY = 5.0
"""The zoom from which a paper and its neighbours are seen."""


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
        _ways_on(pf, paper, row)


def _ways_on(pf: Pathfinder, paper: Paper, row: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"[Similar papers](similar?{urlencode({'like': paper.paper_id})})", width="content")
        if pf.corpus.coordinates is not None:
            x, y = pf.corpus.coordinates[row].tolist()
            st.button("Go there", on_click=go, args=(View(x, y, CLOSE_BY),), type="tertiary")
        st.button("Close", key="close-paper", on_click=change, kwargs={"paper": None}, type="tertiary")
