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
from pathfinder.ui.papers import ads_panel, badges, paper_table, papers
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
        panels.draw("ask.consensus", pf, view.result)
    with places.trace:
        trace.panel(pf, view, job)
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
    papers: DeltaGenerator
    are_papers_open: bool
    consensus: DeltaGenerator
    map: DeltaGenerator
    """Placeholder for the map: in its own tab while that is open, otherwise next to the tabs."""
    is_map_open: bool
    trace: DeltaGenerator
    hits_place: DeltaGenerator | None
    """Placeholder next to the tabs for a short list of the papers; `None` while their cards are open."""


def _papers(places: Places, view: ResultView) -> tuple[DeltaGenerator, DeltaGenerator]:
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


# The five tabs of the Ask page and the column next to them. Papers and map stay visible whichever tab is open.

TABS = ("Answer", "Papers", "Consensus", "Map", "Trace")

FOLLOW_LINKS = """
export default function() {
  const papersTab = () => [...document.querySelectorAll('[role=tab]')].find(tab => tab.textContent.trim() === 'Papers')
  const leadTo = id => {
    // The card is drawn when its tab is open, which takes a busy server a while; a reader who does something else
    // in the meantime is not moved.
    let until = Date.now() + 20000
    for (const act of ['pointerdown', 'wheel', 'keydown'])
      document.addEventListener(act, () => { until = 0 }, {once: true})
    let pressed = 0
    const show = () => {
      const card = document.getElementById(id)
      if (card?.closest('[inert]') === null) return card.scrollIntoView({block: 'start'})
      // A click while the page is being redrawn is lost.
      const tab = papersTab()
      if (tab?.getAttribute('aria-selected') !== 'true' && Date.now() > pressed + 500) {
        pressed = Date.now()
        tab?.click()
      }
      if (Date.now() < until) setTimeout(show, 50)
    }
    show()
  }
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
"""Script that opens the tab containing a paper's card when a link to that card is followed, wherever the link is on the
page.
"""


def places_on_page() -> Places:
    """Draw the tabs and the column next to them; the first tab stays open until the reader opens another."""
    _follow_links()()
    left, right = st.columns([13, 7], gap="large")
    answer, papers, consensus, map_tab, trace = left.tabs(TABS, key="tab", on_change="rerun")
    with right:
        beside, hits_place = st.container(), st.container()
    is_map_open = bool(map_tab.open)
    map_place = map_tab if is_map_open else beside
    has_cards = papers.open and not paper_table.is_open()
    listed_in = None if has_cards else hits_place
    return Places(answer, papers, bool(papers.open), consensus, map_place, is_map_open, trace, listed_in)


@st.cache_resource(show_spinner=False)
def _follow_links() -> ComponentRenderer:
    """Create the component once for all visitors: it contains only the script above."""
    return st.components.v2.component("paper_links", js=FOLLOW_LINKS)
