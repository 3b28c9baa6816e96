"""Papers as a table to sort, search, select from, star and open: those of a result, of a shelf or of the library.

Streamlit's own table sorts its rows when a heading is clicked, and searches and shows columns from its toolbar.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pathfinder.facade import Pathfinder
from pathfinder.operations.export.bibtex import bibtex
from pathfinder.retrieval.factors import FACTORS, factors_of
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import Answer, Hit, Paper, SearchResult, Verdict, Weighting
from pathfinder.ui.papers import paper_page, selection
from pathfinder.ui.papers.paper_lines import authors, move, name_of_abstract
from pathfinder.ui.shared import resources, state
from pathfinder.ui.shared.frame import go, save
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.stars import stars

ROWS_IN_VIEW, ROW_PIXELS, HEADING_PIXELS = 10, 84, 38
"""Number of rows that are seen at once, the height of each, in which long texts take four lines, and of the heading."""
LONGEST_TITLE, LONGEST_FINDING = 100, 190
"""Maximum number of characters of a title and a finding that fit into four lines."""
FIRST_COLUMNS = ("rank", "title", "moved", "year", "star", "open", "authors", "citations", "finding", "live")
"""Columns shown at first if they say anything; the toolbar of the table shows the others."""

OPEN = ":material/open_in_full:"
Row = dict[str, Any]


@st.fragment
def of_result(view: state.ResultView, answer: Answer | None) -> None:
    """Draw the papers of a result; the selection is shared with the list and the map."""
    result, before = view.result, view.places_before
    rows = [
        {
            **({"star": None} if hit.live else {}),  # it is not in the corpus
            "open": OPEN,
            **row,
            "moved": move(rank, before.get(hit.paper.paper_id)) if before else "",
        }
        for rank, (row, hit) in enumerate(zip(table_rows(result, answer), result.hits, strict=True), start=1)
    ]
    ids = [hit.paper.paper_id for hit in result.hits]
    selected_ids = selection.selected_ids()
    key = f"table-of-papers-{selection.revision()}-{hash(tuple(ids))}"
    table(
        key,
        ids,
        rows,
        stars.open_shelf(),
        _columns(result.request.weighting),
        column_order=[name for name in FIRST_COLUMNS if any(row.get(name, name == "star") for row in rows)],
        height=ROW_PIXELS * min(len(rows), ROWS_IN_VIEW) + HEADING_PIXELS,
        row_height=ROW_PIXELS,
        selection_default={"selection": {"rows": [n for n, paper_id in enumerate(ids) if paper_id in selected_ids]}},
        on_select=lambda: selection.select(ids, st.session_state[key]["selection"]["rows"]),
        alt=f"{len(rows)} papers of the result",
    )
    if selection.has_changed():
        st.rerun()  # the list and the map show the selection too
    paper_page.draw_opened(view)


def table(
    key: str, ids: Sequence[str], about: Sequence[Row], shelf: Shelf | None, columns: Row | None = None, **options: Any
) -> list[int]:
    """Draw a table of papers: their stars, a button that opens each, and what is said `about` it, by column. Return the
    rows that are selected. `columns` are configured as said, and `options` are those of Streamlit's table.
    """
    starred = frozenset() if shelf is None else frozenset(shelf.paper_ids)

    def star(row: int) -> None:
        if shelf is not None:
            stars.toggle(shelf.name, (ids[row],))
            selection.mark_changed()  # the line above the list of a result counts what is on the shelf

    rows = [
        {"star": stars.FULL if paper_id in starred else stars.EMPTY, **row}
        for paper_id, row in zip(ids, about, strict=True)
    ]
    own = {
        "star": _button_column(f"{key}-star", "Star", star),
        "open": _button_column(f"{key}-open", "Open", lambda row: paper_page.open_paper(ids[row])),
    }
    shared: Row = {"hide_index": True, "placeholder": "", "on_select": "rerun", "selection_mode": "multi-row"}
    st.dataframe(rows, key=key, column_config=(columns or _PLAIN_COLUMNS) | own, **shared | options)
    selected = st.session_state[key]["selection"]["rows"] if key in st.session_state else []
    return [row for row in selected if row < len(ids)]


def _button_column(key: str, label: str, on_click: Callable[[int], object]) -> Any:
    """Make a column of buttons for the table `key`; `on_click` is called with the row."""

    def click() -> None:
        on_click(st.session_state[key]["row"])

    return st.column_config.ButtonColumn(label, width=60, type="tertiary", key=key, on_click=click)


def table_rows(result: SearchResult, answer: Answer | None) -> list[Row]:
    """Make a row for each hit, best first, with every score; `None` for what is unknown or was not computed."""
    # A sentence from each paper: one that the answer quotes, or else one that supports the answer.
    findings: dict[str, str] = {}
    for finding in answer.digest.findings if answer and answer.digest else ():
        findings.setdefault(finding.paper_id, readable(finding.sentence))
    for sentence in answer.ledger.sentences if answer and answer.ledger else ():
        for evidence in sentence.evidence if sentence.verdict is Verdict.SUPPORTED else ():
            findings.setdefault(evidence.source_id, readable(evidence.sentence))
    return [_row(rank, hit, findings.get(hit.paper.paper_id)) for rank, hit in enumerate(result.hits, start=1)]


def _short(text: str, most: int) -> str:
    """Return the words of `text` within `most` characters; some languages have no spaces."""
    cut = text[:most]
    return text if cut == text else f"{cut.rpartition(' ')[0] or cut} …"


def _row(rank: int, hit: Hit, finding: str | None) -> Row:
    paper, score = hit.paper, hit.score
    best_passage = readable(paper.abstract[hit.passages[0].start : hit.passages[0].end]) if hit.passages else ""
    sentence = finding or best_passage
    is_of_summary = paper.is_summary and sentence in readable(paper.abstract)  # and not of the paper's full text
    return {
        "rank": rank,
        "title": _short(readable(paper.title), LONGEST_TITLE),
        "authors": authors(paper),
        "year": paper.year,
        "journal": None if paper.journal is None else readable(paper.journal),
        "citations": paper.citation_count,
        "score": score.final,
        "finding": _short(f"Summary: {sentence}" if sentence and is_of_summary else sentence, LONGEST_FINDING) or None,
        "dense": score.dense,
        "sparse": score.sparse,
        "fused": score.fused,
        **{name: score.weight(name) for name in (*FACTORS.names(), *(name for name, _ in score.extra))},
        "outlier": None if hit.outlier is None else "yes" if hit.outlier else "no",
        "abstract": "yes" if paper.has_abstract else "no",
        "live": hit.live,
        "link": resources.paper_url(paper),
    }


def _columns(weighting: Weighting) -> dict[str, Any]:
    factors = factors_of(weighting)
    return {
        "rank": st.column_config.NumberColumn("Rank", width=50),
        "moved": st.column_config.TextColumn("Moved", width=80),
        "title": st.column_config.TextColumn("Title", width=245),
        "authors": st.column_config.TextColumn("Authors", width=150),
        "year": st.column_config.NumberColumn("Year", format="%d", width=70),
        "journal": st.column_config.TextColumn("Journal"),
        "citations": st.column_config.NumberColumn("Citations", width=80),
        "finding": st.column_config.TextColumn(
            "Finding", width="large", help="The sentence behind the answer, or else the passage that matched best."
        ),
        "outlier": st.column_config.TextColumn("Unlike the others"),
        "abstract": st.column_config.TextColumn("Has an abstract"),
        "live": st.column_config.TextColumn(
            "Live source", help="The live sources that found the paper, if it is not in the library."
        ),
        "link": st.column_config.LinkColumn("Link"),
        "score": _number_column("Score"),
        "dense": _number_column("Match by meaning", "Cosine similarity between the question and the paper."),
        "sparse": _number_column("Match by words", "BM25 score of the question's words in the paper."),
        "fused": _number_column("Match", "Both matches combined, before the other factors are applied."),
        **{factor.name: _number_column(factor.label, f"Weight, from 0 to 1: {factor.formula}.") for factor in factors},
    }


def _number_column(label: str, help_line: str | None = None) -> Any:
    heading = label[:1].upper() + label[1:]
    return st.column_config.NumberColumn(heading, format="%.3f", help=help_line and for_markdown(help_line))


# The papers of the open library: all of them, or those of a shelf.

MOST = 5000
"""Maximum number of papers in the table, the newest first; the others are found by words of their titles."""
_PLAIN_COLUMNS: Row = {
    "title": st.column_config.TextColumn("Title", width=460),
    "authors": st.column_config.TextColumn("Authors", width="medium"),
    "year": st.column_config.NumberColumn("Year", format="%d", width=70),
    "journal": st.column_config.TextColumn("Journal", width="medium"),
    "citations": st.column_config.NumberColumn("Citations", width=90),
    **{name: name.capitalize() for name in ("state", "why", "tags", "note")},
}


@st.fragment
def library(pf: Pathfinder, page_shelf: Shelf | None) -> None:
    """Draw the table, with what can be done with the papers that are selected in it. A star draws only this again,
    unless the shelf, which was `page_shelf` when the page was drawn, is stored in the browser: this takes the whole
    page.
    """
    words = st.text_input(
        "Words of the title", key="library-filter", type="search", live=True, placeholder="Words of a title"
    )
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


def draw_opened(papers: Iterable[Paper]) -> None:
    """Draw the drawer of the paper that was opened in a table, if one was."""
    opened, _ = paper_page.opened()
    if (paper := next((each for each in papers if each.paper_id == opened), None)) is not None:
        paper_page.drawer(paper)(_drawer)(paper)


@st.cache_resource(show_spinner="Listing the papers ...", max_entries=8, hash_funcs=resources.BY_CORPUS)
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
        go("ask")
    stars.star_all(ids, "library")
    save("BibTeX", lambda: bibtex(selected), "papers.bib", icon=":material/download:", type="tertiary")


def _drawer(paper: Paper) -> None:
    paper_page.head(paper, [("red", paper.warning)] if paper.warning else [], "library-drawer", stars.open_shelf())
    if paper.has_abstract:
        st.markdown(f"**{name_of_abstract(paper)}**\n\n{for_markdown(paper.abstract)}")
    st.code(bibtex([paper]), language="latex", wrap_lines=True)
