"""Widgets for settings, by kind."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import streamlit as st

from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.retrieval.factors import factor_settings
from pathfinder.text.latex.display import for_markdown, with_options
from pathfinder.types.setting_kinds import MIN_STRENGTH, Alternatives, ModelName, Several, Strength, Switch, WholeNumber
from pathfinder.types.settings import Setting, settings_of
from pathfinder.types.weighting import Steers, Weighting
from pathfinder.ui.shared import state
from pathfinder.ui.shared.address import Form, read_setting, settings_on
from pathfinder.ui.shared.state import standing

Member = TypeVar("Member")
FAVOURED = {"keywords": "Shared keywords", "recency": "Recent papers", "citations": "Cited papers"}
"""Names, to readers, of the factors that most of them use, by the name of the setting."""


def widget(setting: Setting, value: Any, examples: Mapping[str, str] | None = None) -> Any:
    """Draw the widget for a setting, with the initial value `value`, and return the reader's value. An empty text box
    shows the example of its setting: of `examples`, by name, or its own.
    """
    kind = setting.kind
    if isinstance(kind, Switch):
        return st.toggle(setting.label, standing(setting.name, value), key=setting.name, help=setting.help)
    if isinstance(kind, Strength):
        return _strength(setting, value)
    if isinstance(kind, WholeNumber):
        return _whole_number(setting, kind, value)
    if isinstance(kind, Alternatives | ModelName):
        return choose(setting.name, setting.label, kind.labels, value, setting.help)
    if isinstance(kind, Several):
        return switches(setting, kind, value, kind.members)
    return _text(setting, value, (examples or {}).get(setting.name, setting.placeholder))


def use(form: Form) -> None:
    """Make the settings of the page those of `form`; for a button, before the widgets are drawn again. Those that are
    not on the page, such as the widgets of a closed group, begin with the values of `form` when they are drawn.
    """
    before = settings_on(state.form())
    after = settings_on(form)
    _show(entry for entry, (_, old) in zip(after, before, strict=True) if entry[1] != old)
    state.keep_form(form)


def _show(settings: Iterable[tuple[Setting, Any]]) -> None:
    for setting, value in settings:
        shown = _shown(setting, value).items()
        st.session_state.update({key: each for key, each in shown if key in st.session_state})


def _shown(setting: Setting, value: Any) -> dict[str, Any]:
    """Return what the widgets of a setting hold when they show `value`, by their keys."""
    name, kind = setting.name, setting.kind
    if isinstance(kind, Steers):
        return {_STEERS: [feature for feature, _ in value]} | {slider_key(feature): each for feature, each in value}
    if isinstance(kind, Strength):
        has_toggle = name != "rerank"
        slider = {f"{name}-strength": value} if value > 0 or not has_toggle else {}
        return {f"{name}-on": value > 0, **slider} if has_toggle else slider
    if isinstance(kind, Several):
        return {f"{name}-{member}": member in value for member in kind.members}
    if isinstance(kind, Switch | WholeNumber | Alternatives | ModelName):
        return {name: value}
    return {name: kind.write(value)}


SWITCHED_ON = 0.3
"""Strength of a weight that is switched on: at 1, new papers beside the subject stand before older ones on it."""

OWN_WEIGHTS = "own-weights"
"""Name in the session of the weights of a page whose papers belong to no question."""


def weigh(weighting: Weighting) -> None:
    """Make the weights of the page `weighting`; for a button, before the sliders are drawn again."""
    form = state.form().with_search(weighting=weighting)
    weights = {setting.name for setting in (*factor_settings(), *settings_of(Weighting))}
    _show((setting, value) for setting, value in settings_on(form) if setting.name in weights)
    if OWN_WEIGHTS in st.session_state:
        st.session_state[OWN_WEIGHTS] = weighting
    else:
        state.keep_form(form)


def strength_slider(setting: Setting, strength: float) -> float:
    """Draw a slider from 0 (off) to 1, without a toggle."""
    key = f"{setting.name}-strength"
    label = setting.label.capitalize()
    return st.slider(label, 0.0, 1.0, standing(key, strength), MIN_STRENGTH, key=key, help=setting.help)


def _strength(setting: Setting, strength: float) -> float:
    """Draw a toggle, with a slider while it is on; return 0 while it is off."""
    label, on, strong = f"Strength of {setting.label}", f"{setting.name}-on", f"{setting.name}-strength"
    name = FAVOURED.get(setting.name, setting.label.capitalize())
    if not st.toggle(name, standing(on, strength > 0), key=on, help=setting.help):
        return 0.0
    value = standing(strong, strength or SWITCHED_ON)
    return st.slider(label, MIN_STRENGTH, 1.0, value, MIN_STRENGTH, key=strong, label_visibility="collapsed")


def _whole_number(setting: Setting, kind: WholeNumber, number: int | None) -> int | None:
    name, value = setting.name, standing(setting.name, number)
    if kind.is_optional:
        return st.number_input(
            setting.label, kind.low, kind.high, value, step=1, format="%d", placeholder=setting.placeholder, key=name
        )
    entry: int = st.slider(setting.label, kind.low, kind.high, value, key=name, help=setting.help)
    return entry


def choose(
    key: str, label: str, labels: Mapping[Member, str], value: Member, help_line: str = "", icon: str | None = None
) -> Member:
    """Let the reader choose one of `labels`, each the name of a value; `value` is chosen at first."""
    members = list(labels)
    index = members.index(standing(key, value))
    return st.selectbox(
        label, members, index, key=key, format_func=labels.__getitem__, help=help_line or None, icon=icon
    )


def switches(setting: Setting, kind: Several, value: tuple[Any, ...], members: Iterable[Any]) -> tuple[Any, ...]:
    """Draw a switch for each of `members`; the setting's other members keep their state."""
    st.caption(setting.help)
    values = {}
    for member in members:
        key = f"{setting.name}-{member}"
        values[member] = st.toggle(kind.labels[member], standing(key, member in value), key=key)
    return tuple(member for member in kind.members if values.get(member, member in value))


def _text(setting: Setting, value: Any, example: str) -> Any:
    """Draw a text box; if the text cannot be read, show an error and leave the value unchanged."""
    text = standing(setting.name, setting.kind.write(value))
    entry = st.text_input(setting.label, text, key=setting.name, placeholder=example, help=setting.help)
    try:
        return read_setting(setting, entry)
    except UsageError as error:
        st.error(for_markdown(str(error)))
        return value


# Features by which the reader steers the search, each with a slider from less to more.

LABEL = "More or less of"
HELP = (
    "A feature, named by phrases, is a direction in the space of the papers' vectors. Choose one, then move its slider."
)
FIRST_STRENGTH, STEP = 0.5, 0.05
_STEERS = "steers"


def slider_key(feature: str) -> str:
    """Return the key of a feature's slider."""
    return f"steer-{feature}"


def read(steers: tuple[tuple[str, float], ...], corpus: Corpus) -> tuple[tuple[str, float], ...]:
    """Draw the list of features with a slider for each chosen one, and return the reader's steers.

    A feature that this corpus does not have, such as one in a link made with another corpus, is listed too, so that the
    reader can remove it; until then, the search fails with an error that names it.
    """
    first = dict(steers)
    if corpus.features is None:
        st.caption(with_options(corpus.absent["features"]))
    names = [str(feature.name) for feature in corpus.features.named_features] if corpus.features else []
    options = list(dict.fromkeys((*names, *first)))
    if not options:
        return ()
    steered_features = st.multiselect(
        LABEL, options, standing(_STEERS, [*first]), key=_STEERS, help=HELP, placeholder=f"{len(names)} features"
    )
    strengths = []
    for feature in steered_features:
        key, tip = slider_key(feature), "Left of 0: less. Right of 0: more."
        strength = standing(key, first.get(feature, FIRST_STRENGTH))
        value = st.slider(for_markdown(feature), -1.0, 1.0, strength, STEP, key=key, help=tip)
        strengths.append((feature, round(value, 2)))
    return tuple(strengths)


# Widgets that follow the address: each is created with the value in the address, and updated when the address
# changes.


def following(key: str, value: Any, name: str = "default") -> dict[str, Any]:
    """Return the arguments that make the widget `key` show `value`; `name` is the widget's argument for its initial
    value.

    A widget that is set only through the session state is empty in the browser for a moment, and a run that starts at
    that moment would conclude that the reader had emptied it.
    """
    if key in st.session_state and st.session_state[key] != value:
        st.session_state[key] = value
    return {"key": key, name: value}
