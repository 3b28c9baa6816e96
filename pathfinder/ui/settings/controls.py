"""The settings in the sidebar, their widgets, and what the page says first: notes, warnings and stages that ran."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import Any, TypeVar

import streamlit as st

from pathfinder.answering.modes.registry import MODES, mode_name_of, mode_names, styles_of
from pathfinder.answering.settings import STYLE_LABELS, AnswerSettings
from pathfinder.corpus.store import Corpus
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.facade import Pathfinder
from pathfinder.retrieval.advice import weighting_advice
from pathfinder.retrieval.factors import FACTORS, RankingFactor, factor_settings
from pathfinder.retrieval.weighting import RERANK
from pathfinder.text.latex.display import for_markdown, with_options
from pathfinder.types import (
    NO_RERANKER,
    CitationProfile,
    ModeName,
    QueryExpansion,
    SearchRequest,
    SearchResult,
    SectionKind,
    Specialisation,
    Stage,
    StageOutcome,
    StageStatus,
    Weighting,
)
from pathfinder.types.setting_kinds import MIN_STRENGTH, Alternatives, ModelName, Several, Strength, Switch, WholeNumber
from pathfinder.types.settings import Setting, SidebarSection, settings_of
from pathfinder.types.weighting import Steers
from pathfinder.ui.settings import keys
from pathfinder.ui.shared import panels, resources, state, visit_corpus
from pathfinder.ui.shared.address import Form, read_setting, settings_on

Member = TypeVar("Member")
FAVOURED = {"keywords": "Shared keywords", "recency": "Recent papers", "citations": "Cited papers"}
"""Names, to readers, of the factors that most of them use, by the name of the setting."""


def widget(setting: Setting, value: Any, examples: Mapping[str, str] | None = None) -> Any:
    """Draw the widget for a setting, with the initial value `value`, and return the reader's value. An empty text box
    shows the example of its setting: of `examples`, by name, or its own.
    """
    kind = setting.kind
    if isinstance(kind, Switch):
        return st.toggle(setting.label, state.standing(setting.name, value), key=setting.name, help=setting.help)
    if isinstance(kind, Strength):
        return _strength(setting, value)
    if isinstance(kind, WholeNumber):
        limits = kind.low, kind.high, state.standing(setting.name, value)
        if kind.is_optional:
            form: dict[str, Any] = {"step": 1, "format": "%d", "placeholder": setting.placeholder}
            return st.number_input(setting.label, *limits, key=setting.name, **form)
        return st.slider(setting.label, *limits, key=setting.name, help=setting.help)
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


def _strength(setting: Setting, strength: float) -> float:
    """Draw a toggle, with a slider while it is on; return 0 while it is off."""
    label, on, strong = f"Strength of {setting.label}", f"{setting.name}-on", f"{setting.name}-strength"
    name = FAVOURED.get(setting.name, setting.label.capitalize())
    if not st.toggle(name, state.standing(on, strength > 0), key=on, help=setting.help):
        return 0.0
    value = state.standing(strong, strength or SWITCHED_ON)
    return st.slider(label, MIN_STRENGTH, 1.0, value, MIN_STRENGTH, key=strong, label_visibility="collapsed")


def choose(
    key: str, label: str, labels: Mapping[Member, str], value: Member, help_line: str = "", icon: str | None = None
) -> Member:
    """Let the reader choose one of `labels`, each the name of a value; `value` is chosen at first."""
    members = list(labels)
    index = members.index(state.standing(key, value))
    return st.selectbox(
        label, members, index, key=key, format_func=labels.__getitem__, help=help_line or None, icon=icon
    )


def switches(setting: Setting, kind: Several, value: tuple[Any, ...], members: Iterable[Any]) -> tuple[Any, ...]:
    """Draw a switch for each of `members`; the setting's other members keep their state."""
    st.caption(setting.help)
    values = {}
    for member in members:
        key = f"{setting.name}-{member}"
        values[member] = st.toggle(kind.labels[member], state.standing(key, member in value), key=key)
    return tuple(member for member in kind.members if values.get(member, member in value))


def _text(setting: Setting, value: Any, example: str) -> Any:
    """Draw a text box; if the text cannot be read, show an error and leave the value unchanged."""
    text = state.standing(setting.name, setting.kind.write(value))
    entry = st.text_input(setting.label, text, key=setting.name, placeholder=example, help=setting.help)
    try:
        return read_setting(setting, entry)
    except UsageError as error:
        st.error(for_markdown(str(error)))
        return value


# Features by which the reader steers the search, each with a slider from less to more.

STEERS_HELP = (
    "A feature, named by phrases, is a direction in the space of the papers' vectors. Choose one, then move its slider."
)
FIRST_STRENGTH, STEP = 0.5, 0.05
_STEERS = "steers"


def slider_key(feature: str) -> str:
    """Return the key of a feature's slider."""
    return f"steer-{feature}"


def _read_steers(steers: tuple[tuple[str, float], ...], corpus: Corpus) -> tuple[tuple[str, float], ...]:
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
    hint = f"{len(names)} features"
    steered_features = st.multiselect(
        "More or less of", options, state.standing(_STEERS, [*first]), key=_STEERS, help=STEERS_HELP, placeholder=hint
    )
    strengths = []
    for feature in steered_features:
        key, tip = slider_key(feature), "Left of 0: less. Right of 0: more."
        strength = state.standing(key, first.get(feature, FIRST_STRENGTH))
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


# The settings in the sidebar, and what the page says first.


def about_corpus(pf: Pathfinder) -> None:
    """Say what is still being made of the open corpus, and what was wrong with the link to it."""
    resources.notice(pf)
    notes(*visit_corpus.notes())


def read(form: Form, pf: Pathfinder) -> Form:
    """Draw the settings in the sidebar, and return those of the reader.

    Raises `UsageError` for years in which no paper can have appeared.
    """
    search, answering, values = form.search, form.answering, dict[str, Any]()
    st.session_state.pop(OWN_WEIGHTS, None)
    with st.sidebar:
        favour = st.expander("What to favour", expanded=True, key="to-favour")
        # A group has widgets only while it is open: fifty closed ones were a third of what a page sends.
        with st.expander("Which papers", key="which-papers", on_change="rerun") as which:
            if which.open:
                values = filters(search) | properties(search, pf)
        with st.expander("How to search and answer", key="to-search", on_change="rerun") as how:
            if how.open:
                search = _stages(search, pf)
                answering = _answer_settings(answering, pf.chat is not None)
                keys.panel()
                keys.sources_panel()
        with favour:  # read after the stages: a reranker adds a slider
            values["weighting"] = read_weights(form.weighting, search.reranker, pf.corpus)
            panels.draw("ask.sidebar", pf, form)
    return replace(form, search=search, answering=answering).with_search(**values)


FILTERS = tuple(setting.name for setting in settings_of(SearchRequest) if setting.section is SidebarSection.FILTERS)
"""Names of the settings that limit a search: number of papers, years, and the reader's own keywords."""


def filters(search: SearchRequest | None = None, names: Collection[str] = FILTERS) -> dict[str, Any]:
    """Draw the filters in `names`, at first with their defaults if there is no `search`; return values by name."""
    settings = [setting for setting in settings_of(SearchRequest) if setting.name in names]
    columns = dict(zip(("year_from", "year_to"), st.columns(2), strict=True))
    values = {}
    for setting in settings:
        with columns.get(setting.name) or nullcontext():
            values[setting.name] = widget(setting, getattr(search, setting.name, setting.default))
    return values


def properties(search: SearchRequest, pf: Pathfinder) -> dict[str, Any]:
    """Draw the filters by author, category, venue, source and peer review, and return their values by name; a caption
    names the properties that this corpus does not record.
    """
    settings = [setting for setting in settings_of(SearchRequest) if setting.section is SidebarSection.PROPERTIES]
    values, missing = {}, []
    for setting in settings:
        value = getattr(search, setting.name)
        if value == setting.default and not pf.corpus.papers.property_counts(setting.name):
            missing.append(setting.label.lower())
            continue
        values[setting.name] = widget(setting, value, pf.profile.page.placeholders)
    if missing:
        st.caption(f"This library does not record {', '.join(missing)}.")
    return values


def keyword_chips(form: Form, result: SearchResult) -> None:
    """Show the keywords found in the question; a keyword that is turned off is left out of the search."""
    extracted_keywords = [keyword.text for keyword in result.keywords if not keyword.is_given]
    options = [*extracted_keywords, *(k for k in form.search.dropped_keywords if k not in extracted_keywords)]
    if not options:
        return
    key = f"kept-{form.question}"
    active = state.standing(key, extracted_keywords)
    st.pills(
        "Keywords found in your question: click one to leave it out",
        options,
        default=[option for option in options if option in active],
        format_func=for_markdown,  # words that come from a question or a link
        selection_mode="multi",
        key=key,
        on_change=lambda: state.change(
            dropped_keywords=tuple(each for each in options if each not in st.session_state[key])
        ),
    )


def advice(result: SearchResult) -> None:
    """Warn, in one box, about weights that have no effect on these candidates."""
    if sentences := weighting_advice(result.candidates, result.request.weighting):
        st.warning("\n\n".join(sentences))


def notes(*texts: str) -> None:
    """Show notes that the reader should see first."""
    for text in texts:
        st.info(with_options(text), icon=":material/info:")


MAX_BADGE = 40
"""Maximum number of characters in a badge that fits on one line on a phone."""


def badges(stages: Iterable[Stage], status: Iterable[StageStatus] = ()) -> None:
    """Draw a badge for each stage that ran, in orange if it did not run as requested."""
    marks = {entry.name: entry.status in (StageOutcome.SUBSTITUTED, StageOutcome.FAILED) for entry in status}
    st.markdown(" ".join(_badge(f"{stage.label}: {stage.ran}", marks.get(stage.name, False)) for stage in stages))


def _badge(words: str, is_fallback: bool) -> str:
    """Return a badge as Markdown; a long one, which Streamlit would cut on a phone, as highlighted text."""
    safe_words = with_options(words)
    colour = "orange" if is_fallback else "gray"
    is_short = len(words) <= MAX_BADGE
    return f":{colour}-badge[{safe_words}]" if is_short else f":small[:{colour}-background[:{colour}[{safe_words}]]]"


def failure(error: PathfinderError) -> None:
    """Show what went wrong and how to resolve it."""
    st.error(for_markdown(str(error)))


@contextmanager
def reporting() -> Iterator[None]:
    """Draw a part of the page or, from where it fails on, what went wrong."""
    try:
        yield
    except PathfinderError as error:
        failure(error)


def _stages(search: SearchRequest, pf: Pathfinder) -> SearchRequest:
    """Return the request with every stage set as the reader chose. Live sources are those that this server allows, and
    sections those that occur in the full texts of the corpus.
    """
    st.markdown("**How to search**")
    index = pf.corpus.full_texts
    sections = () if index is None else tuple(each for each in SectionKind if (index.kinds == each.value).any())
    for setting in settings_of(SearchRequest):
        is_shown = setting.section is SidebarSection.STAGES and (setting.applies is None or setting.applies(search))
        lacks_texts = setting.stage == "full texts" and index is None
        if not is_shown or lacks_texts or (setting.needs_chat and pf.chat is None):
            continue
        value, kind = getattr(search, setting.name), setting.kind
        if not isinstance(kind, Several):
            value = widget(setting, value, pf.profile.page.placeholders)
        elif members := resources.live_sources() if setting.name == "live" else sections:
            value = switches(setting, kind, value, members)
        search = replace(search, **{setting.name: value})
    if search.imagine is QueryExpansion.HYDE and pf.chat is None:
        st.caption("No chat model is set to write hypothetical abstracts: relevance feedback is used instead.")
    if search.depth and search.decomposes:
        st.caption("A search in rounds does not split the question; set the rounds to 0 to search part by part.")
    return search


# How to answer: mode, style and budget.


def _answer_settings(answering: AnswerSettings, has_chat: bool) -> AnswerSettings:
    """Show the answer settings, and return them as set by the reader."""
    st.markdown("**How to answer**")
    if not has_chat:
        st.caption("No chat model: answers quote sentences instead of writing them.")
    mode = answering.generation
    MODES.all()  # leaves out plug-ins that cannot be loaded
    modes = {mode_name_of(name): MODES.get(name) for name in mode_names()}
    labels = {name: mode.label for name, mode in modes.items()}
    help_lines = "\n".join(f"- :material/{mode.icon}: {mode.label}. {mode.help}" for mode in modes.values())
    icon = f":material/{modes[state.standing('generation', mode)].icon}:"
    generation = choose("generation", "Mode", labels, mode, help_lines, icon)
    answering = replace(answering, generation=generation, specialisation=_style(generation, answering))
    settings = {setting.name: setting for setting in settings_of(AnswerSettings)}
    for name in ("second_judge", "from_memory", "steps", "seconds", "tokens"):
        setting, before = settings[name], getattr(answering, name)
        if setting.applies is None or setting.applies(answering):
            if isinstance(kind := setting.kind, WholeNumber):  # whose minimum is one step here
                low, now = min(max(kind.low, kind.step), before), state.standing(name, before)
                value: Any = st.number_input(
                    setting.label, low, kind.high, now, key=name, step=kind.step, help=setting.help
                )
            else:
                value = widget(setting, before)
            answering = replace(answering, **{name: value})
    return answering


def _style(generation: ModeName | str, answering: AnswerSettings) -> Specialisation | None:
    """Let the reader choose a style that the mode supports; one chosen for another mode becomes the default."""
    style, styles = answering.specialisation, [None, *styles_of(generation)]
    labels = {style: label for style, label in STYLE_LABELS.items() if style in styles}
    if state.standing("specialisation", style) not in labels:
        st.session_state.pop("specialisation", None)
        style = None
    return choose("specialisation", "Style", labels, style)


# Weights set by the reader: the factors that move a paper, and their strengths.


def read_weights(weighting: Weighting, reranker: str, corpus: Corpus) -> Weighting:
    """Draw the main factors with their sliders, and the other factors, the features and how they combine behind one
    button; return the resulting weights.
    """
    factors = list(zip(FACTORS.all(), factor_settings(is_loaded=True), strict=True))
    others = {setting.name: setting for setting in settings_of(Weighting)}
    for factor, setting in factors:
        if factor.is_main:
            weighting = _weighting_from(weighting, factor, setting)
    if weighting.citations:
        profile: CitationProfile = widget(others["citation_profile"], weighting.citation_profile)
        weighting = replace(weighting, citation_profile=profile)
    for factor, setting in factors:
        if factor.name == RERANK and reranker != NO_RERANKER:
            key, label = f"{setting.name}-strength", setting.label.capitalize()
            before = state.standing(key, weighting.rerank)
            strength = st.slider(label, 0.0, 1.0, before, MIN_STRENGTH, key=key, help=setting.help)  # 0 is off
            weighting = weighting.with_strength(setting.name, strength)
    with st.popover("More", key="more-weights", type="tertiary", on_change="rerun") as more:
        if not more.open:
            return weighting
        for factor, setting in factors:
            if not factor.is_main and factor.name != RERANK:
                weighting = _weighting_from(weighting, factor, setting)
        weighting = replace(weighting, steers=_read_steers(weighting.steers, corpus))
        return replace(weighting, preset=widget(others["preset"], weighting.preset))


def _weighting_from(weighting: Weighting, factor: RankingFactor, setting: Setting) -> Weighting:
    standing = factor.strength_in(weighting)
    strength = widget(setting, standing)
    return weighting if strength == standing else weighting.with_strength(setting.name, strength)
