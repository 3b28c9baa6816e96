"""The panel for a search result on the map: its papers as dots, and a link back to its answer."""

import streamlit as st

from pathfinder.landscape.drawing.scene import Dot, hit_dot
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.ui.map.map_page import change
from pathfinder.ui.map.map_state import MAX_QUESTION, MapState
from pathfinder.ui.shared import state as tab_state
from pathfinder.ui.stars import stars


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


def panel(pf: Pathfinder, state: MapState, n: int) -> None:
    """Name the result shown on the map, with a link back to its answer and a star for each of its papers; show nothing
    if no result is shown.
    """
    if not state.hits:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="map-found"):
        papers = "1 paper" if n == 1 else f"{n} papers"
        st.markdown(f"{papers} found for “{for_markdown(state.q)}”" if state.q else f"{papers} found", width="content")
        if st.button("Back to the answer", icon=":material/arrow_back:"):
            if state.q and _view_of(state) is None:
                tab_state.ask_anew(state.q)
            st.switch_page("pages/ask.py")
        st.button("Remove", on_click=change, kwargs={"hits": (), "q": ""}, type="tertiary")
    rows = pf.corpus.papers.rows_of(state.hits)
    ranked_ids = (
        (rank, paper_id) for rank, (paper_id, row) in enumerate(zip(state.hits, rows, strict=True), 1) if row >= 0
    )
    stars.row({paper_id: str(rank) for rank, paper_id in ranked_ids}, "map-found")


def _view_of(state: MapState) -> tab_state.ResultView | None:
    """Return the view of this tab if it belongs to the question in the link; otherwise `None`."""
    view = tab_state.view()
    return view if view is not None and view.result.request.query[:MAX_QUESTION] == state.q else None
