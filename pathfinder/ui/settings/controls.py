"""Keywords, filters and search stages; the other settings are in `weights` and `answer_settings`."""

from collections.abc import Collection, Iterator
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import streamlit as st

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
    QueryExpansion,
    SearchRequest,
    SearchResult,
    SectionKind,
    Weighting,
)
from pathfinder.types.setting_kinds import Several
from pathfinder.types.settings import Setting, SidebarSection, settings_of
from pathfinder.ui.settings import answer_settings, keys, source_keys, widgets
from pathfinder.ui.settings.widgets import OWN_WEIGHTS, strength_slider, switches, widget
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
    has_chat = pf.chat is not None
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
                answering = answer_settings.read(answering, has_chat)
                keys.panel()
                source_keys.panel()
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


def failure(error: PathfinderError) -> None:
    """Show what went wrong and how to resolve it."""
    st.error(for_markdown(str(error)))


def _stages(search: SearchRequest, pf: Pathfinder) -> SearchRequest:
    """Return the request with every stage set as the reader chose."""
    st.markdown("**How to search**")
    for setting in settings_of(SearchRequest):
        if setting.section is SidebarSection.STAGES and _is_shown(setting, search, pf):
            search = replace(search, **{setting.name: _stage_value(setting, search, pf)})
    for note in _stage_notes(search, pf.chat is not None):
        st.caption(note)
    return search


def _stage_value(setting: Setting, search: SearchRequest, pf: Pathfinder) -> Any:
    """Draw the widget for a setting, and return its value. The widget for live sources offers those that this
    server allows; the widget for sections offers those that occur in the corpus's full texts.
    """
    value, kind = getattr(search, setting.name), setting.kind
    if isinstance(kind, Several):
        members = live_sources() if setting.name == "live" else _sections(pf)
        return switches(setting, kind, value, members) if members else value
    return widget(setting, value, pf.profile.page.placeholders)


def _is_shown(setting: Setting, search: SearchRequest, pf: Pathfinder) -> bool:
    applies = setting.applies is None or setting.applies(search)
    if setting.stage == "full texts" and pf.corpus.full_texts is None:
        return False
    return applies and (pf.chat is not None or not setting.needs_chat)


def _sections(pf: Pathfinder) -> tuple[SectionKind, ...]:
    index = pf.corpus.full_texts
    return () if index is None else tuple(kind for kind in SectionKind if (index.kinds == kind.value).any())


def _stage_notes(search: SearchRequest, has_chat: bool) -> Iterator[str]:
    if search.imagine is QueryExpansion.HYDE and not has_chat:
        yield "No chat model is set to write hypothetical abstracts: relevance feedback is used instead."
    if search.depth and search.decomposes:
        yield "A search in rounds does not split the question; set the rounds to 0 to search part by part."


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
