"""Ask: a question in; then the papers, the map and the answer, in this order."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import answers, badges, controls, conversation, findings, map_view, papers, resources, state

try:
    pf = resources.pathfinder()
    controls.heading(pf)
    form = controls.read(state.form(), pf.chat is not None)
    controls.notes(*state.link_notes(), *state.keep(form))
    if form.question:
        view = state.view(form, pf)
        with st.container():  # one place, however much is said in it: the lids of the papers must not close
            controls.keyword_chips(form, view.result)
            conversation.years(form, pf)
            about_question = st.container()
            controls.advice(view.result)
            badges.what_ran(view.result)
            findings.panel(view.result)
            controls.notes(*conversation.notes(form, pf, view.result.notes))
        left, right = st.columns([11, 9], gap="large")
        with left:
            papers.listing(view)
        with right:
            map_view.panel(pf, view.result)
            answers.panel(pf, view)
            conversation.follow_up(pf)
        with about_question:  # last: a chat model may be asked for it, and the answer does not wait
            conversation.kind(view, pf)
    else:
        map_view.panel(pf)
except PathfinderError as error:
    controls.failure(error)
