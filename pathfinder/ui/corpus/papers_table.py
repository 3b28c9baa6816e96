"""Papers of the open library as a table to sort, select from, star and open: all of them, or those of a shelf."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pathfinder.export.bibtex import bibtex
from pathfinder.facade import Pathfinder
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import Paper
from pathfinder.ui.map.map_cache import BY_CORPUS
from pathfinder.ui.papers.paper_lines import name_of_abstract
from pathfinder.ui.papers.paper_page import head
from pathfinder.ui.papers.paper_table import OPEN, Row, button_column
from pathfinder.ui.shared import state
from pathfinder.ui.shared.frame import save, script
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.visit_corpus import link_parameters
from pathfinder.ui.stars import stars

MOST = 5000
"""Maximum number of papers in the table, the newest first; the others are found by words of their titles."""
_FILTER, _OPENED = "library-filter", "library-opened"


@st.fragment
def panel(pf: Pathfinder, page_shelf: Shelf | None) -> None:
    """Draw the table, with what can be done with the papers that are selected in it. A star draws only this again,
    unless the shelf, which was `page_shelf` when the page was drawn, is stored in the browser: this takes the whole
    page.
    """
    words = st.text_input("Words of the title", key=_FILTER, type="search", live=True, placeholder="Words of a title")
    papers, about = _listed(pf, str(words or ""))
    shelf = stars.open_shelf()
    if shelf != page_shelf and not is_visited_here():
        st.rerun()
    actions = st.container(horizontal=True, vertical_alignment="center")
    ids, n_all = [paper.paper_id for paper in papers], len(pf.corpus.papers)
    chosen = table(f"library-table-{words}", ids, about, shelf, height=560, alt=f"{len(ids):,} of {n_all:,} papers")
    with actions:
        _actions([papers[row] for row in chosen], len(papers), n_all)
    draw_opened(papers)


def table(key: str, ids: Sequence[str], about: Sequence[Row], shelf: Shelf | None, **options: Any) -> list[int]:
    """Draw a table of papers: their stars, a button that opens each, and what is said `about` it, by column. Return the
    rows that are selected. `options` are those of Streamlit's table.
    """
    starred = frozenset() if shelf is None else frozenset(shelf.paper_ids)

    def star(row: int) -> None:
        if shelf is not None:
            stars.toggle(shelf.name, (ids[row],))

    def keep_open(row: int) -> None:
        st.session_state[_OPENED] = ids[row]

    st.dataframe(
        [
            {"star": stars.FULL if paper_id in starred else stars.EMPTY, **row}
            for paper_id, row in zip(ids, about, strict=True)
        ],
        key=key,
        hide_index=True,
        placeholder="",
        on_select="rerun",
        column_config={
            "star": button_column(f"{key}-star", "Star", star),
            "title": st.column_config.TextColumn("Title", width=460),
            "open": button_column(f"{key}-open", "Open", keep_open),
            "authors": st.column_config.TextColumn("Authors", width="medium"),
            "year": st.column_config.NumberColumn("Year", format="%d", width=70),
            "journal": st.column_config.TextColumn("Journal", width="medium"),
            "citations": st.column_config.NumberColumn("Citations", width=90),
            **{name: name.capitalize() for name in ("state", "why", "tags", "note")},
        },
        **{"selection_mode": "multi-row"} | options,
    )
    rows = st.session_state[key]["selection"]["rows"] if key in st.session_state else []
    return [row for row in rows if row < len(ids)]


def draw_opened(papers: Iterable[Paper]) -> None:
    """Draw the drawer of the paper that was opened in a table, if one was."""
    opened = st.session_state.pop(_OPENED, None)
    if (paper := next((each for each in papers if each.paper_id == opened), None)) is not None:
        st.dialog(for_markdown(paper.title), width="medium", position="right", on_dismiss="rerun")(_drawer)(paper)


@st.cache_resource(show_spinner="Listing the papers ...", max_entries=8, hash_funcs=BY_CORPUS)
def _listed(pf: Pathfinder, words: str) -> tuple[list[Paper], list[Row]]:
    """Return the papers whose titles have all words, the newest if there are none, and what the table says of each; it
    is made once, since each star draws the table again.
    """
    everything = pf.corpus.papers
    rows = np.argsort(-everything.published_days(), kind="stable")[:MOST]
    if words.strip():
        rows = everything.rows_with_title_words(words, MOST)
    papers = list(everything.take(rows))
    return papers, [row(paper) for paper in papers]


def row(paper: Paper) -> Row:
    """Return what a table says of a paper; `None` for what is unknown."""
    return {
        "title": readable(paper.title),
        "open": OPEN,
        "authors": "; ".join((*map(readable, paper.authors), *(["et al."] if paper.has_more_authors else []))) or None,
        "year": paper.known_year,
        "journal": readable(paper.journal or "") or None,
        "citations": paper.citation_count,
    }


def _actions(selected: list[Paper], n_shown: int, n_all: int) -> None:
    if not selected:
        st.caption(f"{n_shown:,} of {n_all:,} papers. Select some to ask, star or take them home.")
        return
    ids = tuple(paper.paper_id for paper in selected)
    if st.button("Ask these", key="library-ask", icon=":material/search:", type="primary"):
        state.ask_within(ids)
        st.switch_page(script("ask"), query_params=link_parameters())
    stars.star_all(ids, "library")
    save("BibTeX", lambda: bibtex(selected), "papers.bib", icon=":material/download:", type="tertiary")


def _drawer(paper: Paper) -> None:
    head(paper, [("red", paper.warning)] if paper.warning else [], "library-drawer", stars.open_shelf())
    if paper.has_abstract:
        st.markdown(f"**{name_of_abstract(paper)}**\n\n{for_markdown(paper.abstract)}")
    st.code(bibtex([paper]), language="latex", wrap_lines=True)
