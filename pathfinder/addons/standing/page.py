"""What is new in Library: all standing questions with their numbers of changes, and the changes of the open one."""

import datetime
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pathfinder.addons.standing import morning_panel, own_standing
from pathfinder.addons.standing.changes import MOVED_PLACES, StandingChanges
from pathfinder.addons.standing.log import StandingLog
from pathfinder.addons.standing.question import (
    MAX_NAME,
    Contest,
    QuotedPaper,
    RankedPaper,
    StandingQuestion,
    describe_settings,
)
from pathfinder.addons.standing.records import MEDIA_TYPE, describe_changes, feed, since_line
from pathfinder.addons.standing.runs import new_question, stale_questions, stream_runs
from pathfinder.errors import PathfinderError
from pathfinder.facade import Pathfinder
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import SearchRequest
from pathfinder.ui.examples import examples
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import jobs, resources, state, visit_corpus
from pathfinder.ui.shared.frame import script
from pathfinder.ui.shared.jobs import Job
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.panels import Panel, WayBack

HERE = "Your standing questions are in a file on this machine; browsers that have opened the owner’s link see them."
ELSEWHERE = (
    "Your standing questions are stored in this browser only: nobody else sees them, and another browser does not have "
    "them."
)
MIN_CHOICE = 2
"""Minimum number of earlier runs for the reader to be offered a choice between them."""
_OPEN, _NAME = "watch-open", "watch-name"


def panel() -> None:
    """Draw the standing questions, run again whenever the corpus changes: what is new, moved, gone or contested."""
    visit_corpus.write_link()
    pf = resources.whole()
    st.caption(HERE if is_visited_here() else ELSEWHERE)
    run_due(pf)
    log = own_standing.own_standing().log()
    questions = log.questions()
    if not questions:
        st.markdown(
            "No standing question yet. One is run again whenever the library changes, and what is new, has moved or is "
            "contested stands here. *More*, below any answer, has *Watch this question*."
        )
        example = examples(pf)[0]
        st.button(
            for_markdown(f"Watch “{example}”"),
            key="watch-example",
            icon=":material/notifications:",
            on_click=_watch,
            args=(example,),
        )
    open_id = st.session_state.get(_OPEN)
    open_question = next((question for question in questions if question.id == open_id), next(iter(questions), None))
    for question in questions:
        _row(log, question, is_open=question == open_question)
    if open_question is not None:
        st.divider()
        _detail(log, open_question)
    morning_panel.panel(pf)
    _files(pf, log)


def _watch(query: str) -> None:
    question = new_question(SearchRequest(query), None)
    own_standing.change(lambda log: log.add(question))


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
        news = describe_changes(changes_of_visit(log, question)) if log.runs(question) else "not run yet"
        st.caption(f"{news}{' · last run failed' if failure else ''}", width="content")


def _files(pf: Pathfinder, log: StandingLog) -> None:
    removed_question = log.last_removed()
    if not log.questions() and removed_question is None:
        return
    with st.container(horizontal=True):
        if log.questions():
            st.download_button(
                "Feed of all changes (JSON)",
                json.dumps(feed(log, pf.corpus.name.name), indent=1, ensure_ascii=False),
                "standing.json",
                MEDIA_TYPE,
                on_click="ignore",
                icon=":material/rss_feed:",
                type="tertiary",
                help="For a feed reader. Downloading it marks nothing as seen.",
            )
        if removed_question is not None:
            st.button(
                for_markdown(f"Bring back “{removed_question.name}”"),
                key="watch-undo",
                on_click=own_standing.change,
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
        changes = changes_of_visit(log, question) if since is None else log.changes(question, since)
        draw_changes(question, changes)
        if since is None:  # a comparison with another run may leave out changes that have not been seen
            end_of_changes(log, question, changes)


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
            st.switch_page(script("ask"))
        st.button(
            "Run it again",
            key=f"watch-run-{question.id}",
            on_click=run_again,
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
            on_click=own_standing.change,
            args=(lambda log: log.remove(question.name),),
            icon=":material/delete:",
            type="tertiary",
        )


def _rename(question: StandingQuestion, key: str) -> None:
    own_standing.change(lambda log: log.rename(question.name, str(st.session_state[key]).strip()))


# The changes in the results of a standing question: which papers are new, moved, gone or now contested.

_MOVED_HELP = (
    f"A paper has moved if its place among the papers on both lists has changed by {MOVED_PLACES} or more. Smaller "
    "shifts are noise, because every paper that is added changes all scores a little."
)


def draw_changes(question: StandingQuestion, changes: StandingChanges) -> None:
    """Draw the question with its settings, the changes, and the whole list."""
    if question.query != question.name:
        st.markdown(for_markdown(question.query))
    if settings := describe_settings(question):
        st.caption(for_markdown(f"Settings: {settings}"))
    is_compared = not changes.is_first and changes.before.at != changes.now.at
    when = f"Since {changes.before.at:%d %B %Y, %H:%M} UTC" if is_compared else f"Run on {changes.now.at:%d %B %Y}"
    st.caption(when, help=for_markdown(since_line(changes)))
    controls.notes(*changes.notes)
    if changes.is_first:
        st.markdown("Everything here is new to you:")
        st.markdown("\n".join(_list(changes)))
        return
    if not changes.n_changes:
        st.success("Nothing has changed.", icon=":material/check:")
    for kind, papers in changes.papers.items():
        if papers:
            st.markdown(f"**{kind.capitalize()}: {len(papers)}**", help=_MOVED_HELP if kind == "moved" else None)
            st.markdown("\n".join(f"- {_link(each.paper)} :gray[{each.words}]" for each in papers))
    if changes.contests:
        st.markdown(f"**Now contested: {len(changes.contests)}**")
    for contest in changes.contests:
        with st.container(border=True, gap="xsmall"):
            st.markdown("\n".join(_contest_lines(contest)))
    if changes.levels is not None:
        st.markdown(f"**Consensus**: {changes.levels[0]} before, {changes.levels[1]} now")
    with st.expander(f"The whole list, {len(changes.now.papers)} papers"):
        st.markdown("\n".join(_list(changes)))


def _contest_lines(contest: Contest) -> Iterator[str]:
    yield f"**{for_markdown(contest.subject.rstrip('.'))}**: {for_markdown(contest.reason)}\n"
    for side in contest.sides:
        yield f"- {_link(side)}: {for_markdown(side.quoted)}"


def _list(changes: StandingChanges) -> Iterator[str]:
    for rank, paper in enumerate(changes.now.papers, start=1):
        yield f"{rank}. {_link(paper)}"


def _link(paper: RankedPaper | QuotedPaper) -> str:
    """Name a paper, with its address: also that of a search for it, if the library has it without an identifier."""
    title, here = for_markdown(readable(paper.title)), resources.whole().corpus.papers
    (row,) = here.rows_of((paper.paper_id,))
    address = resources.paper_url(here[int(row)]) if row >= 0 else getattr(paper, "url", None)
    link = f"[{title}]({address})" if address else title
    status = getattr(paper, "status", None)
    return f"{link}, {paper.year or 'year unknown'}{f' :red[{for_markdown(status)}]' if status else ''}"


# Standing questions whose last run was on another version of the corpus are run again in the background.

_JOB, _AGAIN, _QUESTIONS = "standing-runs", "watch-run-again", "watch-running"


def run_due(pf: Pathfinder) -> None:
    """Start the runs that are due, show their progress, and store each result; results already stored stay."""
    log = own_standing.own_standing().log()
    job = jobs.running_task(_JOB)
    if job is None:
        again = st.session_state.pop(_AGAIN, None)
        questions = tuple(question for question in log.questions() if question.id == again)
        questions = questions or due_questions(pf.corpus.name.version, log)
        if not questions:
            return
        st.session_state[_QUESTIONS] = questions
        job = jobs.task(_JOB, lambda: stream_runs(pf, log, questions))
    if jobs.watch(job, lambda: _progress(job), every=jobs.SLOW_POLL_SECONDS):
        _store(job)  # the last result may have come since the progress was drawn
        jobs.forget(_JOB)
        try:
            job.result()
        except PathfinderError as error:
            controls.failure(error)


def run_again(question: StandingQuestion) -> None:
    """Run a question in the next run of the page, when a button is pressed."""
    st.session_state[_AGAIN] = question.id


def due_questions(version: str, log: StandingLog) -> tuple[StandingQuestion, ...]:
    """Return the questions that are stale, apart from those that failed on this version: they are not run again by
    themselves.
    """
    return tuple(
        question
        for question in stale_questions(version, log)
        if (failure := log.failure(question)) is None or failure.version != version
    )


def _store(job: Job) -> None:  # type: ignore[type-arg]
    for outcome in job.chunks:
        own_standing.change(outcome.added_to)


def _progress(job: Job) -> None:  # type: ignore[type-arg]
    _store(job)
    questions: tuple[StandingQuestion, ...] = st.session_state.get(_QUESTIONS, ())
    n, total = len(job.chunks), len(questions)
    name = f": {for_markdown(questions[n].name)}" if n < total else ""
    st.progress(n / total if total else 0.0, f"Running {min(n + 1, total)} of {total}{name}")


# Seen marks: set once the browser reports that the changes have been on the screen, never before.
#
# What a reader has seen stays on the page until they leave it: the changes shown during a visit are kept in the
# session.

_CHANGES, _UNSEEN = "watch-changes", "watch-unseen"


def changes_of_visit(log: StandingLog, question: StandingQuestion) -> StandingChanges:
    """Return the changes up to the last run of a question, as they were when this visit first drew them."""
    of_visit: dict[str, StandingChanges] = st.session_state.setdefault(_CHANGES, {})
    changes = log.changes(question)
    if question.id not in of_visit or of_visit[question.id].now.at != changes.now.at:
        of_visit[question.id] = changes
    return of_visit[question.id]


def end_of_changes(log: StandingLog, question: StandingQuestion, changes: StandingChanges) -> None:
    """Draw the component that reports that the changes above it were on the screen, or say that they are marked as
    seen.
    """
    seen_at, run = log.seen_at(question), changes.now.at
    if seen_at is not None and seen_at >= run:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("Marked as seen: next time, only what is new since this run is listed.")
            st.button(
                "Mark as not seen",
                key=f"watch-unsee-{question.id}",
                on_click=_unsee,
                args=(question, run),
                type="tertiary",
                icon=":material/visibility_off:",
            )
    elif run in st.session_state.get(_UNSEEN, ()):
        st.caption("Not marked as seen: the next visit lists these changes again.")
    else:
        _component()(
            key=f"watch-shown-{question.id}-{run.isoformat()}",
            data={"run": run.isoformat()},
            on_shown_change=partial(mark_seen, question, run),
        )


def mark_seen(question: StandingQuestion, run: datetime.datetime) -> None:
    """Mark a run as seen, when the browser reports that it was on the screen; later runs stay unseen."""
    own_standing.change(lambda log: log.mark_seen(question, run))


def _unsee(question: StandingQuestion, run: datetime.datetime) -> None:
    own_standing.change(lambda log: log.unmark_seen(question))
    st.session_state[_UNSEEN] = (*st.session_state.get(_UNSEEN, ()), run)


@st.cache_resource(show_spinner=False)
def _component() -> ComponentRenderer:
    script = (Path(__file__).parent / "shown.js").read_text(encoding="utf-8")
    return st.components.v2.component("pathfinder_shown", html='<div class="end"></div>', css=STYLES, js=script)


STYLES = ".end { height: 1px; }"


def ways_back(pf: Pathfinder) -> tuple[WayBack, ...]:
    """Return the way to each standing question about which something is new, or that is to be run."""
    log = own_standing.own_standing().log()
    due = () if pf.year is not None else due_questions(pf.corpus.name.version, log)
    return tuple(
        WayBack(":material/notifications:", f"{news} “{question.name}”", partial(_open, question.id), is_new=True)
        for question in log.questions()
        if (news := _news(log, question, is_due=question in due))
    )


def _news(log: StandingLog, question: StandingQuestion, *, is_due: bool) -> str:
    if not log.runs(question):
        return "Not run yet:" if is_due or log.failure(question) is None else ""
    if is_due:
        return "The library has changed: what is new on"
    changes = log.changes(question)
    return "" if changes.is_first or not changes.n_changes else f"{describe_changes(changes)} on"


def _open(question_id: str) -> None:
    st.session_state[_OPEN] = question_id
    st.switch_page(script("library"), query_params={"part": "watch", **visit_corpus.link_parameters()})


PART = Panel(30, "What is new", ":material/notifications:", panel, is_whole=True)
