"""Ask: type a question and get an answer, with its papers and their map."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui.ask import conversation, map_view, result_page
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import resources, state, visit_entries

try:
    pf = visit_entries.of_visit(resources.pathfinder())
    top = st.container()
    form = controls.read(state.form(), pf)
    with top:
        controls.heading(pf, is_asked=bool(form.question))
    controls.notes(*state.link_notes(), *state.keep(form))
    conversation.region(form, pf)
    conversation.within(form, pf)
    if not form.question:
        map_view.panel(pf)
    else:
        result_page.panel(pf, form)
except PathfinderError as error:
    controls.failure(error)
