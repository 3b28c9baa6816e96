"""Ask: type a question and get an answer, papers, their consensus, a map and a trace of the steps."""

from functools import partial

from pathfinder.errors import PathfinderError
from pathfinder.ui.ask import conversation, map_view, result_page, searching
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, question_box, resources, state, visit_entries

try:
    with frame.turn():
        pf = visit_entries.of_visit(resources.pathfinder())
        question_box.draw()
        controls.about_corpus(pf)
        form = controls.read(state.form(), pf)
        if form.question:
            question_box.heading(form.question)
        controls.notes(*state.link_notes(), *state.keep(form))
        conversation.region(form, pf)
        conversation.within(form, pf)
        if not form.question:
            question_box.first_page(pf, pf.profile.examples, partial(map_view.panel, pf))
        elif (view := searching.view(form, pf)) is not None:
            result_page.panel(pf, form, view)
except PathfinderError as error:
    controls.failure(error)
