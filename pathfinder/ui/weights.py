"""The weights that a reader sets: what moves a paper, and how far."""

import streamlit as st

from pathfinder.types import NO_RERANKER, CitationProfile, Preset, Weighting
from pathfinder.ui.address import MIN_STRENGTH
from pathfinder.ui.form import Form
from pathfinder.ui.state import standing

PRESET_TITLE = "How the weights combine"
PRESET_LABELS = {Preset.BALANCED: "Balanced", Preset.PAPER: "As published"}
PROFILE_LABELS = {
    CitationProfile.SIGMOID: "300 citations count half",
    CitationProfile.AGE_FAIR: "among papers of its year",
}

LESSER = (
    ("title", "Title", "Raises papers whose title is like the question."),
    ("position", "Early", "Raises papers that come to the point early."),
    ("coverage", "Words", "Raises papers with more of your words."),
    ("diversity", "Pointed", "Raises papers of which one part fits much better."),
)
"""Weights behind a lid: the field's name, its label, what it does."""


def read(form: Form) -> Weighting:
    """Three toggles with their sliders, the lesser weights behind a lid, and the preset that puts them together."""
    set_before = form.weighting
    keywords = _strength(
        "keywords", "Keywords", "Raises papers that share keywords with the question.", set_before.keywords
    )
    recency = _strength(
        "recency", "Time", "Raises recent papers; those older than about 5 years fade.", set_before.recency
    )
    citations = _strength("citations", "Citations", "Raises papers that are cited often.", set_before.citations)
    with st.container():
        profile = _citation_profile(set_before) if citations else set_before.citation_profile
    with st.container():
        rerank = set_before.rerank if form.reranker == NO_RERANKER else _rerank(set_before.rerank)
    with st.expander("More weights"):
        lesser = {
            name: _strength(name, label, help_line, getattr(set_before, name)) for name, label, help_line in LESSER
        }
    presets = [*Preset]
    preset = st.radio(
        PRESET_TITLE,
        presets,
        presets.index(standing("preset", set_before.preset)),
        key="preset",
        format_func=lambda preset: PRESET_LABELS[preset],
        captions=["match, reranker and weights add up", "match times each weight; a reranker's order stands"],
    )
    return Weighting(
        keywords=keywords,
        recency=recency,
        citations=citations,
        preset=preset,
        citation_profile=profile,
        recency_midpoint_years=set_before.recency_midpoint_years,
        rerank=rerank,
        **lesser,
    )


def set_strength(slider: str, strength: float) -> None:
    """Move a slider from elsewhere on the page: called back by a button, before the sliders are drawn again."""
    if slider != "rerank":
        st.session_state[f"{slider}-on"] = strength > 0
    if strength > 0 or slider == "rerank":
        st.session_state[f"{slider}-strength"] = strength


def _strength(name: str, label: str, help_line: str, strength: float) -> float:
    """A toggle, and a slider while it is on; 0 while it is off."""
    slider_label, on, strong = f"Strength of {label.lower()}", f"{name}-on", f"{name}-strength"
    with st.container():  # one place on the page, with its slider or without: a lid below must not close
        is_on = st.toggle(label, standing(on, strength > 0), key=on)
        st.caption(help_line)
        if not is_on:
            return 0.0
        value = standing(strong, strength or 1.0)
        return st.slider(slider_label, MIN_STRENGTH, 1.0, value, MIN_STRENGTH, key=strong, label_visibility="collapsed")


def _rerank(strength: float) -> float:
    key, help_line = (
        "rerank-strength",
        "How far the reranker, which reads question and paper together, moves a paper; 0 is off.",
    )
    return st.slider("Reranker", 0.0, 1.0, standing(key, strength), MIN_STRENGTH, key=key, help=help_line)


def _citation_profile(weighting: Weighting) -> CitationProfile:
    profiles = [*CitationProfile]
    chosen: CitationProfile = st.selectbox(
        "Citations count",
        profiles,
        profiles.index(standing("profile", weighting.citation_profile)),
        key="profile",
        format_func=lambda profile: PROFILE_LABELS[profile],
    )
    return chosen
