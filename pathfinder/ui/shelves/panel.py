"""The Shelves page: the choice of a shelf, and its parts."""

from collections import Counter
from enum import StrEnum

import streamlit as st

from pathfinder.session import Pathfinder
from pathfinder.session.shelves import MAX_MORE, MissingPaper, missing_papers, papers_of
from pathfinder.shelves.shelf import MAX_NAME, Shelf, State
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui import similar
from pathfinder.ui.map.marked_papers import mark_several
from pathfinder.ui.papers import comparison_panel
from pathfinder.ui.papers.papers import facts
from pathfinder.ui.screening import state as screening_state
from pathfinder.ui.shared import resources, state
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.state import standing
from pathfinder.ui.shared.visit_corpus import link_parameters
from pathfinder.ui.shelves import files, names, shelved_papers
from pathfinder.ui.stars import own_shelves, stars

_NAME, _CHOICE, _PART = "shelf-new-name", "shelf-choice", "shelf-part"
HERE = "Your shelves are in a file on this machine, in Pathfinder's data folder (PATHFINDER_DATA)."
ELSEWHERE = (
    "Your shelves are stored in this browser only: nobody else sees them, and another browser does not have them. "
    "Under *Import and export*, you can download a shelf as a file."
)
OUT_HELP = "Papers marked as out are not included."
N_MISSING = 10
"""Number of papers on the list of missing papers."""


class Part(StrEnum):
    """Part of the page."""

    PAPERS = "Papers"
    COMPARISON = "Comparison"
    MISSING = "What is missing"
    FILES = "Import and export"


def panel(pf: Pathfinder) -> None:
    """Draw the page."""
    st.caption(HERE if is_visited_here() else ELSEWHERE)
    shelves = own_shelves.own_shelves().shelves()
    shelf = own_shelves.open_shelf(shelves)
    _choice(shelf, shelves)
    if shelf.papers:
        _scope_buttons(pf, shelf)
    part = st.segmented_control(
        "Part", [*Part], default=standing(_PART, Part.PAPERS), key=_PART, required=True, label_visibility="collapsed"
    )
    if part == Part.FILES:
        files.panel(pf, shelf)
    elif not shelf.papers:
        st.info(
            "This shelf has been deleted. *Undo* brings it back."
            if shelf not in shelves and own_shelves.own_shelves().can_undo(shelf.name)
            else "No papers yet. Press a paper's star on any page, or import a file under *Import and export*."
        )
    elif part == Part.COMPARISON:
        comparison_panel.panel(pf, shelf.inside)
    elif part == Part.MISSING:
        _missing_papers(pf, shelf)
    else:
        shelved_papers.panel(pf, shelf)


def _choice(shelf: Shelf, shelves: tuple[Shelf, ...]) -> None:
    """Let the reader choose a shelf, create one, and rename, delete or restore the open one."""
    shelf_names = sorted({shelf.name, *(each.name for each in shelves)})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = own_shelves.widget_key(_CHOICE, shelf.name)
        st.selectbox(
            "Shelf", shelf_names, shelf_names.index(shelf.name), key=key, on_change=_open, args=(key,), width=320
        )
        with st.popover("New shelf", icon=":material/add:"):
            st.text_input("Name", key=_NAME, max_chars=MAX_NAME)
            st.button("Create", key="shelf-make", on_click=_make, type="primary")
        names.buttons(shelf, is_stored=shelf in shelves)
    counts = Counter(paper.state for paper in shelf.papers)
    parts = [f"{counts[each]:,} {each}" for each in State if counts[each]]
    n = len(shelf.papers)
    st.markdown(" · ".join((f"**{n:,} {'paper' if n == 1 else 'papers'}**", *map(for_markdown, parts))))


def _open(key: str) -> None:
    own_shelves.choose(st.session_state[key])


def _make() -> None:
    """Open an empty shelf; it is stored with its first paper."""
    name = st.session_state[_NAME].strip()
    if own_shelves.begin(name):
        st.session_state[_NAME] = ""


def _missing_papers(pf: Pathfinder, shelf: Shelf) -> None:
    """List the missing papers, each with its ties to the shelf."""
    st.caption(
        "Papers cited by those on this shelf, or similar to them. Papers marked as out do not count."
        if pf.corpus.network is not None
        else "Papers similar to those on this shelf; this corpus has no citation network."
    )
    for each in missing_papers(pf, shelf, N_MISSING):
        with st.container(border=True, gap="xsmall"):
            st.markdown(f"**[{for_markdown(each.paper.title)}]({resources.paper_url(each.paper)})**")
            st.caption(" · ".join((_ties(each), *facts(each.paper))))
            stars.star(each.paper.paper_id, f"missing-{each.paper.paper_id}", shelf)


def _ties(missing: MissingPaper) -> str:
    ties = []
    if missing.n_cited_by:
        papers = "1 paper" if missing.n_cited_by == 1 else f"{missing.n_cited_by} papers"
        ties.append(f"**cited by {papers} here**")
    if missing.similar_rank is not None:
        ties.append(f"**likeness: rank {missing.similar_rank}**")
    return ", ".join(ties)


def _scope_buttons(pf: Pathfinder, shelf: Shelf) -> None:
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
        _more_button(inside, outside)
        _map_button(pf, inside)


def _more_button(inside: tuple[str, ...], outside: tuple[str, ...]) -> None:
    """Draw the button that opens the Similar page with the last papers on the shelf as examples."""
    help_line = f"Papers like those here, but unlike those marked as out. Only the last {MAX_MORE} of each kind count."
    if st.button("More like these", icon=":material/join_inner:", disabled=not inside, help=help_line):
        similar.choose(inside[-MAX_MORE:], outside[-MAX_MORE:])
        st.switch_page("pages/similar.py", query_params=link_parameters())


def _map_button(pf: Pathfinder, inside: tuple[str, ...]) -> None:
    """Draw the button that opens the map, whose address limits the number of papers."""
    if pf.corpus.coordinates is None:
        return
    layers, left_out = mark_several((), ";".join(inside))
    help_line = OUT_HELP
    if left_out:
        help_line += f" The map's address has room for {len(inside) - len(left_out):,} of the {len(inside):,} papers."
    if st.button("On the map", icon=":material/map:", disabled=not layers, help=help_line):
        st.switch_page("pages/map.py", query_params={"layer": list(layers), **link_parameters()})
