"""Ask: type a question and get an answer, papers, their consensus, a map and a trace of the steps, in tabs."""

from pathfinder.errors import PathfinderError
from pathfinder.ui.ask import conversation, map_view, result_page, searching
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources, state, visit_entries

try:
    with frame.turn():
        pf = visit_entries.of_visit(resources.pathfinder())
        controls.heading(pf)
        form = controls.read(state.form(), pf)
        controls.notes(*state.link_notes(), *state.keep(form))
        conversation.region(form, pf)
        conversation.within(form, pf)
        if not form.question:
            map_view.panel(pf)
        elif (view := searching.view(form, pf)) is not None:
            result_page.panel(pf, form, view)
except PathfinderError as error:
    controls.failure(error)
