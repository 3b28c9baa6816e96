"""Ask: type a question and get an answer, with its papers and their map."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui.ask import conversation, map_view, result_page
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources, state, visit_entries

try:
    with frame.turn():
        pf = visit_entries.of_visit(resources.pathfinder())
        first_page = st.empty()  # empty at once when a question is asked
        form = controls.read(state.form(), pf)
        controls.notes(*state.link_notes(), *state.keep(form))
        conversation.region(form, pf)
        conversation.within(form, pf)
        if form.question:
            controls.notices(pf)
            result_page.panel(pf, form)
        else:
            with first_page.container():
                controls.heading(pf)
                controls.examples(pf.profile.examples)
                map_view.panel(pf)
except PathfinderError as error:
    controls.failure(error)
