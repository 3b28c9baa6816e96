"""The Ask page with a result: the search box at the top, papers and map at the side, and the five tabs."""

from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pathfinder.answering.settings import AnswerSettings
from pathfinder.retrieval.request_records import changed_settings, record_of_request
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Answer, Expansion, Round, SearchResult
from pathfinder.ui.answer import costs, rewrite, trace_tab
from pathfinder.ui.answer import panel as answer_panel
from pathfinder.ui.ask import conversation, layout, map_view
from pathfinder.ui.capsules import save_button
from pathfinder.ui.consensus import tab as consensus_tab
from pathfinder.ui.consensus import tension_list
from pathfinder.ui.corpus.add_buttons import add_buttons
from pathfinder.ui.jobs import tasks
from pathfinder.ui.papers import ads_panel, badges, feedback, paper_table, papers
from pathfinder.ui.settings import controls, copied_call
from pathfinder.ui.shared.form import Form
from pathfinder.ui.shared.state import AnswerInputs, ResultView
from pathfinder.ui.watch import watch_button


def panel(pf: Pathfinder, form: Form, view: ResultView) -> None:
    """Draw the page. Papers and map come first; the parts that may call a chat model come later, and do not hold up the
    page.
    """
    about_question = _above(pf, form, view)
    places = layout.places()
    with places.map:
        (map_view.panel if places.is_map_open else map_view.small)(pf, view.result)
    if places.hits_place:
        with places.hits_place:
            papers.short_list(view)
    hits_place, further = _papers(places, view)
    with places.answer:
        conversation.earlier(view)
        view, job = answer_panel.begin(pf, view)
        answer_panel.panel(pf, view, job)
        rewrite_place, costs_place = st.container(), st.container()
        conversation.follow_up(pf, view)
    with about_question:
        conversation.kind(view, pf)
    with places.consensus:
        consensus_tab.panel(pf, view)
        tension_list.panel(view.result)
    with places.trace:
        trace_tab.panel(pf, view, job)
    answer = answer_panel.on_screen(view, job)
    if places.are_papers_open and paper_table.is_open():  # the table shows the findings of the answer
        with hits_place:
            papers.listing(view, answer)
    if places.are_papers_open and answer is not None:
        with further:
            papers.further(view, answer)
        with rewrite_place:
            rewrite.panel(pf, view, answer)
    with costs_place:
        costs.panel(tasks.question_calls().calls)
        if answer is not None:
            _about_answer(pf, view, answer)


def _about_answer(pf: Pathfinder, view: ResultView, answer: Answer) -> None:
    """Offer to judge the answer, to save it, and to watch its question."""
    feedback.on_answer(view.result, answer)
    with st.container(horizontal=True):
        save_button(pf.for_question(calls=tasks.question_calls()), view.result, answer, consensus_tab.on_screen(view))
        watch_button.panel(pf, view)
        if not view.earlier and view.answer_inputs is not None:  # the API answers only standalone questions
            copied_call.panel("answer", _answer_body(view.answer_inputs), view.result.corpus)


def _answer_body(inputs: AnswerInputs) -> dict[str, Any]:
    """Return the body of the call that makes the answer on screen, even if weights or settings have changed since."""
    answering = replace(inputs.answering, specialisation=inputs.style)
    return record_of_request(inputs.request) | changed_settings(AnswerSettings, answering, AnswerSettings())


def _papers(places: layout.Places, view: ResultView) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Draw the papers if their tab is open: they make up most of the page, and most of the work of drawing it.

    Return the placeholders for their list and for the papers that an answer adds.
    """
    with places.papers:
        if not places.are_papers_open:
            return st.container(), st.container()
        badges.badges(view.result.stages, view.result.stage_status)
        _changed_question(view.result)
        hits_place = st.container()
        if not paper_table.is_open():
            with hits_place:
                papers.listing(view)
        copied_call.panel("search", record_of_request(view.result.request), view.result.corpus)
        add_buttons(view.result.hits)
        ads_panel.panel(view.result)
        return hits_place, st.container()


def _above(pf: Pathfinder, form: Form, view: ResultView) -> DeltaGenerator:
    """Show how the question was interpreted; return the placeholder for its kind."""
    with st.container():  # always a single element, so that the expanders below do not close
        controls.keyword_chips(form, view.result)
        conversation.wording(form, pf)
        conversation.years(form, pf)
        conversation.authors(form, pf)
        conversation.other_names(form, view.result)
        about_question = st.container()
        controls.advice(view.result)
        badges.show_assessment(view.result)
        controls.notes(*conversation.notes(view.result))
    return about_question


def _changed_question(result: SearchResult) -> None:
    """Draw a line or an expander for each change that the search made to the question: synonyms, sub-questions,
    hypothetical abstracts and rounds of refined questions.
    """
    for expansion in result.expansions:
        st.caption(for_markdown(describe_expansion(expansion)))
    if result.sub_questions:
        st.markdown("Searched in parts:\n" + "\n".join(f"1. {for_markdown(part)}" for part in result.sub_questions))
    if result.hypothetical:
        with st.expander("Hypothetical abstracts (used in the search, never cited)"):
            for text in result.hypothetical:
                st.markdown(for_markdown(text))
    if len(result.rounds) > 1:
        with st.expander(describe_rounds(result.rounds)):
            _curve(result.rounds)


def describe_expansion(expansion: Expansion) -> str:
    """Describe the synonyms of a term and their source."""
    return f"Also searched for “{expansion.term}”: {', '.join(expansion.names)} (from {expansion.source})"


def describe_rounds(rounds: tuple[Round, ...]) -> str:
    """Describe the number of relevant papers after each round, which shows whether further rounds were worthwhile; the
    first search does not count as a round.
    """
    counts = " → ".join(str(entry.n_relevant) for entry in rounds)
    refined = len(rounds) - 1
    return (
        f"{'1 round' if refined == 1 else f'{refined} rounds'} of refined questions: {counts} papers close to your "
        f"question"
    )


def _curve(rounds: tuple[Round, ...]) -> None:
    counts = [entry.n_relevant for entry in rounds]
    columns = {"round": list(range(len(rounds))), "papers close to your question": counts}
    st.line_chart(columns, x="round", y="papers close to your question", height=180)
    st.caption("Close: at least as close to your question as the last paper listed by the first search.")
    for place, entry in enumerate(rounds):
        questions = "\n".join(f"- {for_markdown(question)}" for question in entry.questions)
        st.markdown(f"Round {place}, {entry.n_new} new papers\n{questions}")
