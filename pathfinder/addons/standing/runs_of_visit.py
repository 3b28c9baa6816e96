"""Runs standing questions in the background: those whose last run was on another version of the corpus."""

import streamlit as st

from pathfinder.addons.standing import own_standing
from pathfinder.addons.standing.log import StandingLog
from pathfinder.addons.standing.question import StandingQuestion
from pathfinder.addons.standing.runs import stale_questions, stream_runs
from pathfinder.errors import PathfinderError
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import jobs
from pathfinder.ui.shared.jobs import Job

_JOB, _AGAIN, _QUESTIONS = "standing-runs", "watch-run-again", "watch-running"


def run_due(pf: Pathfinder) -> None:
    """Start the runs that are due, show their progress, and store each result; results already stored stay."""
    log = own_standing.own_standing().log()
    job = jobs.running_task(_JOB)
    if job is None:
        questions = _due(pf, log)
        if not questions:
            return
        st.session_state[_QUESTIONS] = questions
        job = jobs.task(_JOB, lambda: stream_runs(pf, log, questions))
    if jobs.watch(job, lambda: _progress(job), every=jobs.SLOW_POLL_SECONDS):
        _store(job)  # the last result may have come since the progress was drawn
        jobs.forget(_JOB)
        try:
            job.result()
        except PathfinderError as error:
            controls.failure(error)


def run_again(question: StandingQuestion) -> None:
    """Run a question in the next run of the page, when a button is pressed."""
    st.session_state[_AGAIN] = question.id


def _due(pf: Pathfinder, log: StandingLog) -> tuple[StandingQuestion, ...]:
    """Return the question that is to be run again, or else those that run by themselves."""
    version, again = pf.corpus.name.version, st.session_state.pop(_AGAIN, None)
    if questions := tuple(question for question in log.questions() if question.id == again):
        return questions
    return due_questions(version, log)


def due_questions(version: str, log: StandingLog) -> tuple[StandingQuestion, ...]:
    """Return the questions that are stale, apart from those that failed on this version: they are not run again by
    themselves.
    """
    return tuple(
        question
        for question in stale_questions(version, log)
        if (failure := log.failure(question)) is None or failure.version != version
    )


def _store(job: Job) -> None:  # type: ignore[type-arg]
    for outcome in job.chunks:
        own_standing.change(outcome.added_to)


def _progress(job: Job) -> None:  # type: ignore[type-arg]
    _store(job)
    questions: tuple[StandingQuestion, ...] = st.session_state.get(_QUESTIONS, ())
    n, total = len(job.chunks), len(questions)
    name = f": {for_markdown(questions[n].name)}" if n < total else ""
    st.progress(n / total if total else 0.0, f"Running {min(n + 1, total)} of {total}{name}")
