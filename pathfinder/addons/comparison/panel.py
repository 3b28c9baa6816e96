"""Papers compared column by column, with the choice of columns and the downloads."""

from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple

import streamlit as st

from pathfinder.addons.comparison.comparison import (
    DEFAULT_COLUMNS,
    MAX_COLUMNS,
    MAX_PAPERS,
    comparison_table,
    stream_comparison_table,
)
from pathfinder.addons.comparison.outcome import ComparisonCell, ComparisonTable
from pathfinder.addons.comparison.writing import byline, comparison_csv, comparison_latex, comparison_markdown
from pathfinder.errors import PathfinderError
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import CorpusName
from pathfinder.ui import road
from pathfinder.ui.settings import controls, copied_call
from pathfinder.ui.settings.copied_call import Omissions
from pathfinder.ui.shared import jobs, resources, visit_corpus
from pathfinder.ui.shared.jobs import Job, JobState
from pathfinder.ui.shared.panels import Panel
from pathfinder.ui.shared.state import standing

TASK = "comparison"
_COLUMNS, _ORDER = "comparison-columns", "comparison-requested"
OFFERED_COLUMNS = (*DEFAULT_COLUMNS, "data", "instrument", "conclusion")
_DOWNLOADS = (
    ("CSV", "csv", comparison_csv),
    ("LaTeX", "tex", comparison_latex),
    ("Markdown", "md", comparison_markdown),
)

_STYLES = """<style>
.st-key-comparison-table { overflow-x: auto; }
.st-key-comparison-table td { vertical-align: top; }
</style>"""
"""A table wider than the page, as on a phone, scrolls on its own; the cells of a row are aligned at the top."""

ComparisonJob = Job[str, ComparisonTable]


class _Comparison(NamedTuple):
    """A table that a reader may request."""

    corpus: CorpusName
    paper_ids: tuple[str, ...]
    columns: tuple[str, ...]
    model: str
    """Chat model that fills in the table."""


def panel(pf: Pathfinder, paper_ids: Sequence[str]) -> None:
    """Draw the table for papers in the corpus, filled in with their sentences or, on request, by the chat model."""
    if len(paper_ids) > MAX_PAPERS:
        st.caption(f"The first {MAX_PAPERS} of {len(paper_ids)} papers are compared.")
    ids = tuple(paper_ids[:MAX_PAPERS])
    columns: list[str] = st.multiselect(
        "Columns",
        [*dict.fromkeys((*OFFERED_COLUMNS, *st.session_state.get(_COLUMNS, ())))],
        default=standing(_COLUMNS, list(DEFAULT_COLUMNS)),
        key=_COLUMNS,
        accept_new_options=True,
        max_selections=MAX_COLUMNS,
        help='Type any other column, such as "code" or "value of the mass".',
    )
    if not ids or not columns:
        st.caption("Choose a column." if ids else "There are no papers to compare.")
        return
    try:
        if pf.chat is None:
            comparison: ComparisonTable | None = _of_sentences(pf, ids, columns)
        else:
            comparison = _by_model(pf, _Comparison(pf.corpus.name, ids, tuple(columns), pf.chat.name))
    except PathfinderError as error:
        controls.failure(error)
        return
    if comparison is not None:
        _draw(comparison)
        omissions = Omissions(link=("the choice of papers", "the columns"))
        copied_call.panel("table", {"papers": list(ids), "columns": columns}, pf.corpus.name, omissions)


def draw() -> None:
    """Draw the step Table of Review."""
    visit_corpus.write_link()
    pf = resources.pathfinder()
    papers = road.got(pf)
    panel(pf, papers.paper_ids)
    road.onward(papers, {"tensions": "See where they disagree"})


STEP = Panel(30, "Table", ":material/table_view:", draw)


def _of_sentences(pf: Pathfinder, ids: Sequence[str], columns: Sequence[str]) -> ComparisonTable:
    st.caption(
        "Each cell holds the sentence from the abstract that suits the column best, or nothing if none does. With a "
        "chat model, the model writes each cell with a quotation, and both are checked."
    )
    return comparison_table(pf, ids, columns)


def _by_model(pf: Pathfinder, comparison: _Comparison) -> ComparisonTable | None:
    """Return the table that the chat model has made for these papers and columns, or else the table of sentences, with
    a button that starts the model; `None` while the model is at work.
    """
    ids, columns = comparison.paper_ids, comparison.columns
    if st.session_state.get(_ORDER) != comparison:
        label = f"Fill in with {comparison.model}"
        st.button(label, key="comparison-fill", icon=":material/table_edit:", on_click=_request, args=(comparison,))
        return _of_sentences(pf.with_chat(None), ids, columns)
    job: ComparisonJob = jobs.task(TASK, lambda: stream_comparison_table(pf, ids, columns))
    if not jobs.watch(job, lambda: _progress(job), every=jobs.SLOW_POLL_SECONDS):
        return None
    if job.state is JobState.STOPPED:
        st.info("Stopped. These sentences are quoted from the papers.")
        return comparison_table(pf.with_chat(None), ids, columns)
    return job.result()


def _request(comparison: _Comparison) -> None:
    jobs.forget(TASK)
    st.session_state[_ORDER] = comparison


def _progress(job: ComparisonJob) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Stop", key="stop-comparison", icon=":material/stop_circle:", on_click=job.stop)
        step = job.chunks[-1] if job.chunks else "reading"
        st.caption(for_markdown(f"{job.seconds:.0f} s · {step}"), width="stretch")


def _draw(comparison: ComparisonTable) -> None:
    for note in comparison.notes:
        st.caption(for_markdown(f"{note}."))
    filled = [any(row.cells[place] is not None for row in comparison.rows) for place in range(len(comparison.columns))]
    head = ("Paper", *compress(comparison.columns, filled))
    lines = [head, ("---",) * len(head)]
    for row in comparison.rows:
        link = f"[{for_markdown(byline(row.paper))}]({resources.paper_url(row.paper)})"
        lines.append((link, *map(_in_markdown, compress(row.cells, filled))))
    st.html(_STYLES)
    with st.container(key="comparison-table"):
        st.markdown("\n".join(f"| {' | '.join(map(_in_a_cell, line))} |" for line in lines))
    if empty := [column for column, is_filled in zip(comparison.columns, filled, strict=True) if not is_filled]:
        st.caption(for_markdown(f"No paper says anything about: {', '.join(empty)}."))
    if comparison.model is not None:
        st.caption(for_markdown(f"Written by {comparison.model}; quotations are looked up in the abstracts."))
    with st.container(horizontal=True):
        for label, suffix, write in _DOWNLOADS:
            text = write(comparison)
            data = text.encode("utf-8-sig") if suffix == "csv" else text
            st.download_button(label, data, f"comparison.{suffix}", key=f"comparison-{suffix}", type="tertiary")


def _in_markdown(cell: ComparisonCell | None) -> str:
    if cell is None:
        return ""
    is_written = cell.verdict is not None
    parts = [f":small[{for_markdown(cell.text)}]"]
    if cell.doubt:
        parts.append(f":orange-badge[{cell.doubt}]")
    if cell.numbers and not is_written and cell.numbers != (cell.text,):
        parts.append(f":small[:gray[({for_markdown('; '.join(cell.numbers))})]]")
    if cell.quotation and is_written:
        parts.append(f":small[:gray[{for_markdown(cell.quotation)}]]")
    return " ".join(parts)


def _in_a_cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
