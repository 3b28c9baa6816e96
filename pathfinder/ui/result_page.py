"""The Ask page once there is a result: what was searched above, papers and map at the side, and the five tabs."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pathfinder.explorer import Pathfinder
from pathfinder.ui import (
    answers,
    audience,
    badges,
    consensus_tab,
    controls,
    conversation,
    costs,
    findings,
    layout,
    map_view,
    papers,
    tasks,
    trace_tab,
)
from pathfinder.ui.form import Form
from pathfinder.ui.state import View


def panel(pf: Pathfinder, form: Form, view: View) -> None:
    """All of it. Papers and map are drawn first; whoever may ask a chat model comes after them, and does not wait."""
    about_question = _above(pf, form, view)
    places = layout.places()
    with places.map:
        (map_view.panel if places.is_map_open else map_view.small)(pf, view.result)
    if places.listed:
        with places.listed:
            papers.short_list(view)
    with places.papers:
        badges.badges(view.result.stages)
        findings.panel(view.result)
        papers.listing(view)
        further = st.container()
    with places.answer:
        conversation.earlier(view)
        view, job = answers.begin(pf, view)
        answers.panel(pf, view, job)
        retold, spent = st.container(), st.container()
        conversation.follow_up(pf)
    with about_question:
        conversation.kind(view, pf)
    with places.consensus:
        consensus_tab.panel(pf, view)
    with places.trace:
        trace_tab.panel(pf, view, job)
    if (answer := answers.on_screen(view, job)) is not None:
        with further:
            papers.further(view, answer)
        with retold:
            audience.panel(pf, answer)
    with spent:
        costs.panel([call for told in (view.result, *tasks.results()) for call in told.calls])


def _above(pf: Pathfinder, form: Form, view: View) -> DeltaGenerator:
    """What was made of the question; returns the place for its kind."""
    with st.container():  # one place, however much is said in it: the lids below must not close
        controls.keyword_chips(form, view.result)
        conversation.years(form, pf)
        about_question = st.container()
        controls.advice(view.result)
        badges.judgement(view.result)
        controls.notes(*conversation.notes(form, pf, view.result.notes))
    return about_question
