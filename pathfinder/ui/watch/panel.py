"""The Watch page: all standing questions, each with its number of changes, and the changes of the open one."""

import datetime
import json

import streamlit as st

from pathfinder.session import Pathfinder
from pathfinder.standing.feed import MEDIA_TYPE, feed
from pathfinder.standing.log import StandingLog
from pathfinder.standing.question import MAX_NAME, StandingQuestion
from pathfinder.standing.records import describe_changes
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.shared import state
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.watch import own_standing, question_changes, runs, seen_marks

HERE = "Your standing questions are in a file on this machine, in Pathfinder's data folder (PATHFINDER_DATA)."
ELSEWHERE = (
    "Your standing questions are stored in this browser only: nobody else sees them, and another browser does not have "
    "them."
)
MIN_CHOICE = 2
"""Minimum number of earlier runs for the reader to be offered a choice between them."""
_OPEN, _NAME = "watch-open", "watch-name"


def panel(pf: Pathfinder) -> None:
    """Draw the page."""
    st.caption(HERE if is_visited_here() else ELSEWHERE)
    runs.run_due(pf)
    log = own_standing.own_standing().log()
    questions = log.questions()
    if not questions:
        st.info(
            "No standing question yet. Ask a question and press *Watch this question* below its answer: it is run "
            "again whenever the corpus changes."
        )
    open_question = _open_question(questions)
    for question in questions:
        _row(log, question, is_open=question == open_question)
    _files(pf, log)
    if open_question is not None:
        st.divider()
        _detail(log, open_question)


def _open_question(questions: tuple[StandingQuestion, ...]) -> StandingQuestion | None:
    open_id = st.session_state.get(_OPEN)
    return next((question for question in questions if question.id == open_id), next(iter(questions), None))


def _row(log: StandingLog, question: StandingQuestion, *, is_open: bool) -> None:
    """Draw a question with the number of its changes; this marks nothing as seen."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            for_markdown(question.name),
            key=f"watch-open-{question.id}",
            on_click=st.session_state.__setitem__,
            args=(_OPEN, question.id),
            type="primary" if is_open else "secondary",
            icon=":material/notifications:",
        )
        failure = log.failure(question)
        news = describe_changes(log.changes(question)) if log.runs(question) else "not run yet"
        st.caption(f"{news}{' · last run failed' if failure else ''}", width="content")


def _files(pf: Pathfinder, log: StandingLog) -> None:
    removed_question = log.last_removed()
    if not log.questions() and removed_question is None:
        return
    with st.container(horizontal=True):
        if log.questions():
            st.download_button(
                "JSON Feed",
                json.dumps(feed(log, pf.corpus.name.name), indent=1, ensure_ascii=False),
                "standing.json",
                MEDIA_TYPE,
                on_click="ignore",
                icon=":material/rss_feed:",
                type="tertiary",
                help="All changes from run to run, for a feed reader. Downloading the feed marks nothing as seen.",
            )
        if removed_question is not None:
            st.button(
                for_markdown(f"Bring back “{removed_question.name}”"),
                key="watch-undo",
                on_click=own_standing.change_by_button,
                args=(StandingLog.bring_back,),
                icon=":material/undo:",
                type="tertiary",
            )


def _detail(log: StandingLog, question: StandingQuestion) -> None:
    """Draw the changes of a question and, below them, the component that marks them as seen."""
    st.subheader(for_markdown(question.name), anchor=False)
    _actions(question)
    if (failure := log.failure(question)) is not None:
        earlier = "The result below is from the previous run." if log.runs(question) else "There is no result yet."
        message = for_markdown(f"The run of {failure.at:%d %B %Y, %H:%M} UTC failed: {failure.message}")
        st.warning(f"{message}\n\n{earlier}")
    if log.runs(question):
        since = _since(log, question)
        changes = seen_marks.changes_of_visit(log, question) if since is None else log.changes(question, since)
        question_changes.draw(question, changes)
        if since is None:  # a comparison with another run may leave out changes that have not been seen
            seen_marks.end_of_changes(log, question, changes)


def _since(log: StandingLog, question: StandingQuestion) -> datetime.datetime | None:
    """Let the reader compare the last run with any earlier one; `None` stands for the last run that the reader saw."""
    earlier = [run.at for run in log.runs(question)[:-1]]
    if len(earlier) < MIN_CHOICE:
        return None
    return st.selectbox(
        "Compared with",
        [None, *reversed(earlier)],
        key=f"watch-since-{question.id}",
        format_func=lambda at: f"the run of {at:%d %B %Y, %H:%M} UTC" if at else "what you have seen",
        width=320,
        help="Only the comparison with what you have seen marks anything as seen.",
    )


def _actions(question: StandingQuestion) -> None:
    with st.container(horizontal=True):
        if st.button("Ask it", key=f"watch-ask-{question.id}", icon=":material/search:", type="tertiary"):
            request, _ = question.request()
            state.ask_request(request)
            st.switch_page("pages/ask.py")
        st.button(
            "Run it again",
            key=f"watch-run-{question.id}",
            on_click=runs.run_again,
            args=(question,),
            icon=":material/refresh:",
            type="tertiary",
        )
        with st.popover("Rename", icon=":material/edit:", type="tertiary"):
            key = f"{_NAME}-{question.id}"
            st.text_input("Name", question.name, key=key, max_chars=MAX_NAME)
            st.button("Rename it", key=f"watch-rename-{question.id}", on_click=_rename, args=(question, key))
        st.button(
            "Remove",
            key=f"watch-remove-{question.id}",
            on_click=own_standing.change_by_button,
            args=(lambda log: log.remove(question.name),),
            icon=":material/delete:",
            type="tertiary",
        )


def _rename(question: StandingQuestion, key: str) -> None:
    new = str(st.session_state[key]).strip()
    own_standing.change(lambda log: log.rename(question.name, new))
