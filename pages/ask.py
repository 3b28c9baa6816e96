"""Ask: a question in; then its papers and the map, and in tabs beside them all that is said of them."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import controls, conversation, keys, map_view, resources, result_page, searching, state

try:
    pf = keys.of_visit(resources.pathfinder())
    controls.heading(pf)
    form = controls.read(state.form(), pf.chat is not None)
    with st.sidebar:
        keys.panel()
    controls.notes(*state.link_notes(), *state.keep(form))
    conversation.region(form, pf)
    if not form.question:
        map_view.panel(pf)
    elif (view := searching.view(form, pf)) is not None:
        result_page.panel(pf, form, view)
except PathfinderError as error:
    controls.failure(error)
