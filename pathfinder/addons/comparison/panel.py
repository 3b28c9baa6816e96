"""Papers compared column by column, with the choice of criteria and columns, a filter, and the downloads."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, NamedTuple

import streamlit as st

from pathfinder.addons.comparison.comparison import (
    DEFAULT_COLUMNS,
    MAX_COLUMNS,
    MAX_PAPERS,
    comparison_table,
    stream_comparison_table,
)
from pathfinder.addons.comparison.criteria import MAX_CRITERIA, has_conditions, read_criteria
from pathfinder.addons.comparison.outcome import ComparisonCell, ComparisonTable, Mark
from pathfinder.addons.comparison.writing import byline, comparison_csv, comparison_latex, comparison_markdown
from pathfinder.facade import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import CorpusName
from pathfinder.ui import road
from pathfinder.ui.settings import controls, copied_call
from pathfinder.ui.shared import jobs, resources, visit_corpus
from pathfinder.ui.shared.frame import go, save
from pathfinder.ui.shared.panels import Panel, registry
from pathfinder.ui.shared.state import kept, standing

TASK = "comparison"
_COLUMNS, _CRITERIA, _MET = "comparison-columns", "comparison-criteria", "comparison-met"
_ORDER, _FILLED = "comparison-requested", "comparison-filled"
OFFERED_COLUMNS = (*DEFAULT_COLUMNS, "data", "instrument", "conclusion")
_COLOURS = {Mark.YES: "green", Mark.NO: "red", Mark.UNKNOWN: "gray"}

ComparisonJob = jobs.Job[str, ComparisonTable]


class _Comparison(NamedTuple):
    """A table that a reader may request."""

    corpus: CorpusName
    paper_ids: tuple[str, ...]
    columns: tuple[str, ...]
    criteria: tuple[str, ...]
    model: str
    """Chat model that fills in the table; empty if there is none."""


def panel(pf: Pathfinder, paper_ids: Sequence[str], asked: str | None = None) -> None:
    """Draw the table for papers in the corpus, filled in with their sentences or, on request, by the chat model.

    `asked` is the question that they are about; by default that of the page.
    """
    if len(paper_ids) > MAX_PAPERS:
        st.caption(f"The first {MAX_PAPERS} of {len(paper_ids)} papers are compared.")
    ids = tuple(paper_ids[:MAX_PAPERS])
    question = st.query_params.get("q", "") if asked is None else asked
    read, key = read_criteria(question, pf.profile), f"{_CRITERIA}-{question}"
    look: dict[str, Any] = {"placeholder": "Choose or type a condition", "max_selections": MAX_CRITERIA}
    look["help"] = (
        'Each paper is marked "yes", "no" or "unknown", with the sentence that shows it. Type any condition, such as '
        '"z > 6", "at least 50 objects", "machine learning" or "not simulations".'
    )
    options = [*dict.fromkeys((*read, *st.session_state.get(key, ())))]
    first = standing(key, list(read) if has_conditions(read, pf.profile) else [])
    chosen: list[str] = st.multiselect("Criteria", options, first, key=key, accept_new_options=True, **look)
    criteria = tuple(chosen)
    first = standing(_COLUMNS, [] if criteria else list(DEFAULT_COLUMNS))
    tip = 'Type any other column, such as "code" or "value of the mass".'
    options = [*dict.fromkeys((*OFFERED_COLUMNS, *st.session_state.get(_COLUMNS, ())))]
    columns: list[str] = st.multiselect(
        "Columns", options, default=first, key=_COLUMNS, accept_new_options=True, max_selections=MAX_COLUMNS, help=tip
    )
    if not ids or not (columns or criteria):
        st.caption("Choose a criterion or a column." if ids else "There are no papers to compare.")
        return
    order = _Comparison(pf.corpus.name, ids, tuple(columns), criteria, pf.chat.name if pf.chat else "")
    with controls.reporting():
        comparison = _of_sentences(pf, order) if pf.chat is None else _by_model(pf, order)
        if comparison is not None:
            shown = _only_met(comparison)
            if shown.rows:
                _draw(shown, comparison)
            if criteria and question and "screen" in registry("review.step"):
                label = "Screen with these criteria as reasons"
                if st.button(label, key="comparison-screen", icon=":material/rule:", type="tertiary"):
                    reasons = [f"fails: {criterion}" for criterion in criteria]
                    go("review", step="screen", q=question, reason=reasons)
            left_out = ("the choice of papers", "the columns", "the criteria")
            sent = {"papers": list(ids), "columns": columns, "criteria": list(criteria)}
            copied_call.panel("table", {name: value for name, value in sent.items() if value}, pf.corpus.name, left_out)


def draw() -> None:
    """Draw the step Table of Review."""
    visit_corpus.write_link()
    pf = resources.pathfinder()
    papers = road.got(pf)
    panel(pf, papers.paper_ids, papers.question)
    road.onward(papers, road.next_steps(STEP.order))


STEP = Panel(30, "Table", ":material/table_view:", draw, "Compare them in a table")


def _only_met(comparison: ComparisonTable) -> ComparisonTable:
    """Leave out the rows that do not meet the criteria which the reader picks."""
    if not comparison.criteria:
        return comparison
    met = st.pills(
        "Only papers that meet", comparison.criteria, selection_mode="multi", key=_MET, format_func=for_markdown
    )
    places = [comparison.columns.index(name) for name in met]
    marks = [[cell.mark if cell else None for cell in row.cells] for row in comparison.rows]
    rows = [
        row for row, own in zip(comparison.rows, marks, strict=True) if all(own[place] is Mark.YES for place in places)
    ]
    if met:
        st.caption(f"{len(rows)} of {len(comparison.rows)} papers meet {'it' if len(met) == 1 else 'them'}.")
    return replace(comparison, rows=tuple(rows))


def _of_sentences(pf: Pathfinder, order: _Comparison) -> ComparisonTable:
    st.caption(
        "Each cell holds the sentence from the abstract or summary that suits the column best, or nothing if none "
        "does; a criterion is marked only if a sentence shows it, maybe one of the full text. With a chat model, the "
        "model writes each cell with a quotation, and both are checked."
    )
    return _filled(pf, order)


def _filled(pf: Pathfinder, order: _Comparison) -> ComparisonTable:
    """Return the table of sentences, filled in once for the papers, columns and criteria on screen."""
    return kept(_FILLED, order, lambda: comparison_table(pf, order.paper_ids, order.columns, order.criteria))


def _by_model(pf: Pathfinder, comparison: _Comparison) -> ComparisonTable | None:
    """Return the table that the chat model has made for these papers and columns, or else the table of sentences, with
    a button that starts the model; `None` while the model is at work.
    """
    if st.session_state.get(_ORDER) != comparison:

        def request() -> None:
            jobs.forget(TASK)
            st.session_state[_ORDER] = comparison

        label = f"Fill in with {comparison.model}"
        st.button(label, key="comparison-fill", icon=":material/table_edit:", on_click=request)
        return _of_sentences(pf.with_chat(None), comparison)
    asked = comparison.paper_ids, comparison.columns, comparison.criteria
    job: ComparisonJob = jobs.task(TASK, lambda: stream_comparison_table(pf, *asked))

    def progress() -> None:
        jobs.stop_line(job, "comparison", job.chunks[-1] if job.chunks else "reading")

    if not jobs.watch(job, progress, every=jobs.SLOW_POLL_SECONDS):
        return None
    if job.state is jobs.JobState.STOPPED:
        st.info("Stopped. These sentences are quoted from the papers.")
        return _filled(pf.with_chat(None), comparison)
    return job.result()


def _draw(comparison: ComparisonTable, whole: ComparisonTable) -> None:
    """Draw the rows that are shown of the whole table, without columns that are empty in all of its rows."""
    for note in comparison.notes:
        st.caption(for_markdown(f"{note}."))
    filled = [any(row.cells[place] is not None for row in whole.rows) for place in range(len(whole.columns))]
    head = ("Paper", *compress(comparison.columns, filled))
    lines = [head, ("---",) * len(head)]
    for row in comparison.rows:
        link = f"[{for_markdown(byline(row.paper))}]({resources.paper_url(row.paper)})"
        lines.append((link, *map(_in_markdown, compress(row.cells, filled))))
    if empty := [column for column, is_filled in zip(comparison.columns, filled, strict=True) if not is_filled]:
        st.caption(for_markdown(f"Nothing was found for: {', '.join(empty)}."))
    with st.container(key="comparison-table"):
        cells = ([" ".join(text.replace("|", "\\|").split()) for text in line] for line in lines)
        st.markdown("\n".join(f"| {' | '.join(line)} |" for line in cells))
    if comparison.model is not None:
        st.caption(for_markdown(f"Written by {comparison.model}; quotations are looked up in the papers."))
    with st.container(horizontal=True):
        save("CSV", comparison_csv(comparison), "comparison.csv", type="tertiary")
        save("LaTeX", comparison_latex(comparison), "comparison.tex", type="tertiary")
        save("Markdown", comparison_markdown(comparison), "comparison.md", type="tertiary")


def _in_markdown(cell: ComparisonCell | None) -> str:
    if cell is None:
        return ""
    if cell.mark is not None:
        return f":{_COLOURS[cell.mark]}-badge[{cell.mark}] :small[{for_markdown(cell.quoted)}]"
    is_written = cell.verdict is not None
    parts = [f":small[{for_markdown(cell.text)}]"]
    if cell.doubt:
        parts.append(f":orange-badge[{cell.doubt}]")
    if cell.numbers and not is_written and cell.numbers != (cell.text,):
        parts.append(f":small[:gray[({for_markdown('; '.join(cell.numbers))})]]")
    if cell.quotation and is_written:
        parts.append(f":small[:gray[{for_markdown(cell.quoted)}]]")
    return " ".join(parts)
