"""The panel for the paper opened by a click on the map."""

from collections.abc import Sequence
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from pathfinder.facade import Pathfinder
from pathfinder.landscape.drawing.scene import Dot, MapView, hit_dot
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.ui.map.map_page import change, go
from pathfinder.ui.map.map_state import MAX_QUESTION, MapState, has_room, mark, marked_ids, unmark
from pathfinder.ui.papers import paper_page
from pathfinder.ui.shared import state as tab_state
from pathfinder.ui.shared.address import Form
from pathfinder.ui.shared.frame import script
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
        st.info(f"The paper {for_markdown(state.paper)} in this link is not in this library.")
        return
    paper = pf.corpus.papers[row]
    with st.container(border=True, gap="xsmall", key="map-paper"):
        paper_page.brief(paper, paper.paper_id)
        if paper.abstract:
            with st.expander("Summary" if paper.is_summary else "Abstract", type="compact"):
                st.markdown(for_markdown(paper.abstract))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            link = urlencode({"like": paper.paper_id} | link_parameters())
            st.markdown(f"[Similar papers](similar?{link})", width="content")
            if pf.corpus.coordinates is not None:
                x, y = pf.corpus.coordinates[row].tolist()
                st.button("Show on the map", on_click=go, args=(MapView(x, y, PAPER_ZOOM),), type="tertiary")
            stars.star(paper.paper_id, "map-paper", stars.open_shelf())
            is_marked, may_mark = paper.paper_id in marked_ids(state.layer), has_room(state.layer, paper.paper_id)
            label, turned = ("Remove mark", unmark) if is_marked else ("Mark on the map", mark)
            marks = partial(change, layer=turned(state.layer, paper.paper_id))
            tip, is_off = None if is_marked else MARK_HELP if may_mark else NO_ROOM, not (is_marked or may_mark)
            st.button(label, "mark-paper", tip, marks, type="tertiary", disabled=is_off)
            st.button("Close", key="close-paper", on_click=change, kwargs={"paper": None}, type="tertiary")


# The panel for a search result on the map: its papers as dots, and a link back to its answer.


def dots(pf: Pathfinder, state: MapState) -> tuple[Dot, ...]:
    """Make dots for the papers named in the link, numbered in the order of the link; papers not in this corpus are left
    out, unless a live source found them for the question in this tab.
    """
    coordinates = pf.corpus.coordinates
    if not state.hits or coordinates is None:
        return ()
    rows = pf.corpus.papers.rows_of(state.hits)
    view = _view_of(state)
    hits = {} if view is None else {hit.paper.paper_id: hit for hit in view.result.hits}
    dots_drawn = []
    for rank, (paper_id, row) in enumerate(zip(state.hits, rows.tolist(), strict=True), start=1):
        hit = hits.get(paper_id)
        if row >= 0:
            x, y = coordinates[row].tolist()
            paper, outlier = pf.corpus.papers[row], hit.outlier if hit else None
            dots_drawn.append(Dot(row, x, y, readable(paper.title), paper.year, rank, outlier))
        elif hit is not None and hit.live and (dot := hit_dot(hit, rank, coordinates)) is not None:
            dots_drawn.append(dot)
    return tuple(dots_drawn)


def result_panel(pf: Pathfinder, state: MapState, dots: Sequence[Dot]) -> None:
    """Name the result shown on the map, if one is, with a link back to its answer and one star for its papers."""
    if not state.hits:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="map-found"):
        papers = counted(len(dots), "paper")
        st.markdown(f"{papers} found for “{for_markdown(state.q)}”" if state.q else f"{papers} found", width="content")
        if st.button("Back to the answer", icon=":material/arrow_back:"):
            if state.q and _view_of(state) is None:
                tab_state.keep_form(Form(question=state.q))
            st.switch_page(script("ask"))
        st.button("Remove", on_click=change, kwargs={"hits": (), "q": ""}, type="tertiary")
    if any(dot.outlier for dot in dots):
        st.caption(":orange[◆] unlike the others")
    rows = pf.corpus.papers.rows_of(state.hits)
    stars.star_all((paper_id for paper_id, row in zip(state.hits, rows, strict=True) if row >= 0), "map-found")


def _view_of(state: MapState) -> tab_state.ResultView | None:
    """Return the view of this tab if it belongs to the question in the link; otherwise `None`."""
    view = tab_state.view()
    return view if view is not None and view.result.request.query[:MAX_QUESTION] == state.q else None
