"""The Shelves page: the choice of a shelf, and its parts."""

from collections import Counter
from enum import StrEnum

import streamlit as st

from pathfinder.session import Pathfinder
from pathfinder.shelves.shelf import MAX_NAME, Shelf, State
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.papers import comparison_panel
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.state import standing
from pathfinder.ui.shelves import files, missing_panel, scope, shelved_papers
from pathfinder.ui.stars import own_shelves

_NAME, _CHOICE, _PART = "shelf-new-name", "shelf-choice", "shelf-part"
HERE = "Your shelves are in a file on this machine, in the folder PATHFINDER_DATA."
ELSEWHERE = (
    "Your shelves are stored in this browser only: nobody else sees them, and another browser does not have them. "
    "Under *Import and export*, you can download a shelf as a file."
)


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
        scope.buttons(pf, shelf)
    part = st.segmented_control(
        "Part", [*Part], default=standing(_PART, Part.PAPERS), key=_PART, required=True, label_visibility="collapsed"
    )
    if part == Part.FILES:
        files.panel(pf, shelf)
    elif not shelf.papers:
        st.info("No papers yet. Press a paper's star on any page, or import a file under *Import and export*.")
    elif part == Part.COMPARISON:
        comparison_panel.panel(pf, shelf.inside)
    elif part == Part.MISSING:
        missing_panel.panel(pf, shelf)
    else:
        shelved_papers.panel(pf, shelf)


def _choice(shelf: Shelf, shelves: tuple[Shelf, ...]) -> None:
    """Let the reader choose a shelf, create one, and undo the last change to the open one."""
    names = sorted({shelf.name, *(each.name for each in shelves)})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = own_shelves.widget_key(_CHOICE, shelf.name)
        st.selectbox("Shelf", names, names.index(shelf.name), key=key, on_change=_open, args=(key,), width=320)
        with st.popover("New shelf", icon=":material/add:"):
            st.text_input("Name", key=_NAME, max_chars=MAX_NAME)
            st.button("Create", key="shelf-make", on_click=_make, type="primary")
        st.button(
            "Undo",
            key="shelf-undo",
            icon=":material/undo:",
            on_click=own_shelves.undo,
            args=(shelf.name,),
            disabled=not own_shelves.own_shelves().can_undo(shelf.name),
            help="Undoes the last change to this shelf; press again for earlier ones, as far as they are stored.",
        )
    counts = Counter(paper.state for paper in shelf.papers)
    parts = [f"{counts[state]:,} {state}" for state in State if counts[state]]
    n = len(shelf.papers)
    st.markdown(" · ".join((f"**{n:,} {'paper' if n == 1 else 'papers'}**", *map(for_markdown, parts))))


def _open(key: str) -> None:
    own_shelves.choose(st.session_state[key])


def _make() -> None:
    """Open an empty shelf; it is stored with its first paper."""
    name = st.session_state[_NAME].strip()
    if own_shelves.begin(name):
        st.session_state[_NAME] = ""
