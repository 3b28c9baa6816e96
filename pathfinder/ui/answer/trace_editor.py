"""Lets the reader edit one step of a trace, from which the run then continues."""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from pathfinder.answering.modes.agent.actions import PARAMETERS
from pathfinder.errors import UsageError
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Step, StepKind, Trace

_EDITED_STEP = "trace-edited"
"""Session-state key of the trace and step being edited."""

LABELS = {
    "query": "What to search for",
    "year_from": "From year",
    "year_to": "To year",
    "top_k": "How many papers",
    "key": "Key of the paper to read",
}
NUMBERS = ("year_from", "year_to", "top_k")


def asks(trace: Trace, place: int) -> bool:
    """Return whether the step is being edited; if it is not, show a button that starts editing."""
    is_edited: bool = st.session_state.get(_EDITED_STEP) == _name(trace, place)
    if not is_edited:
        st.button(
            "Edit",
            key=f"trace-edit-{place}",
            icon=":material/edit:",
            type="tertiary",
            on_click=_choose,
            args=(trace, place),
        )
    return is_edited


def form(trace: Trace, place: int, on_continue: Callable[[Trace, int, Step], None]) -> None:
    """Show input fields for the step; the form's button continues the run from the edited step."""
    step = trace.steps[place]
    with st.form(f"trace-form-{place}", border=False):
        edited_step = _action(step, place) if step.kind is StepKind.ACTION else _text(step, place)
        with st.container(horizontal=True):
            goes_on = st.form_submit_button("Continue from here", icon=":material/play_arrow:", type="primary")
            st.form_submit_button("Cancel", on_click=_choose)
    if goes_on:
        try:
            on_continue(trace, place, edited_step())
        except UsageError as error:
            st.error(for_markdown(str(error)))
            return
        _choose()
        st.rerun()


def _text(step: Step, place: int) -> Callable[[], Step]:
    label = "What the model should think" if step.kind is StepKind.THOUGHT else "What the model should have observed"
    text = st.text_area(label, step.text, key=f"trace-text-{place}", height=200, max_chars=20_000)
    return lambda: replace(step, text=text)


def _action(step: Step, place: int) -> Callable[[], Step]:
    """Show an input field for each argument of the tool; arguments left empty are omitted."""
    values = dict(step.arguments)
    fields = {
        name: st.text_input(
            LABELS[name], "" if values.get(name) is None else str(values[name]), key=f"trace-{name}-{place}"
        )
        for name in PARAMETERS.get(step.tool or "", PARAMETERS["search"])
    }

    def edited_action() -> Step:
        arguments = tuple((name, _value(name, text.strip())) for name, text in fields.items() if text.strip())
        return replace(step, tool=step.tool if step.tool in PARAMETERS else "search", arguments=arguments)

    return edited_action


def _value(name: str, text: str) -> str | int:
    if name not in NUMBERS:
        return text
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise UsageError(f"{LABELS[name].lower()} must be a whole number, got {text!r}")
    return int(text)


def _choose(trace: Trace | None = None, place: int = 0) -> None:
    st.session_state[_EDITED_STEP] = None if trace is None else _name(trace, place)


def _name(trace: Trace, place: int) -> tuple[int, int]:
    return hash(trace), place
