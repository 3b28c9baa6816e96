"""The settings in the sidebar, and what the page says first: notes, warnings and the stages that ran."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import Any

import streamlit as st

from pathfinder.answering.modes.registry import MODES, mode_name_of, mode_names, styles_of
from pathfinder.answering.settings import STYLE_LABELS, AnswerSettings
from pathfinder.corpus.store import Corpus
from pathfinder.errors import PathfinderError
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
from pathfinder.types.setting_kinds import Several, Switch, WholeNumber
from pathfinder.types.settings import Setting, SidebarSection, settings_of
from pathfinder.ui.settings import keys, widgets
from pathfinder.ui.settings.widgets import OWN_WEIGHTS, choose, strength_slider, switches, widget
from pathfinder.ui.shared import panels, resources, state, visit_corpus
from pathfinder.ui.shared.address import Form
from pathfinder.ui.shared.resources import live_sources
from pathfinder.ui.shared.state import standing


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
    """Draw the filters listed in `names`, with their default values if `search` is not given; return their values by
    name.
    """
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
    active = standing(key, extracted_keywords)
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
    """Return a badge as Markdown. Streamlit truncates badges wider than a phone screen, so a long one is drawn as
    highlighted text instead.
    """
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
        elif members := live_sources() if setting.name == "live" else sections:
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
    generation = _mode(answering.generation)
    answering = replace(answering, generation=generation, specialisation=_style(generation, answering))
    settings = {setting.name: setting for setting in settings_of(AnswerSettings)}
    for name in ("second_judge", "from_memory", "steps", "seconds", "tokens"):
        setting, before = settings[name], getattr(answering, name)
        if setting.applies is None or setting.applies(answering):
            value: Any = widget(setting, before) if isinstance(setting.kind, Switch) else _number(setting, before)
            answering = replace(answering, **{name: value})
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
            weighting = weighting.with_strength(setting.name, strength_slider(setting, weighting.rerank))
    with st.popover("More", key="more-weights", type="tertiary", on_change="rerun") as more:
        if not more.open:
            return weighting
        for factor, setting in factors:
            if not factor.is_main and factor.name != RERANK:
                weighting = _weighting_from(weighting, factor, setting)
        weighting = replace(weighting, steers=widgets.read(weighting.steers, corpus))
        return replace(weighting, preset=widget(others["preset"], weighting.preset))


def _weighting_from(weighting: Weighting, factor: RankingFactor, setting: Setting) -> Weighting:
    return weighting.with_strength(setting.name, widget(setting, factor.strength_in(weighting)))
