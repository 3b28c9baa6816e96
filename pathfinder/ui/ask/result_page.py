"""The Ask page with a result: the search box at the top, papers and map at the side, and the five tabs."""

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer
from streamlit.delta_generator import DeltaGenerator

from pathfinder.answering.settings import AnswerSettings
from pathfinder.retrieval.request_records import changed_settings, record_of_request
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Answer, Expansion, Round, SearchResult
from pathfinder.ui import consensus as consensus_tab
from pathfinder.ui.answer import costs, rewrite, trace
from pathfinder.ui.answer import panel as answer_panel
from pathfinder.ui.ask import conversation, map_view
from pathfinder.ui.corpus.add_buttons import add_buttons
from pathfinder.ui.papers import badges, papers
from pathfinder.ui.settings import controls, copied_call
from pathfinder.ui.shared import jobs, panels
from pathfinder.ui.shared.address import Form
from pathfinder.ui.shared.state import AnswerInputs, ResultView
from pathfinder.ui.watch import watch_button


def panel(pf: Pathfinder, form: Form, view: ResultView) -> None:
    """Draw the page. Papers and map come first; the parts that may call a chat model come later, and do not hold up the
    page.
    """
    about_question = _above(pf, form, view)
    places = places_on_page()
    with places.papers:
        map_view.small(pf, view.result)
        papers.listing(view)
        copied_call.panel("search", record_of_request(view.result.request), view.result.corpus)
        add_buttons(view.result.hits)
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
        panels.draw("ask.consensus", pf, view.result)
    with places.trace:
        badges.badges(view.result.stages, view.result.stage_status)
        _changed_question(view.result)
        trace.panel(pf, view, job)
    answer = answer_panel.on_screen(view, job)
    with places.view:
        papers.chosen_view(view, answer)  # the table shows the findings of the answer
    if answer is not None:
        with places.papers:
            papers.further(view, answer)
        with rewrite_place:
            rewrite.panel(pf, view, answer)
    with costs_place:
        costs.panel(jobs.question_calls().calls)
        if answer is not None:
            _about_answer(pf, view, answer)


def _about_answer(pf: Pathfinder, view: ResultView, answer: Answer) -> None:
    """Draw the buttons of add-ons, and offer to watch the question and to copy the call."""
    with st.container(horizontal=True):
        panels.draw("ask.answer", pf, view, answer)
        watch_button.panel(pf, view)
        if not view.earlier and view.answer_inputs is not None:  # the API answers only standalone questions
            copied_call.panel("answer", _answer_body(view.answer_inputs), view.result.corpus)


def _answer_body(inputs: AnswerInputs) -> dict[str, Any]:
    """Return the body of the call that makes the answer on screen, even if weights or settings have changed since."""
    answering = replace(inputs.answering, specialisation=inputs.style)
    return record_of_request(inputs.request) | changed_settings(AnswerSettings, answering, AnswerSettings())


@dataclass(frozen=True, slots=True)
class Places:
    """Placeholders for the parts of the page."""

    answer: DeltaGenerator
    consensus: DeltaGenerator
    trace: DeltaGenerator
    papers: DeltaGenerator
    """Map and list, beside the answer or, on a narrow screen, under it."""
    view: DeltaGenerator
    """Another view of the papers, under both."""


def _above(pf: Pathfinder, form: Form, view: ResultView) -> DeltaGenerator:
    """Show how the question was interpreted; return the placeholder for its kind."""
    with st.container():  # always a single element, so that the expanders below do not close
        controls.keyword_chips(form, view.result)
        conversation.wording(form, pf)
        conversation.years(form, pf)
        conversation.authors(form, pf)
        conversation.person(form, pf)
        conversation.exclusions(form, pf)
        conversation.earliest(form, view.result)
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


# Answer and papers side by side.

TABS = ("Answer", "Consensus", "Trace")

FOLLOW_LINKS = """
export default function() {
  const leadTo = id => document.querySelector(`.st-key-${id}`)?.scrollIntoView({block: 'center'})
  const follow = event => {
    const link = event.target.closest?.('a[href^="#paper-"]')
    if (!link) return
    event.preventDefault()
    event.stopPropagation()
    leadTo(link.getAttribute('href').slice(1))
  }
  document.addEventListener('click', follow, true)
  if (location.hash.startsWith('#paper-')) {
    // A link that was followed before this script was loaded.
    leadTo(location.hash.slice(1))
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return () => document.removeEventListener('click', follow, true)
}
"""
"""Script that leads from a citation in the answer to the paper's card."""


def places_on_page() -> Places:
    """Draw the tabs and the column next to them; the first tab stays open until the reader opens another."""
    _follow_links()()
    left, right = st.columns([13, 9], gap="large")
    answer, consensus, trace = left.tabs(TABS, key="tab", on_change="rerun")
    return Places(answer, consensus, trace, right.container(), st.container())


@st.cache_resource(show_spinner=False)
def _follow_links() -> ComponentRenderer:
    """Create the component once for all visitors: it contains only the script above."""
    return st.components.v2.component("paper_links", js=FOLLOW_LINKS)
