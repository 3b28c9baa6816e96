"""A result on the map: its papers as dots, and the way back to its answer."""

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown, readable
from pathfinder.landscape.scene import Dot
from pathfinder.ui import state as asked
from pathfinder.ui.landscape import change
from pathfinder.ui.landscape_state import MAX_QUESTION, MapState


def dots(pf: Pathfinder, state: MapState) -> tuple[Dot, ...]:
    """The papers of the result that the link names, numbered in its order; those that are not here are left out."""
    coordinates = pf.corpus.coordinates
    if not state.found or coordinates is None:
        return ()
    rows = pf.corpus.papers.rows_of(state.found)
    view = _view_of(state)
    outliers = {} if view is None else {hit.paper.paper_id: hit.outlier for hit in view.result.hits}
    found = []
    for rank, (paper_id, row) in enumerate(zip(state.found, rows.tolist(), strict=True), start=1):
        if row < 0:
            continue
        x, y = coordinates[row].tolist()
        paper = pf.corpus.papers[row]
        found.append(Dot(row, x, y, readable(paper.title), paper.year, rank, outliers.get(paper_id)))
    return tuple(found)


def found_line(state: MapState, n: int) -> None:
    """Which result is on the map, and the way back to it; nothing where there is none."""
    if not state.found:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="map-found"):
        papers = "1 paper" if n == 1 else f"{n} papers"
        st.markdown(f"{papers} found for “{for_markdown(state.q)}”" if state.q else f"{papers} found", width="content")
        if st.button("Back to the answer", icon=":material/arrow_back:"):
            if state.q and _view_of(state) is None:
                asked.ask_anew(state.q)
            st.switch_page("pages/ask.py")
        st.button("Take them off", on_click=change, kwargs={"found": (), "q": ""}, type="tertiary")


def _view_of(state: MapState) -> asked.View | None:
    """The answer of this tab, if it is the one whose papers the link names, and not that to another question."""
    view = asked.view()
    return view if view is not None and view.result.request.query[:MAX_QUESTION] == state.q else None
