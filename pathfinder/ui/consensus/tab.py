"""Consensus tab: the consensus is computed in the background and, on request, as of a given year or over time."""

from dataclasses import dataclass
from typing import TypeVar

import streamlit as st

from pathfinder.assessment.consensus.local import Guess
from pathfinder.errors import PathfinderError
from pathfinder.retrieval.request_records import record_of_request
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Consensus, ConsensusHistory, SearchRequest
from pathfinder.ui.consensus import panel as consensus_panel
from pathfinder.ui.jobs import tasks
from pathfinder.ui.jobs.jobs import Job, JobState
from pathfinder.ui.settings import controls, copied_call
from pathfinder.ui.settings.copied_call import Omissions
from pathfinder.ui.shared.state import ResultView

Report = TypeVar("Report", Consensus, ConsensusHistory)

_OF, _HISTORY_OF, _GUESSES = "consensus-of", "consensus-history-of", "consensus-guessed"


@dataclass(frozen=True, slots=True)
class _Of:
    """The papers and the last year of a consensus, and the search that ranked these papers."""

    order: tuple[str, ...]
    as_of: int | None
    request: SearchRequest


def panel(pf: Pathfinder, view: ResultView) -> None:
    """Draw the tab: without a chat model, a guess; with one, the progress and then the consensus."""
    if pf.chat is None:
        consensus_panel.panel(view.result, None, guess=lambda statement: _guesses(pf, view, statement))
        copied_call.panel("consensus", record_of_request(view.result.request), view.result.corpus)
        return
    options = consensus_panel.options()
    consensus = _consensus(pf, view, options.as_of)
    if consensus is None:
        return
    history = _history(pf, view, consensus, options.as_of) if options.over_time else None
    consensus_panel.panel(view.result, consensus, history)
    if st.session_state[_OF].order != view.order:
        st.caption("This consensus is for the papers listed before the weights changed.")
        _again("Recompute for these papers")
    _copied_call(view, options.as_of, is_over_time=history is not None)


def _copied_call(view: ResultView, as_of: int | None, *, is_over_time: bool) -> None:
    """Offer the call for the consensus on screen, even if the weights have changed since."""
    request = history_request() if is_over_time else None
    year = {} if as_of is None else {"as_of": as_of}
    body = record_of_request(request or st.session_state[_OF].request) | year | {"over_time": is_over_time}
    parts = {"the year": as_of is not None, "the consensus over time": is_over_time}
    omissions = Omissions(link=tuple(part for part, is_shown in parts.items() if is_shown))
    copied_call.panel("consensus", body, view.result.corpus, omissions)


def history_request() -> SearchRequest | None:
    """Return the search whose papers are read for the consensus over time; `None` if none has been requested."""
    request: SearchRequest | None = st.session_state.get(_HISTORY_OF)
    return request


def on_screen(view: ResultView) -> Consensus | None:
    """Return the consensus on the papers on screen; `None` if it has not been computed for them."""
    job = tasks.running_task(tasks.CONSENSUS)
    if job is None or job.state is not JobState.ENDED or st.session_state[_OF].order != view.order:
        return None
    consensus: Consensus = job.result()
    return consensus


def _guesses(pf: Pathfinder, view: ResultView, statement: str) -> tuple[Guess, ...]:
    """Guess the stance that each paper on screen takes on `statement`; the guesses are reused until the papers or the
    statement change.
    """
    inputs = (view.order, statement)
    if _GUESSES not in st.session_state or st.session_state[_GUESSES][0] != inputs:
        st.session_state[_GUESSES] = (inputs, pf.guess_stances(view.result, statement))
    guesses: tuple[Guess, ...] = st.session_state[_GUESSES][1]
    return guesses


def _consensus(pf: Pathfinder, view: ResultView, as_of: int | None) -> Consensus | None:
    """Return the consensus, computed once for each search and year; `None` until it is ready."""
    if tasks.running_task(tasks.CONSENSUS) is None or st.session_state[_OF].as_of != as_of:
        tasks.forget(tasks.CONSENSUS, tasks.HISTORY)
        st.session_state[_OF] = _Of(view.order, as_of, view.result.request)
    metered_pf = tasks.within_budget(pf, view.form.answering.budget)
    return _report_of(tasks.task(tasks.CONSENSUS, lambda: metered_pf.stream_consensus(view.result, as_of=as_of)))


def _history(pf: Pathfinder, view: ResultView, consensus: Consensus, as_of: int | None) -> ConsensusHistory | None:
    consensus_here = consensus if st.session_state[_OF].order == view.order else None
    metered_pf = tasks.within_budget(pf, view.form.answering.budget)
    if tasks.running_task(tasks.HISTORY) is None:
        st.session_state[_HISTORY_OF] = view.result.request
    return _report_of(
        tasks.task(
            tasks.HISTORY,
            lambda: metered_pf.stream_consensus_over_time(view.result, known=consensus_here, as_of=as_of),
        )
    )


def _report_of(job: Job[str, Report]) -> Report | None:
    """Return the result of the job; `None`, with a status line, while it runs or if it failed."""
    if not tasks.watch(job, lambda: _so_far(job), every=tasks.SLOW_POLL_SECONDS):
        return None
    if job.state is JobState.STOPPED:
        st.info("Stopped. No consensus was computed.")
        _again("Ask again")
        return None
    try:
        return job.result()
    except PathfinderError as error:
        controls.failure(error)
        _again("Try again")
        return None


def _so_far(job: Job[str, Report]) -> None:
    doing = job.chunks[-1] if job.chunks else "the chat model is reading the papers"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Stop", key="stop-consensus", icon=":material/stop_circle:", on_click=job.stop)
        st.caption(for_markdown(f"{job.seconds:.0f} s · {doing}"), width="stretch")


def _again(label: str) -> None:
    st.button(label, key="consensus-again", on_click=tasks.forget, args=(tasks.CONSENSUS, tasks.HISTORY))
