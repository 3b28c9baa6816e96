"""Weights set by the reader: the factors that move a paper, and their strengths."""

from dataclasses import replace

import streamlit as st

from pathfinder.corpus.store import Corpus
from pathfinder.retrieval.factors import FACTORS, RankingFactor, factor_settings
from pathfinder.retrieval.weighting import RERANK
from pathfinder.types import NO_RERANKER, CitationProfile, Weighting
from pathfinder.types.settings import Setting, settings_of
from pathfinder.ui.settings import widgets
from pathfinder.ui.settings.widgets import strength_slider, widget


def read(weighting: Weighting, reranker: str, corpus: Corpus) -> Weighting:
    """Draw the main factors with their sliders, and the other factors, the features and how they combine behind one
    button; return the resulting weights.
    """
    factors = list(zip(FACTORS.all(), factor_settings(is_loaded=True), strict=True))
    others = {setting.name: setting for setting in settings_of(Weighting)}
    for factor, setting in factors:
        if factor.is_main:
            weighting = _weighting_from(weighting, factor, setting)
    with st.container():
        if weighting.citations:
            profile: CitationProfile = widget(others["citation_profile"], weighting.citation_profile)
            weighting = replace(weighting, citation_profile=profile)
    with st.container():
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
