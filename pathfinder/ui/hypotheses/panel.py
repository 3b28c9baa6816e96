"""The Hypotheses page: the form, the progress, and the list with its downloads."""

import json

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.export.hypotheses import (
    describe_hypotheses,
    hypotheses_csv,
    hypotheses_markdown,
    hypotheses_record,
)
from pathfinder.hypotheses.backtest import backtest, backtest_rows, describe_backtest
from pathfinder.session import Pathfinder
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Hypotheses
from pathfinder.ui.hypotheses import card, state
from pathfinder.ui.jobs import tasks
from pathfinder.ui.jobs.jobs import JobState
from pathfinder.ui.shared.state import standing
from pathfinder.ui.stars import own_shelves

WHOLE_CORPUS = "The whole corpus"
DEFAULT_SIZE = 20
_QUESTION, _SHELF, _SIZE = "hypotheses-question", "hypotheses-shelf", "hypotheses-n"
_IN_GAPS = "hypotheses-in-gaps"


def panel(pf: Pathfinder) -> None:
    """Draw the page."""
    _form(pf)
    _backtest()
    order = state.last_order()
    if order is None or order.corpus != pf.corpus.name:
        return
    job = state.job_of(pf, order)
    if not tasks.watch(job, lambda: _progress(job), every=tasks.SLOW_POLL_SECONDS):
        return
    if job.state is JobState.STOPPED:
        st.info("Stopped.")
        return
    _draw(pf, job.result())


def _form(pf: Pathfinder) -> None:
    shelves = {shelf.name: shelf for shelf in _shelves() if shelf.inside}
    before = state.last_order()
    question_and_size = state.from_link() or (("", DEFAULT_SIZE) if before is None else (before.question, before.n))
    with st.form("hypotheses-form"):
        question = st.text_input(
            "About a question or a topic",
            standing(_QUESTION, question_and_size[0]),
            key=_QUESTION,
            placeholder="Leave empty for all papers",
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.selectbox("Among the concepts of", [WHOLE_CORPUS, *shelves], key=_SHELF, width=280)
            place = state.SIZES.index(standing(_SIZE, question_and_size[1]))
            n = st.selectbox("Hypotheses", state.SIZES, place, key=_SIZE, width=140)
            is_sent = st.form_submit_button("Find hypotheses", type="primary", icon=":material/lightbulb:")
    if not is_sent:
        _restore(pf)
    elif question.strip() and name in shelves:
        st.warning("Hypotheses can be about a question or about a shelf, but not both: leave out one of them.")
    else:
        ids = shelves[name].inside if name in shelves else ()
        state.request(state.HypothesesOrder(pf.corpus.name, question.strip(), ids, n))


def _restore(pf: Pathfinder) -> None:
    """After a reload, request again the hypotheses that the address asks for."""
    question_and_size = state.from_link()
    if question_and_size is not None and state.last_order() is None:
        state.request(state.HypothesesOrder(pf.corpus.name, question_and_size[0], (), question_and_size[1]))


def _shelves() -> tuple[Shelf, ...]:
    """Return the reader's shelves; none if they cannot be read, which the Shelves page reports."""
    try:
        return own_shelves.own_shelves().shelves()
    except PathfinderError:
        return ()


def _backtest() -> None:
    results = backtest()
    st.caption(for_markdown(describe_backtest(results)))
    with st.expander("How often do hypotheses come true?", icon=":material/history:"):
        alt = "Shares of pairs that came true, by year and ranking"
        st.dataframe(backtest_rows(results), hide_index=True, height="content", alt=alt)
        st.caption(
            "Shares of the top-ranked pairs that occurred together in a title from the following ten years, with 95% "
            "intervals. Measured by `benchmarks/hypotheses.py`; its protocol was written before the first run."
        )


def _progress(job: state.HypothesesJob) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Stop", key="stop-hypotheses", icon=":material/stop_circle:", on_click=job.stop)
        step = job.chunks[-1] if job.chunks else "starting"
        st.caption(for_markdown(f"{job.seconds:.0f} s · {step}"), width="stretch")


def _draw(pf: Pathfinder, report: Hypotheses) -> None:
    report = state.with_statements(report)
    st.markdown(for_markdown(describe_hypotheses(report)))
    for note in report.notes:
        st.caption(for_markdown(f"{note[0].upper()}{note[1:]}."))
    if not report.hypotheses:
        return
    _downloads(report)
    ranked_hypotheses = tuple(enumerate(report.hypotheses, start=1))
    if any(each.is_in_gap for _, each in ranked_hypotheses) and st.toggle("Only in gaps in the map", key=_IN_GAPS):
        ranked_hypotheses = tuple((rank, each) for rank, each in ranked_hypotheses if each.is_in_gap)
    for rank, each in ranked_hypotheses:
        card.draw(pf, rank, each)


def _downloads(report: Hypotheses) -> None:
    files = (
        ("CSV", "csv", hypotheses_csv(report).encode("utf-8-sig")),
        ("Markdown", "md", hypotheses_markdown(report).encode()),
        ("JSON", "json", json.dumps(hypotheses_record(report), indent=1, ensure_ascii=False).encode()),
    )
    with st.container(horizontal=True):
        for label, suffix, data in files:
            st.download_button(label, data, f"hypotheses.{suffix}", key=f"hypotheses-{suffix}", type="tertiary")
