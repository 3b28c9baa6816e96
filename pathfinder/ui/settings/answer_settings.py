"""The settings of the answer on the page: its mode, its style, and the resources it may use."""

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st

from pathfinder.answering.modes.registry import MODES, generation_of, offered, styles_of
from pathfinder.types import DigestForm, Generation, Specialisation
from pathfinder.ui.settings.form import MAX_SECONDS, MAX_STEPS, MAX_TOKENS, Answering
from pathfinder.ui.shared.state import standing

Choice = TypeVar("Choice")

FORM_KEY = "digest-form"
"""Key of the switch beside a digest, which is drawn after the other settings."""

STYLE_LABELS = {
    None: "whatever suits the question",
    Specialisation.SINGLE_PAPER: "one fact with its source",
    Specialisation.MULTI_PAPER: "what several papers say",
    Specialisation.BIBLIOMETRIC: "a query for ADS",
    Specialisation.BROAD: "broad but nuanced",
}


def read(answering: Answering, has_chat: bool) -> Answering:
    """Show the settings of the answer and return them as set by the reader."""
    with st.expander("How to answer"):
        if not has_chat:
            st.caption("No chat model is set: answers consist of sentences quoted word for word from the papers.")
        generation = _mode(answering.generation)
        specialisation = _style(generation, answering.specialisation)
        second_judge = _switch(
            "second_judge", "Second judge", "The chat model judges the evidence too.", answering.second_judge
        )
        from_memory = _switch(
            "from_memory",
            "From memory, if no paper answers",
            "Marked sentence by sentence, and without citations.",
            answering.from_memory,
        )
        steps, seconds = answering.steps, answering.seconds
        with st.container():
            if MODES.get(generation).is_stepwise:
                steps = _number("steps", "Maximum steps", 1, MAX_STEPS, steps)
                seconds = _number("seconds", "Maximum seconds", 10, MAX_SECONDS, seconds, 10)
            tokens = _number("tokens", "Maximum tokens", 1000, MAX_TOKENS, answering.tokens, 1000)
    form = _form(standing(FORM_KEY, answering.form))
    return Answering(generation, specialisation, steps, seconds, tokens, second_judge, from_memory, form)


def _form(chosen: str | None) -> DigestForm | None:
    """Return the form that the reader chose beside the digest; `None` for the form that suits the question."""
    return DigestForm(chosen) if chosen in list(DigestForm) else None


def _mode(chosen: Generation | str) -> Generation | str:
    """Let the reader choose an answer mode from all those in the registry that can be loaded."""
    MODES.all()  # leaves out plug-ins that cannot be loaded
    modes = {generation_of(name): MODES.get(name) for name in offered()}
    labels = {name: mode.label for name, mode in modes.items()}
    help_lines = "\n".join(f"- :material/{mode.icon}: {mode.label}. {mode.help}" for mode in modes.values())
    icon = f":material/{modes[standing('generation', chosen)].icon}:"
    return _choice("generation", "Mode", labels, chosen, help_lines, icon)


def _style(generation: Generation | str, chosen: Specialisation | None) -> Specialisation | None:
    """Let the reader choose one of the styles that the mode supports; a style chosen for another mode is replaced by
    the default.
    """
    styles: list[Specialisation | None] = [None, *styles_of(generation)]
    labels = {style: label for style, label in STYLE_LABELS.items() if style in styles}
    if standing("specialisation", chosen) not in labels:
        st.session_state.pop("specialisation", None)
        chosen = None
    return _choice("specialisation", "Style", labels, chosen)


def _choice(
    key: str,
    label: str,
    labels: Mapping[Choice, str],
    chosen: Choice,
    help_lines: str | None = None,
    icon: str | None = None,
) -> Choice:
    choices = list(labels)
    index = choices.index(standing(key, chosen))
    return st.selectbox(label, choices, index, key=key, format_func=labels.__getitem__, help=help_lines, icon=icon)


def _switch(key: str, label: str, help_line: str, is_on: bool) -> bool:
    return st.toggle(label, standing(key, is_on), key=key, help=help_line)


def _number(key: str, label: str, low: int, high: int, number: int, step: int = 1) -> int:
    return st.number_input(label, min(low, number), high, standing(key, number), key=key, step=step)
