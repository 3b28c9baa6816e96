"""The Consensus tab: how far the papers agree, told in the background, as of a year and over time where asked for."""

from dataclasses import dataclass
from typing import TypeVar

import streamlit as st

from pathfinder.assessment.consensus.local.scorer import Guess
from pathfinder.errors import PathfinderError
from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown
from pathfinder.types import Consensus, ConsensusHistory
from pathfinder.ui import consensus, controls, tasks
from pathfinder.ui.jobs import Job, State
from pathfinder.ui.state import View

Told = TypeVar("Told", Consensus, ConsensusHistory)

_OF, _GUESSED = "consensus-of", "consensus-guessed"


@dataclass(frozen=True, slots=True)
class _Of:
    """What a consensus was asked about."""

    order: tuple[str, ...]
    as_of: int | None


def panel(pf: Pathfinder, view: View) -> None:
    """What there is to say without a model, and a guess; with one, what it has told so far, and then all of it."""
    if pf.chat is None:
        consensus.panel(view.result, None, guess=lambda statement: _guesses(pf, view, statement))
        return
    asked = consensus.ask()
    told = _told(pf, view, asked.as_of)
    if told is None:
        return
    history = _history(pf, view, told, asked.as_of) if asked.over_time else None
    consensus.panel(view.result, told, history)
    if st.session_state[_OF].order != view.order:
        st.caption("This was told of the papers that were listed before the weights changed.")
        _again("Ask again about these papers")


def _guesses(pf: Pathfinder, view: View, statement: str) -> tuple[Guess, ...]:
    """What the papers on screen are guessed to say of `statement`, worked out once for as long as both stand."""
    asked = (view.order, statement)
    if _GUESSED not in st.session_state or st.session_state[_GUESSED][0] != asked:
        st.session_state[_GUESSED] = (asked, pf.guess_stances(view.result, statement))
    guesses: tuple[Guess, ...] = st.session_state[_GUESSED][1]
    return guesses


def _told(pf: Pathfinder, view: View, as_of: int | None) -> Consensus | None:
    """The consensus, which is asked for once for each search and year; `None` while there is none."""
    if tasks.begun(tasks.CONSENSUS) is None or st.session_state[_OF].as_of != as_of:
        tasks.forget(tasks.CONSENSUS, tasks.HISTORY)
        st.session_state[_OF] = _Of(view.order, as_of)
    return _ended(tasks.task(tasks.CONSENSUS, lambda: pf.stream_consensus(view.result, as_of=as_of)))


def _history(pf: Pathfinder, view: View, told: Consensus, as_of: int | None) -> ConsensusHistory | None:
    known = told if st.session_state[_OF].order == view.order else None
    return _ended(
        tasks.task(tasks.HISTORY, lambda: pf.stream_consensus_over_time(view.result, known=known, as_of=as_of))
    )


def _ended(job: Job[str, Told]) -> Told | None:
    """What was told; `None`, and a line on how it stands, while it is being told and where it will not be."""
    if not tasks.watch(job, lambda: _so_far(job), every=tasks.SLOW_POLL_SECONDS):
        return None
    if job.state is State.STOPPED:
        st.info("You stopped it: nothing was told.")
        _again("Ask again")
        return None
    try:
        return job.result()
    except PathfinderError as error:
        controls.failure(error)
        _again("Try again")
        return None


def _so_far(job: Job[str, Told]) -> None:
    doing = job.pieces[-1] if job.pieces else "the chat model reads the papers"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Stop", key="stop-consensus", icon=":material/stop_circle:", on_click=job.stop)
        st.caption(for_markdown(f"{job.seconds:.0f} s · {doing}"), width="stretch")


def _again(label: str) -> None:
    st.button(label, key="consensus-again", on_click=tasks.forget, args=(tasks.CONSENSUS, tasks.HISTORY))
