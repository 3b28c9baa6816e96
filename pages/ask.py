"""Ask: a question in; then its papers and the map, and in tabs beside them all that is said of them."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import (
    answers,
    badges,
    controls,
    conversation,
    findings,
    layout,
    map_view,
    papers,
    resources,
    searching,
    state,
    trace_tab,
)

try:
    pf = resources.pathfinder()
    controls.heading(pf)
    form = controls.read(state.form(), pf.chat is not None)
    controls.notes(*state.link_notes(), *state.keep(form))
    view = searching.view(form, pf) if form.question else None
    if view:
        with st.container():  # one place, however much is said in it: the lids below must not close
            controls.keyword_chips(form, view.result)
            conversation.years(form, pf)
            about_question = st.container()
            controls.advice(view.result)
            badges.judgement(view.result)
            controls.notes(*conversation.notes(form, pf, view.result.notes))
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
        with places.answer:  # from here on, a chat model may be asked: in the background, and all at once
            conversation.earlier(view)
            view, job = answers.begin(pf, view)
            answers.panel(pf, view, job)
            conversation.follow_up(pf)
        with places.trace:
            trace_tab.panel(job)
        with further:
            papers.further(view, answers.answer_on_screen(view, job))
        with about_question:
            conversation.kind(view, pf)
    elif not form.question:
        map_view.panel(pf)
except PathfinderError as error:
    controls.failure(error)
