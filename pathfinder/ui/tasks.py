"""What goes on in the background for one visitor: a job for each thing that a chat model may take its time over."""

from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeVar, cast

import streamlit as st

from pathfinder.ui.jobs import Job, State
from pathfinder.ui.settling import settle_libraries

Piece = TypeVar("Piece")
Result = TypeVar("Result")

SEARCH, ANSWER, KIND, CONSENSUS = "search", "answer", "kind", "consensus"
HISTORY, FOLLOW_UP, REWRITE = "history", "follow-up", "rewrite"
OF_A_QUESTION = (ANSWER, KIND, CONSENSUS, HISTORY, REWRITE)

POLL_SECONDS = 0.4
"""Between two looks at a job that runs: words come as fast as they are read."""
SLOW_POLL_SECONDS = 1.0
"""The same for what is not read word by word: each look costs the server a little."""
AT_ONCE_SECONDS = 0.1
"""What takes no longer is waited for, so that nothing flickers."""
LOCAL_SECONDS = 60.0
"""What asks no model is waited for, at most this long."""


def task(
    name: str, work: Callable[[], Generator[Piece, None, Result]], *, is_local: bool = False
) -> Job[Piece, Result]:
    """The visitor's job of that `name`, which is begun with `work` where there is none.

    `is_local`: nothing remote is asked, so that it is soon done and can be waited for.
    """
    jobs = _jobs()
    if name not in jobs:
        jobs[name] = Job(work())
        jobs[name].wait(LOCAL_SECONDS if is_local else AT_ONCE_SECONDS)
    return cast("Job[Piece, Result]", jobs[name])


def begun(name: str) -> Job[Any, Any] | None:
    """The visitor's job of that `name`, if it was begun."""
    return _jobs().get(name)


def results() -> Iterator[Any]:
    """What the jobs on the question on screen have told so far."""
    for name in OF_A_QUESTION:
        job = _jobs().get(name)
        if job is not None and job.state is State.DONE:
            yield job.result()


def forget(*names: str) -> None:
    """Stop these jobs, if they were begun, and begin them anew when they are asked for again."""
    for name in names:
        if (job := _jobs().pop(name, None)) is not None:
            job.stop()


def watch(job: Job[Any, Any], draw: Callable[[], None], *, every: float = POLL_SECONDS) -> bool:
    """Whether `job` has ended; until it has, `draw` what has come every so many seconds, then the whole page once."""
    if job.is_running:
        st.fragment(_look, run_every=every)(job, draw)
    return not job.is_running


def _look(job: Job[Any, Any], draw: Callable[[], None]) -> None:
    settle_libraries()  # those of the model that is asked are loaded only now
    if not job.is_running:
        st.rerun()
    draw()


def _jobs() -> dict[str, Job[Any, Any]]:
    jobs: dict[str, Job[Any, Any]] = st.session_state.setdefault("jobs", {})
    return jobs
