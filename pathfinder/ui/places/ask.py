"""Ask: type a question and get an answer, with its papers and their map."""

from functools import partial

from pathfinder.ui.ask import conversation, map_view, result_page, searching
from pathfinder.ui.examples import examples
from pathfinder.ui.papers import papers
from pathfinder.ui.papers.papers import open_link
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, panels, question_box, resources, state, visit_entries
from pathfinder.ui.stars import recent

with controls.reporting(), frame.turn() as first_page:
    pf = visit_entries.of_visit(resources.pathfinder())
    panels.draw("ask.opened")
    hint = question_box.GO_ON.format(pf.profile.page.follow_up) if state.asked() else question_box.HINT
    question_box.draw(conversation.send, hint)
    conversation.follow_up(pf)
    searching.begin_question()
    controls.about_corpus(pf)
    if question := state.asked():
        question_box.heading(question)  # before the settings, which may be refused
    form = controls.read(state.form(), pf)
    controls.notes(*state.link_notes(), *state.keep(form, papers.link()))
    conversation.limits(form, pf)
    if form.question:
        result_page.panel(pf, form)
        state.keep(form, papers.link())  # only now is it known which of the selected papers are among these
    else:
        with first_page.container():
            question_box.first_page(pf, examples(pf), partial(recent.panel, pf, open_link), partial(map_view.panel, pf))
