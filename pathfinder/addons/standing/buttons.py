"""The buttons that turn the question on screen into a standing question, and run those of a corpus that has changed."""

from pathlib import Path

import streamlit as st

from pathfinder.addons.standing import own_standing
from pathfinder.addons.standing.question import MAX_NAME, MAX_STATEMENT, default_name
from pathfinder.addons.standing.runs import RunOutcome, new_question, run_of
from pathfinder.errors import PathfinderError
from pathfinder.facade import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Answer
from pathfinder.ui.shared import visit_corpus
from pathfinder.ui.shared.frame import script
from pathfinder.ui.shared.state import ResultView

_NAME, _STATEMENT, _CHAT, _FAULT = "watch-new-name", "watch-new-statement", "watch-new-chat", "watch-new-fault"


def watch_button(pf: Pathfinder, view: ResultView, _: Answer) -> None:
    """Draw the button; the result on screen is stored as the first run, unless runs call the chat model."""
    with st.expander("Watch this question", icon=":material/notifications:", type="compact", key="watch-question"):
        if pf.year is not None:
            st.caption("Standing questions run on the whole library: go back to today to watch this one.")
            return
        st.caption(
            "The question is run again with these settings whenever the library changes; *Library* lists what is new."
        )
        name = f"{_NAME}-{view.form.question}"  # so that a new question starts with its own default name
        st.text_input("Name", default_name(view.form.question), key=name, max_chars=MAX_NAME)
        st.text_input(
            "Statement to follow (optional)",
            key=_STATEMENT,
            max_chars=MAX_STATEMENT,
            placeholder="The expansion of the universe accelerates.",
            help="Every run guesses each paper's stance on the statement, without a chat model.",
        )
        if pf.chat is not None:
            st.toggle("Measure the consensus", key=_CHAT, help="Each run then calls the chat model.")
        st.button("Watch it", key="watch-add", type="primary", on_click=_add, args=(pf, view))
        if fault := st.session_state.pop(_FAULT, None):
            st.error(for_markdown(fault))
        is_watched = view.form.question in _watched_questions()
        if is_watched and st.button(
            "Open what is new", key="watch-page", icon=":material/notifications:", type="tertiary"
        ):
            st.switch_page(script("library"), query_params={"part": "watch"})


def _watched_questions() -> list[str]:
    """Return the questions that are watched; none if they cannot be read, which *What is new* reports."""
    try:
        return [question.query for question in own_standing.own_standing().log().questions()]
    except PathfinderError:
        return []


def _add(pf: Pathfinder, view: ResultView) -> None:
    name, statement = (
        str(st.session_state[f"{_NAME}-{view.form.question}"]).strip(),
        str(st.session_state[_STATEMENT]).strip(),
    )
    try:
        request = view.form.request()
        question = new_question(request, name, statement, uses_chat=bool(st.session_state.get(_CHAT, False)))
        own = own_standing.own_standing()
        own.change(lambda log: log.add(question))
        if not question.uses_chat:  # a chat model takes its time: What is new runs the question in the background
            own.change(RunOutcome(question, run_of(pf, question, view.result, ())).added_to)
    except PathfinderError as error:
        st.session_state[_FAULT] = str(error)
    else:
        later = " Its first run, with the chat model, begins when you open What is new." if question.uses_chat else ""
        st.toast(for_markdown(f"“{name}” is watched.{later}"), icon=":material/notifications:")


def run_button(folder: Path) -> None:
    """Offer *What is new*, which runs the standing questions of a corpus that has changed."""
    n = own_standing.n_standing(folder)
    words = "Run your standing question" if n == 1 else f"Run your {n:,} standing questions"
    if n and st.button(words, key=f"watch-{folder}", icon=":material/notifications:"):
        if folder != visit_corpus.folder_of_visit():
            visit_corpus.choose(folder)
        st.switch_page(script("library"), query_params={"part": "watch"})
