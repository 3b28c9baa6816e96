"""Background jobs of one visitor, one for each task that may have to wait for a chat model, and the calls they make."""

from collections.abc import Callable, Generator
from typing import Any, TypeVar, cast

import streamlit as st

from pathfinder.llm.usage import CallLog
from pathfinder.session import Pathfinder
from pathfinder.types import Budget
from pathfinder.ui.jobs.jobs import Job
from pathfinder.ui.shared.gc_freeze import freeze_libraries

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

SEARCH, ANSWER, KIND, CONSENSUS = "search", "answer", "kind", "consensus"
HISTORY, FOLLOW_UP, REWRITE = "history", "follow-up", "rewrite"
OF_A_QUESTION = (ANSWER, KIND, CONSENSUS, HISTORY, REWRITE)

_CALLS, _NEXT_CALLS = "question-calls", "next-question-calls"

POLL_SECONDS = 0.4
"""Interval in seconds at which a running job is checked: short enough for words to appear as fast as they can be read.
"""
SLOW_POLL_SECONDS = 1.0
"""Interval in seconds at which a job is checked if its output is not read word by word: each check costs the server a
little.
"""
AT_ONCE_SECONDS = 0.1
"""Time in seconds to wait for a job before showing its progress, so that the page does not flicker."""
LOCAL_SECONDS = 60.0
"""Maximum time in seconds to wait for a job that uses no remote model."""


def task(
    name: str, work: Callable[[], Generator[Chunk, None, Result]], *, is_local: bool = False
) -> Job[Chunk, Result]:
    """Return the visitor's job called `name`; if there is none, start one that does `work`.

    `is_local` means that no remote service is involved, so that the job will end soon and can be waited for.
    """
    jobs = _jobs()
    if name not in jobs:
        jobs[name] = Job(work())
        jobs[name].wait(LOCAL_SECONDS if is_local else AT_ONCE_SECONDS)
    return cast("Job[Chunk, Result]", jobs[name])


def running_task(name: str) -> Job[Any, Any] | None:
    """Return the visitor's job called `name`, if it has been started."""
    return _jobs().get(name)


def within_budget(pf: Pathfinder, budget: Budget) -> Pathfinder:
    """Return `pf` for the question on screen: the calls of all its jobs, including stopped ones, share one log and one
    `budget`.
    """
    return pf.for_question(budget, question_calls())


def preparing(pf: Pathfinder, budget: Budget) -> Pathfinder:
    """Return `pf` for the next question, and charge its `budget` for the rewriting of a follow-up, if any."""
    return pf.for_question(budget, st.session_state.setdefault(_NEXT_CALLS, CallLog()))


def question_calls() -> CallLog:
    """Return the calls to a chat model for the question on screen, including those of failed and stopped jobs."""
    log: CallLog = st.session_state.setdefault(_CALLS, CallLog())
    return log


def begin_question() -> None:
    """Start the call log of the next question, beginning with any calls made to rewrite it if it was a follow-up."""
    st.session_state[_CALLS] = st.session_state.pop(_NEXT_CALLS, CallLog())


def forget(*names: str) -> None:
    """Stop the jobs in `names` that have been started; they start again the next time they are requested."""
    for name in names:
        if (job := _jobs().pop(name, None)) is not None:
            job.stop()


def watch(job: Job[Any, Any], draw: Callable[[], None], *, every: float = POLL_SECONDS) -> bool:
    """Return whether `job` has ended; until then, call `draw` every `every` seconds to show its progress, and redraw
    the whole page at the end.
    """
    if job.is_running:
        st.fragment(_look, run_every=every)(job, draw)
    return not job.is_running


def _look(job: Job[Any, Any], draw: Callable[[], None]) -> None:
    freeze_libraries()  # the chat model's libraries are loaded only now
    if not job.is_running:
        st.rerun()
    draw()


def _jobs() -> dict[str, Job[Any, Any]]:
    jobs: dict[str, Job[Any, Any]] = st.session_state.setdefault("jobs", {})
    return jobs
