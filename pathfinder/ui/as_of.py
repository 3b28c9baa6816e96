"""A line above every page: it shows the year as of which the corpus is read, and lets the reader change it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from pathfinder.corpus.as_of import describe_as_of, still_later
from pathfinder.errors import PathfinderError
from pathfinder.facade import Pathfinder
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.shared import resources, visit_corpus
from pathfinder.ui.shared.frame import script

_INPUT = "as-of-year"
_HELP = (
    "Search, count and draw as if it were the end of the year you choose: papers dated later, and papers without a "
    "date, are left out, except where a page says that it is about the whole library. Links to pages keep the year."
)


def bar() -> bool:
    """Draw, above every page, as of which year it is drawn; return whether it can be."""
    if note := visit_corpus.year_note():
        st.warning(for_markdown(note))
    year = visit_corpus.year()
    if year is None:
        return True
    st.query_params[visit_corpus.YEAR_LINK] = str(year)
    try:
        pf = resources.pathfinder()
    except PathfinderError as error:
        st.error(for_markdown(str(error)))
        _back()
        return False
    if (as_of := pf.corpus.as_of) is None:
        return True
    with st.container(key="as-of", horizontal=True, vertical_alignment="center"):
        st.badge(f"As of {year}: {as_of.share}", icon=":material/history:", color="orange", width="content")
        description = describe_as_of(pf.corpus).removeprefix(f"{as_of.share}; ")
        later = "; ".join(still_later(pf.corpus))
        _choice("Change", year, f"{description[0].upper()}{description[1:]}. Still as of today: {later}.")
        _back()
    return True


def today() -> None:
    """Draw the open library, and the choice of a year, unless one is chosen. It stands beside the navigation, where the
    style sheet puts it: it is drawn last, because without the style sheet it would push the page down.
    """
    if visit_corpus.year() is not None:
        return
    try:
        corpus = resources.pathfinder().corpus
        day = f" · to {corpus.snapshot.year}" if corpus.snapshot else ""
        library = f"{for_markdown(corpus.name.name)} · {counted(corpus.name.n_papers, 'paper')}{day}"
    except PathfinderError:
        library = "No library"
    _choice(library, None)


def wait_for_map(pf: Pathfinder) -> None:
    """Draw the map as of the year on screen, unless it has been drawn already; the page shows a message meanwhile."""
    if pf.year is not None:
        with st.spinner(f"Drawing the map as of {pf.year} ..."):
            pf.view.draw()


def whole_corpus() -> None:
    """Say that a page is about the whole corpus, if the reader reads it as of a year."""
    if visit_corpus.year() is not None:
        st.caption("This page is about the whole library, whatever the year.")


def _choice(label: str, year: int | None, note: str = "") -> None:
    icon = ":material/library_books:" if year is None else None
    with st.popover(label, key="library", icon=icon, type="tertiary", width="content", on_change="rerun") as lid:
        if not lid.open:
            return
        libraries("popover")
        st.page_link(script("library"), label="All about this library", icon=":material/library_books:")
        key = f"{_INPUT}-{year}"
        look: dict[str, Any] = {"placeholder": "today", "help": _HELP}

        def choose() -> None:
            visit_corpus.choose_year(st.session_state[key])

        st.number_input("As of the end of the year", 1, 9999, year, 1, "%d", key, on_change=choose, **look)
        if note:
            st.caption(note)


def libraries(place: str) -> None:
    """Let the visitor open another library, if any is offered; `place` is where the choice is drawn."""
    folders, here = visit_corpus.offered_corpora(), visit_corpus.folder_of_visit()
    names = list(folders)
    current = next((place for place, folder in enumerate(folders.values()) if folder == here), None)
    if names[1:] or (current is None and names):
        key = f"{place}-libraries-{here}"
        st.radio("Open library", names, current, key=key, on_change=_open, args=(key, folders), horizontal=True)


def _open(key: str, folders: Mapping[str, Path]) -> None:
    visit_corpus.choose(folders[st.session_state[key]])
    # A region, chosen papers and other settings of the address are those of the library before.
    kept = {name: st.query_params.get_all(name) for name in {"q", *visit_corpus.OF_PLACES} & {*st.query_params}}
    st.query_params.from_dict(kept)


def _back() -> None:
    icon = ":material/undo:"
    st.button(
        "Back to today", "as-of-back", icon=icon, type="tertiary", on_click=visit_corpus.choose_year, args=(None,)
    )
