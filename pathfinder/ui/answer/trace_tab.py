"""The Trace tab: the steps as they happen, then the whole trace, which can be saved or continued from any step."""

import streamlit as st

from pathfinder.session import Pathfinder
from pathfinder.types import Ended, Step, Trace
from pathfinder.ui.answer import panel as answer_panel
from pathfinder.ui.answer import trace, versions
from pathfinder.ui.answer.panel import AnswerJob
from pathfinder.ui.jobs import tasks
from pathfinder.ui.jobs.jobs import JobState
from pathfinder.ui.shared.state import ResultView


def panel(pf: Pathfinder, view: ResultView, job: AnswerJob) -> None:
    """Show the steps so far while the job runs; then show the whole trace and every version of the text."""
    if not tasks.watch(job, lambda: _so_far(job), every=tasks.SLOW_POLL_SECONDS):
        return
    if job.state is JobState.STOPPED:
        trace.panel(_stopped_trace(view, job))
        return
    answer = answer_panel.on_screen(view, job)
    go_on = None if pf.chat is None else lambda *edited: _go_on(pf, view, *edited)
    trace.panel(answer, go_on, lambda recorded_trace: pf.replay(recorded_trace, view.result))
    if answer is not None:
        versions.panel(answer)


def _so_far(job: AnswerJob) -> None:
    steps = steps_of(job)
    if steps:
        trace.listing(steps)
    else:
        st.caption("No steps yet. An answer written in one go has none.")


def steps_of(job: AnswerJob) -> tuple[Step, ...]:
    """Return the steps so far."""
    return tuple(chunk for chunk in job.chunks if isinstance(chunk, Step))


def _stopped_trace(view: ResultView, job: AnswerJob) -> Trace | None:
    """Return the steps taken before the reader stopped the job; `None` if there were none."""
    steps = steps_of(job)
    generation = (
        view.form.answering.generation if view.answer_inputs is None else view.answer_inputs.answering.generation
    )
    return Trace(view.result.request.query, str(generation), steps, Ended.STOPPED) if steps else None


def _go_on(pf: Pathfinder, view: ResultView, run: Trace, place: int, step: Step) -> None:
    """Answer again from an edited step when a button is pressed. Raises `UsageError` if no run can continue from it."""
    metered_pf = tasks.within_budget(pf, view.form.answering.budget)
    stream = metered_pf.stream_resume(run, view.result, place, step, answer_panel.request_of(view, pf.chat))
    tasks.forget(tasks.ANSWER)
    tasks.task(tasks.ANSWER, lambda: stream)
