"""The Trace tab: what is done on the way to the answer, as it happens; then all of it, to keep and to go on from."""

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.types import Ended, Step, Trace
from pathfinder.ui import answers, tasks, trace, versions
from pathfinder.ui.answers import AnswerJob
from pathfinder.ui.jobs import State
from pathfinder.ui.state import View


def panel(pf: Pathfinder, view: View, job: AnswerJob) -> None:
    """The steps that have come while the job runs; then the whole trace, and every version of the text."""
    if not tasks.watch(job, lambda: _so_far(job), every=tasks.SLOW_POLL_SECONDS):
        return
    if job.state is State.STOPPED:
        trace.panel(_stopped(view, job))
        return
    answer = answers.on_screen(view, job)
    go_on = None if pf.chat is None else lambda *edited: _go_on(pf, view, *edited)
    trace.panel(answer, go_on, lambda played: pf.replay(played, view.result))
    if answer is not None:
        versions.panel(answer)


def _so_far(job: AnswerJob) -> None:
    steps = steps_of(job)
    if steps:
        trace.listing(steps)
    else:
        st.caption("No step yet: an answer that is written in one go has none.")


def steps_of(job: AnswerJob) -> tuple[Step, ...]:
    """The steps that have come so far."""
    return tuple(piece for piece in job.pieces if isinstance(piece, Step))


def _stopped(view: View, job: AnswerJob) -> Trace | None:
    """What had been done when the reader stopped it; `None` where there was no step."""
    steps = steps_of(job)
    generation = view.form.answering.generation if view.given is None else view.given.answering.generation
    return Trace(view.result.request.query, generation.value, steps, Ended.STOPPED) if steps else None


def _go_on(pf: Pathfinder, view: View, run: Trace, place: int, step: Step) -> None:
    """Answer anew from an edited step: called back by a button. Raises `UsageError` where no run can go on from it."""
    stream = pf.stream_resume(run, view.result, place, step, answers.request_of(view))
    tasks.forget(tasks.ANSWER)
    tasks.task(tasks.ANSWER, lambda: stream)
