"""The answer settings on the page: mode, style and budget."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from pathfinder.answering.modes.registry import MODES, mode_name_of, mode_names, styles_of
from pathfinder.answering.settings import STYLE_LABELS, AnswerSettings
from pathfinder.types import ModeName, Specialisation
from pathfinder.types.setting_kinds import WholeNumber
from pathfinder.types.settings import Setting, settings_of
from pathfinder.ui.settings.widgets import choose, widget
from pathfinder.ui.shared.state import standing


def read(answering: AnswerSettings, has_chat: bool) -> AnswerSettings:
    """Show the answer settings, and return them as set by the reader."""
    st.markdown("**How to answer**")
    if not has_chat:
        st.caption("No chat model: answers quote sentences instead of writing them.")
    generation = _mode(answering.generation)
    answering = replace(answering, generation=generation, specialisation=_style(generation, answering))
    settings = {setting.name: setting for setting in settings_of(AnswerSettings)}
    answering = _with(answering, widget, settings["second_judge"], settings["from_memory"])
    answering = _with(answering, _number, settings["steps"], settings["seconds"], settings["tokens"])
    return answering


def _with(answering: AnswerSettings, draw: Callable[[Setting, Any], Any], *settings: Setting) -> AnswerSettings:
    """Draw the settings that have an effect, and return all settings as the reader set them."""
    for setting in settings:
        if setting.applies is None or setting.applies(answering):
            answering = replace(answering, **{setting.name: draw(setting, getattr(answering, setting.name))})
    return answering


def _mode(mode: ModeName | str) -> ModeName | str:
    MODES.all()  # leaves out plug-ins that cannot be loaded
    modes = {mode_name_of(name): MODES.get(name) for name in mode_names()}
    labels = {name: mode.label for name, mode in modes.items()}
    help_lines = "\n".join(f"- :material/{mode.icon}: {mode.label}. {mode.help}" for mode in modes.values())
    icon = f":material/{modes[standing('generation', mode)].icon}:"
    return choose("generation", "Mode", labels, mode, help_lines, icon)


def _style(generation: ModeName | str, answering: AnswerSettings) -> Specialisation | None:
    """Let the reader choose one of the styles that the mode supports; a style chosen for another mode is replaced by
    the default.
    """
    style, styles = answering.specialisation, [None, *styles_of(generation)]
    labels = {style: label for style, label in STYLE_LABELS.items() if style in styles}
    if standing("specialisation", style) not in labels:
        st.session_state.pop("specialisation", None)
        style = None
    return choose("specialisation", "Style", labels, style)


def _number(setting: Setting, number: int) -> int:
    """Draw a number box whose minimum is one step."""
    kind: WholeNumber = setting.kind  # type: ignore[assignment]
    low, value = min(max(kind.low, kind.step), number), standing(setting.name, number)
    return st.number_input(setting.label, low, kind.high, value, key=setting.name, step=kind.step, help=setting.help)
