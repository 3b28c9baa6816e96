"""A line above every page: it shows the year as of which the corpus is read, and lets the reader change it."""

import streamlit as st

from pathfinder.corpus.as_of import describe_as_of, still_later
from pathfinder.errors import PathfinderError
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.shared import resources, visit_corpus

WHOLE_PAGES = frozenset({"corpus", "watch", "evaluate", "judge", "about"})
"""Addresses of the pages that are about the whole corpus, whatever the year."""
_INPUT = "as-of-year"
_HELP = (
    "Search, count and draw as if it were the end of the year you choose: papers dated later, and papers without a "
    "date, are left out, except on the pages Corpus, Watch, Evaluate, Judge and About, which are about the whole "
    "corpus. Links to pages keep the year."
)
_STYLES = """<style>
.st-key-as-of { flex-wrap: wrap; }
.st-key-as-of-today { margin-bottom: -3.4rem; z-index: 1; pointer-events: none; }
.st-key-as-of-today > * { pointer-events: auto; }
/* A phone has room for the icon beside the title; the words stay for those who hear the page. */
@media (max-width: 899px) { .st-key-as-of-today [data-testid="stMarkdownContainer"] {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); } }
</style>"""


def bar(page: str) -> bool:
    """Draw the line above the page at address `page`; return whether the page can be drawn as of the chosen year."""
    st.html(_STYLES)
    if note := visit_corpus.year_note():
        st.warning(for_markdown(note))
    year = visit_corpus.year()
    if year is None:
        with st.container(key="as-of-today", horizontal=True, horizontal_alignment="right"):
            _choice("As of today", None)
        return True
    st.query_params[visit_corpus.YEAR_LINK] = str(year)
    try:
        _badge(resources.pathfinder(), year, page)
    except PathfinderError as error:
        st.error(for_markdown(str(error)))
        _back()
        return page in WHOLE_PAGES
    return True


def wait_for_map(pf: Pathfinder) -> None:
    """Draw the map as of the year on screen, unless it has been drawn already; the page shows a message meanwhile."""
    if pf.year is not None:
        with st.spinner(f"Drawing the map as of {pf.year} ..."):
            pf.view.draw()


def _badge(pf: Pathfinder, year: int, page: str) -> None:
    as_of = pf.corpus.as_of
    if as_of is None:
        return
    with st.container(key="as-of", horizontal=True, vertical_alignment="center"):
        st.badge(f"As of {year}: {as_of.share}", icon=":material/history:", color="orange", width="content")
        _choice("Change", year)
        _back()
    if page in WHOLE_PAGES:
        st.caption("This page is about the whole corpus, whatever the year.")
        return
    description = describe_as_of(pf.corpus).removeprefix(f"{as_of.share}; ")
    st.caption(f"{description[0].upper()}{description[1:]}. Still as of today: {'; '.join(still_later(pf.corpus))}.")


def _choice(label: str, year: int | None) -> None:
    with st.popover(label, icon=":material/history:" if year is None else None, type="tertiary", width="content"):
        st.number_input(
            "As of the end of the year",
            min_value=1,
            max_value=9999,
            value=year,
            step=1,
            format="%d",
            placeholder="today",
            key=f"{_INPUT}-{year}",
            on_change=_choose,
            args=(f"{_INPUT}-{year}",),
            help=_HELP,
        )


def _choose(key: str) -> None:
    year = st.session_state[key]
    visit_corpus.choose_year(None if year is None else int(year))


def _back() -> None:
    st.button(
        "Back to today",
        key="as-of-back",
        icon=":material/undo:",
        type="tertiary",
        on_click=visit_corpus.choose_year,
        args=(None,),
    )
