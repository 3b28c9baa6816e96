"""The papers of a result as a table to sort, search and select from; the selection is shared with the list and the map.

Streamlit's own table sorts its rows when a heading is clicked, and searches and shows columns from its toolbar.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pathfinder.retrieval.factors import FACTORS, factors_of
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import Answer, Hit, SearchResult, Verdict, Weighting
from pathfinder.ui.papers import paper_page, selection
from pathfinder.ui.papers.paper_lines import authors, move
from pathfinder.ui.shared import resources
from pathfinder.ui.shared.state import ResultView
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
def table(view: ResultView, answer: Answer | None) -> None:
    """Draw the table."""
    result = view.result
    shelf, before = stars.open_shelf(), view.places_before
    starred = () if shelf is None else shelf.paper_ids
    rows = [
        {
            "star": None if hit.live else stars.FULL if hit.paper.paper_id in starred else stars.EMPTY,  # in the corpus
            "open": OPEN,
            **row,
            "moved": move(rank, before.get(hit.paper.paper_id)) if before else "",
        }
        for rank, (row, hit) in enumerate(zip(table_rows(result, answer), result.hits, strict=True), start=1)
    ]
    ids = [hit.paper.paper_id for hit in result.hits]
    selected_ids = selection.selected_ids()
    key = f"table-of-papers-{selection.revision()}-{hash(tuple(ids))}"
    st.dataframe(
        rows,
        key=key,
        column_order=[name for name in FIRST_COLUMNS if any(row[name] for row in rows)],
        column_config=_columns(result.request.weighting)
        | {
            "star": button_column(f"{key}-star", "Star", lambda row: _star(ids[row], shelf)),
            "open": button_column(f"{key}-open", "Open", lambda row: paper_page.open_paper(ids[row])),
        },
        hide_index=True,
        height=ROW_PIXELS * min(len(rows), ROWS_IN_VIEW) + HEADING_PIXELS,
        row_height=ROW_PIXELS,
        placeholder="",
        selection_mode="multi-row",
        selection_default={"selection": {"rows": [n for n, paper_id in enumerate(ids) if paper_id in selected_ids]}},
        on_select=lambda: selection.select(ids, st.session_state[key]["selection"]["rows"]),
        alt=f"{len(rows)} papers of the result",
    )
    if selection.has_changed():
        st.rerun()  # the list and the map show the selection too
    paper_page.draw_opened(view)


def _star(paper_id: str, shelf: Shelf | None) -> None:
    if shelf is not None:
        stars.toggle(shelf.name, (paper_id,))
        selection.mark_changed()  # the line above the list counts what is on the shelf


def button_column(key: str, label: str, on_click: Callable[[int], object]) -> Any:
    """Make a column of buttons for the table `key`; `on_click` is called with the row."""

    def click() -> None:
        on_click(st.session_state[key]["row"])

    return st.column_config.ButtonColumn(label, width=60, type="tertiary", key=key, on_click=click)


def table_rows(result: SearchResult, answer: Answer | None) -> list[Row]:
    """Make a row for each hit, best first, with every score; `None` for anything that is unknown or was not
    computed.
    """
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
    return {
        "rank": rank,
        "title": _short(readable(paper.title), LONGEST_TITLE),
        "authors": authors(paper),
        "year": paper.year,
        "journal": None if paper.journal is None else readable(paper.journal),
        "citations": paper.citation_count,
        "score": score.final,
        "finding": _short(finding or _best_passage(hit), LONGEST_FINDING) or None,
        "dense": score.dense,
        "sparse": score.sparse,
        "fused": score.fused,
        **{name: score.weight(name) for name in (*FACTORS.names(), *(name for name, _ in score.extra))},
        "outlier": None if hit.outlier is None else "yes" if hit.outlier else "no",
        "abstract": "yes" if paper.has_abstract else "no",
        "live": hit.live,
        "link": resources.paper_url(paper),
    }


def _best_passage(hit: Hit) -> str:
    if not hit.passages:
        return ""
    return readable(hit.paper.abstract[hit.passages[0].start : hit.passages[0].end])


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
        "outlier": st.column_config.TextColumn("Outlier"),
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
