"""A shelf as a scope: ask it, find papers like it, and see it on the map."""

import streamlit as st

from pathfinder.session import Pathfinder
from pathfinder.session.shelves import MAX_MORE, papers_of
from pathfinder.shelves.shelf import Shelf
from pathfinder.ui import similar
from pathfinder.ui.map import shelf as map_shelf
from pathfinder.ui.screening import state as screening_state
from pathfinder.ui.shared import state
from pathfinder.ui.shared.visit_corpus import link_parameters

OUT_HELP = "Papers that are out do not count."


def buttons(pf: Pathfinder, shelf: Shelf) -> None:
    """Draw the buttons that take the shelf to other pages."""
    papers = papers_of(pf, shelf)
    inside = tuple(paper_id for paper_id in shelf.inside if paper_id in papers)
    outside = tuple(paper_id for paper_id in papers if paper_id not in inside)
    with st.container(horizontal=True):
        if st.button("Ask this shelf", icon=":material/search:", disabled=not inside, help=OUT_HELP):
            state.search_only(inside)
            st.switch_page("pages/ask.py", query_params=link_parameters())
        if st.button("Screen this shelf", icon=":material/rule:", disabled=len(inside) < 2, help=OUT_HELP):
            st.session_state[screening_state.SHELF] = shelf.name
            st.switch_page("pages/screen.py", query_params=link_parameters())
        _more(inside, outside)
        _map(pf, inside)


def _more(inside: tuple[str, ...], outside: tuple[str, ...]) -> None:
    """Draw the button for similar papers, which start from the last papers on the shelf."""
    help_line = f"Less like those that are out. The last {MAX_MORE} of each count."
    if st.button("More like these", icon=":material/join_inner:", disabled=not inside, help=help_line):
        similar.choose(inside[-MAX_MORE:], outside[-MAX_MORE:])
        st.switch_page("pages/similar.py", query_params=link_parameters())


def _map(pf: Pathfinder, inside: tuple[str, ...]) -> None:
    """Draw the button for the map, whose address limits the number of papers."""
    if pf.corpus.coordinates is None:
        return
    layers, left_out = map_shelf.put_typed_on((), ";".join(inside))
    help_line = OUT_HELP
    if left_out:
        help_line += f" The map's address has room for {len(inside) - len(left_out):,} of the {len(inside):,} papers."
    if st.button("On the map", icon=":material/map:", disabled=not layers, help=help_line):
        st.switch_page("pages/map.py", query_params={"layer": list(layers), **link_parameters()})
