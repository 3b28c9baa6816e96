"""Ask: a question in, then papers, map and answer, in this order."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import answers, controls, map_view, papers, resources, state

try:
    pf = resources.pathfinder()
    controls.heading(pf)
    form = controls.question(state.form())
    form = controls.settings(form, pf)
    controls.notes(*state.link_notes(), state.keep(form))
    if form.question:
        view = state.view(form, pf)
        form = controls.keywords(form, view.result)
        controls.what_ran(view.result)
        left, right = st.columns([11, 9], gap="large")
        with left:
            papers.listing(view)
        with right:
            map_view.panel(pf, view.result)
            answers.panel(pf, view)
except PathfinderError as error:
    controls.failure(error)
