"""What is said of a question beside its papers: the years that it names, its kind, and how to go on from it."""

from dataclasses import replace

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.retrieval.filters import with_years_named, years_read
from pathfinder.retrieval.routing.jargon import overloaded_terms
from pathfinder.retrieval.routing.table1 import COHERE_RERANKER, Suggestion, apply
from pathfinder.types import LOCAL_RERANKER
from pathfinder.ui import resources, routing, state, weights
from pathfinder.ui.address import Form
from pathfinder.ui.state import View


def years(form: Form, pf: Pathfinder) -> None:
    """The filter that the question's own words made, as a chip that takes it off and puts it back."""
    named = years_read(replace(form.request(), reads_years=True), pf.corpus.snapshot)
    if named is not None:
        routing.year_chip(named, form.reads_years, lambda is_on: state.change(reads_years=is_on))


def notes(form: Form, pf: Pathfinder, told: tuple[str, ...]) -> tuple[str, ...]:
    """What was `told` of a search, less what the chip of the years says."""
    _, said_by_chip = with_years_named(form.request(), pf.corpus.snapshot)
    return tuple(note for note in told if note != said_by_chip)


def kind(view: View, pf: Pathfinder) -> None:
    """The kind of the question, and the settings that are advised for it."""
    route = view.route
    if route is None:
        route = pf.route(view.result, COHERE_RERANKER if resources.has_cohere_key() else LOCAL_RERANKER)
        state.keep_route(route)
    terms = overloaded_terms(view.form.question)
    routing.panel(route, view.result.keywords, terms, lambda suggestion: _use(suggestion, view.form))


def _use(suggestion: Suggestion, form: Form) -> None:
    """Set the page's controls as `suggestion` says, before they are drawn again."""
    advised = apply(suggestion, form.request())
    st.session_state["top_k"] = advised.top_k
    st.session_state["imagine"], st.session_state["reranker"] = advised.imagine, advised.reranker
    for slider in ("keywords", "recency", "citations"):
        weights.set_strength(slider, getattr(advised.weighting, slider))


def follow_up(pf: Pathfinder) -> None:
    """A box to go on in; what a follow-up becomes is shown before it is searched."""
    routing.follow_up(lambda asked: pf.follow_up(state.history(), asked), _ask)


def _ask(question: str) -> None:
    st.session_state["question"] = question
