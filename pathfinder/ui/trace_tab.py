"""The Trace tab: what is done on the way to the answer, as it happens and afterwards."""

import streamlit as st

from pathfinder.export.latex import for_markdown
from pathfinder.types import Step, StepKind
from pathfinder.ui import tasks, versions
from pathfinder.ui.answers import AnswerJob
from pathfinder.ui.jobs import State

ICONS = {
    StepKind.PLAN: "format_list_numbered",
    StepKind.THOUGHT: "lightbulb",
    StepKind.ACTION: "search",
    StepKind.OBSERVATION: "visibility",
    StepKind.FINDING: "description",
    StepKind.DRAFT: "edit_note",
    StepKind.CRITIQUE: "rate_review",
    StepKind.REVISION: "edit",
    StepKind.NOTICE: "info",
    StepKind.FINAL: "flag",
}


def panel(job: AnswerJob) -> None:
    """Every step, in order."""
    if tasks.watch(job, lambda: so_far(job)):
        so_far(job)
        if job.state is State.DONE:
            versions.panel(job.result())


def so_far(job: AnswerJob) -> None:
    """The steps that have come, the way to stop them being on the Answer tab."""
    steps = [piece for piece in job.pieces if isinstance(piece, Step)]
    for step in steps:
        listing(step)
    if not steps:
        st.caption("No step yet." if job.is_running else "The answer was made in one go: there are no steps to show.")


def listing(step: Step) -> None:
    """One step: what it is, what was done with what, and what was seen."""
    arguments = ", ".join(f"{name}: {value}" for name, value in step.arguments)
    done = f" {step.tool} ({arguments})" if step.tool else ""
    took = "" if step.seconds is None else f" · {step.seconds:.1f} s"
    with st.container(border=True, gap="xsmall"):
        st.markdown(f":material/{ICONS[step.kind]}: **{step.kind.value.capitalize()}**{for_markdown(done + took)}")
        if step.text:
            st.markdown(for_markdown(step.text))
