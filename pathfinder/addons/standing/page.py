"""Standing questions on the page: the button that watches the question on screen, and what is new in Library, with the
changes of the open question.
"""

import datetime
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from pathfinder.addons.standing import morning_panel
from pathfinder.addons.standing.changes import MOVED_PLACES, StandingChanges
from pathfinder.addons.standing.log import MEDIA_TYPE, StandingLog, StandingStore, describe_changes, feed, since_line
from pathfinder.addons.standing.question import (
    MAX_NAME,
    MAX_STATEMENT,
    QuotedPaper,
    RankedPaper,
    StandingQuestion,
    default_name,
    describe_settings,
)
from pathfinder.addons.standing.runs import RunOutcome, new_question, run_of, stale_questions, stream_runs
from pathfinder.errors import PathfinderError
from pathfinder.facade import Pathfinder
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import Answer, SearchRequest
from pathfinder.ui import road
from pathfinder.ui.examples import examples
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import jobs, resources, state, visit_corpus
from pathfinder.ui.shared.address import Form
from pathfinder.ui.shared.frame import component, go, save, script
from pathfinder.ui.shared.panels import Panel, WayBack
from pathfinder.ui.stars import recent
from pathfinder.ui.stars.own_shelves import is_stored, own, where

MIN_CHOICE = 2
"""Minimum number of earlier runs for the reader to be offered a choice between them."""
_N_SHOWN = 5
"""Number of papers that are shown of a question that nobody watches yet."""
_OPEN, _NAME = "watch-open", "watch-name"
_ICON = ":material/notifications:"


def change(changes: Callable[[StandingLog], StandingLog]) -> None:
    """Change the visitor's log; if it could not be stored, say why."""
    is_stored(lambda: own(StandingStore).change(changes))


def panel() -> None:
    """Draw the standing questions, run again whenever the corpus changes: what is new, moved, gone or contested."""
    visit_corpus.write_link()
    pf = resources.whole()
    where("standing questions")
    run_due(pf)
    log = own(StandingStore).log()
    questions, removed_question = log.questions(), log.last_removed()
    if not questions:
        st.markdown(
            "No standing question yet. One is run again whenever the library changes, and what is new, has moved or is "
            "contested stands here. *More*, below any answer, has *Watch this question*."
        )
        asked = next(map(recent.request_in, recent.own_questions().links()), None) or SearchRequest(examples(pf)[0])
        question = new_question(replace(asked, as_of=None), None)
        limits = f" :gray[{for_markdown(settings)}]" if (settings := describe_settings(question)) else ""
        watch = partial(change, lambda log: log.add(question))
        st.button(f"Watch “{for_markdown(asked.query)}”{limits}", key="watch-example", icon=_ICON, on_click=watch)
        best = pf.corpus.papers.take(pf.corpus.papers.rows_of(road.about(pf, asked, "").paper_ids[:_N_SHOWN]))
        titles = "\n".join(f"1. {resources.title_link(paper)}, {paper.known_year or 'year unknown'}" for paper in best)
        st.markdown(f"Its best papers today. When the library changes, what is new is marked here:\n\n{titles}")
    open_id = st.session_state.get(_OPEN)
    open_question = next((question for question in questions if question.id == open_id), next(iter(questions), None))
    for question in questions:  # drawing the number of changes marks nothing as seen
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            look: dict[str, Any] = {"type": "primary" if question == open_question else "secondary", "icon": _ICON}
            opens = partial(st.session_state.__setitem__, _OPEN, question.id)
            st.button(for_markdown(question.name), f"watch-open-{question.id}", on_click=opens, **look)
            news = describe_changes(changes_of_visit(log, question)) if log.runs(question) else "not run yet"
            st.caption(f"{news}{' · last run failed' if log.failure(question) else ''}", width="content")
    if open_question is not None:
        st.divider()
        _detail(log, open_question)
    morning_panel.panel(pf)
    if not questions and removed_question is None:
        return
    with st.container(horizontal=True):
        if questions:
            text = json.dumps(feed(log, pf.corpus.name.name), indent=1, ensure_ascii=False)
            tip = "For a feed reader. Downloading it marks nothing as seen."
            look = {"icon": ":material/rss_feed:", "help": tip}
            save("Feed of all changes (JSON)", text, "standing.json", mime=MEDIA_TYPE, type="tertiary", **look)
        if removed_question is not None:
            label, undo = for_markdown(f"Bring back “{removed_question.name}”"), partial(change, StandingLog.bring_back)
            st.button(label, "watch-undo", on_click=undo, icon=":material/undo:", type="tertiary")


def _detail(log: StandingLog, question: StandingQuestion) -> None:
    """Draw the buttons and the changes of a question, which may be compared with any earlier run, and, below them, the
    component that marks them as seen.
    """
    st.header(for_markdown(question.name), anchor=False)
    with st.container(horizontal=True):
        if st.button("Ask it", key=f"watch-ask-{question.id}", icon=":material/search:", type="tertiary"):
            request, _ = question.request()
            state.keep_form(Form(question=request.query, search=request))
            st.switch_page(script("ask"))
        again = partial(st.session_state.__setitem__, _AGAIN, question.id)
        icon = ":material/refresh:"
        st.button("Run it again", f"watch-run-{question.id}", on_click=again, icon=icon, type="tertiary")
        with st.popover("Rename", icon=":material/edit:", type="tertiary"):
            key = f"{_NAME}-{question.id}"
            st.text_input("Name", question.name, key=key, max_chars=MAX_NAME)
            renamed = partial(change, lambda log: log.rename(question.name, str(st.session_state[key]).strip()))
            st.button("Rename it", f"watch-rename-{question.id}", on_click=renamed)
        removed, icon = partial(change, lambda log: log.remove(question.name)), ":material/delete:"
        st.button("Remove", f"watch-remove-{question.id}", on_click=removed, icon=icon, type="tertiary")
    runs = log.runs(question)
    if (failure := log.failure(question)) is not None:
        earlier = "The result below is from the previous run." if runs else "There is no result yet."
        message = for_markdown(f"The run of {failure.at:%d %B %Y, %H:%M} UTC failed: {failure.message}")
        st.warning(f"{message}\n\n{earlier}")
    if not runs:
        return
    times, since = [run.at for run in runs[:-1]], None
    if len(times) >= MIN_CHOICE:
        labels: dict[Any, str] = {None: "what you have seen"}
        labels |= {at: f"the run of {at:%d %B %Y, %H:%M} UTC" for at in reversed(times)}
        key, tip = f"watch-since-{question.id}", "Only the comparison with what you have seen marks anything as seen."
        since = st.selectbox("Compared with", [*labels], key=key, format_func=labels.__getitem__, width=320, help=tip)
    changes = changes_of_visit(log, question) if since is None else log.changes(question, since)
    draw_changes(question, changes)
    if since is None:  # a comparison with another run may leave out changes that have not been seen
        end_of_changes(log, question, changes)


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
    whole_list = "\n".join(f"{rank}. {_link(paper)}" for rank, paper in enumerate(changes.now.papers, start=1))
    if changes.is_first:
        st.markdown("What this run found. From now on, what is new stands here.")
        st.markdown(whole_list)
        return
    if not changes.n_changes:
        st.success("Nothing has changed.", icon=":material/check:")
    for kind, papers in changes.papers.items():
        if papers:
            st.markdown(f"**{kind.capitalize()}: {len(papers)}**", help=_MOVED_HELP if kind == "moved" else None)
            st.markdown("\n".join(f"- {_link(each.paper)} :gray[{each.words}]" for each in papers))
    if changes.contested:
        st.markdown(f"**Now contested: {len(changes.contested)}**")
    for contest in changes.contested:
        with st.container(border=True, gap="xsmall"):
            head = f"**{for_markdown(contest.subject.rstrip('.'))}**: {for_markdown(contest.reason)}\n"
            sides = (f"- {_link(side)}: {for_markdown(side.quoted)}" for side in contest.sides)
            st.markdown("\n".join((head, *sides)))
    if changes.levels is not None:
        st.markdown(f"**Consensus**: {changes.levels.before} before, {changes.levels.now} now")
    with st.expander(f"The whole list, {len(changes.now.papers)} papers"):
        st.markdown(whole_list)


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
    log = own(StandingStore).log()
    job = jobs.running_task(_JOB)
    if job is None:
        again = st.session_state.pop(_AGAIN, None)
        questions = tuple(question for question in log.questions() if question.id == again)
        questions = questions or due_questions(pf.corpus.name.version, log)
        if not questions:
            return
        st.session_state[_QUESTIONS] = questions
        job = jobs.task(_JOB, lambda: stream_runs(pf, log, questions))

    def store() -> None:
        for outcome in job.chunks:
            change(outcome.added_to)

    def progress() -> None:
        store()
        questions: tuple[StandingQuestion, ...] = st.session_state.get(_QUESTIONS, ())
        n, total = len(job.chunks), len(questions)
        name = f": {for_markdown(questions[n].name)}" if n < total else ""
        st.progress(n / total if total else 0.0, f"Running {min(n + 1, total)} of {total}{name}")

    if jobs.watch(job, progress, every=jobs.SLOW_POLL_SECONDS):
        store()  # the last result may have come since the progress was drawn
        jobs.forget(_JOB)
        with controls.reporting():
            job.result()


def due_questions(version: str, log: StandingLog) -> tuple[StandingQuestion, ...]:
    """Return the stale questions but those that failed on this version, which are not run again by themselves."""
    return tuple(
        question
        for question in stale_questions(version, log)
        if (failure := log.failure(question)) is None or failure.version != version
    )


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
    """Draw what reports that the changes above it were on the screen, or say that they are marked as seen."""
    seen_at, run = log.seen_at(question), changes.now.at
    if seen_at is not None and seen_at >= run:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("Marked as seen: next time, only what is new since this run is listed.")

            def unsee() -> None:
                change(lambda log: log.unmark_seen(question))
                st.session_state[_UNSEEN] = (*st.session_state.get(_UNSEEN, ()), run)

            key = f"watch-unsee-{question.id}"
            st.button("Mark as not seen", key, on_click=unsee, type="tertiary", icon=":material/visibility_off:")
    elif run in st.session_state.get(_UNSEEN, ()):
        st.caption("Not marked as seen: the next visit lists these changes again.")
    else:
        component(Path(__file__).with_name("shown.js"), '<div class="end"></div>', ".end { height: 1px; }")(
            key=f"watch-shown-{question.id}-{run.isoformat()}",
            data={"run": run.isoformat()},
            on_shown_change=partial(mark_seen, question, run),
        )


def mark_seen(question: StandingQuestion, run: datetime.datetime) -> None:
    """Mark a run as seen, when the browser reports that it was on the screen; later runs stay unseen."""
    change(lambda log: log.mark_seen(question, run))


def ways_back(pf: Pathfinder) -> tuple[WayBack, ...]:
    """Return the way to each standing question about which something is new, or that is to be run."""
    log = own(StandingStore).log()
    due = () if pf.year is not None else due_questions(pf.corpus.name.version, log)
    return tuple(
        WayBack(_ICON, f"{news} “{question.name}”", partial(_open, question.id), is_new=True)
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
    go("library", part="watch")


PART = Panel(30, "What is new", _ICON, panel, is_whole=True)

# The buttons that turn the question on screen into a standing question, and run those of a corpus that has changed.

_NEW_NAME, _STATEMENT, _CHAT, _FAULT = "watch-new-name", "watch-new-statement", "watch-new-chat", "watch-new-fault"


def watch_button(pf: Pathfinder, view: state.ResultView, _: Answer) -> None:
    """Draw the button; the result on screen is stored as the first run, unless runs call the chat model."""
    with st.expander("Watch this question", icon=_ICON, type="compact", key="watch-question"):
        if pf.year is not None:
            st.caption("Standing questions run on the whole library: go back to today to watch this one.")
            return
        st.caption(
            "The question is run again with these settings whenever the library changes; *Library* lists what is new."
        )
        name = f"{_NEW_NAME}-{view.form.question}"  # so that a new question starts with its own default name
        st.text_input("Name", default_name(view.form.question), key=name, max_chars=MAX_NAME)
        hint, label = "The expansion of the universe accelerates.", "Statement to follow (optional)"
        tip = "Every run guesses each paper's stance on the statement, without a chat model."
        st.text_input(label, key=_STATEMENT, max_chars=MAX_STATEMENT, placeholder=hint, help=tip)
        if pf.chat is not None:
            st.toggle("Measure the consensus", key=_CHAT, help="Each run then calls the chat model.")
        st.button("Watch it", key="watch-add", type="primary", on_click=_add, args=(pf, view))
        if fault := st.session_state.pop(_FAULT, None):
            st.error(for_markdown(fault))
        is_watched = False
        with suppress(PathfinderError):  # *What is new* says why they cannot be read
            is_watched = view.form.question in {each.query for each in own(StandingStore).log().questions()}
        if is_watched and st.button("Watched: open what is new", key="watch-page", icon=_ICON, type="tertiary"):
            go("library", part="watch")


def _add(pf: Pathfinder, view: state.ResultView) -> None:
    name = str(st.session_state[f"{_NEW_NAME}-{view.form.question}"]).strip()
    statement, uses_chat = str(st.session_state[_STATEMENT]).strip(), bool(st.session_state.get(_CHAT, False))
    try:
        question = new_question(view.form.request(), name, statement, uses_chat=uses_chat)
        store = own(StandingStore)
        store.change(lambda log: log.add(question))
        if not uses_chat:  # a chat model takes its time: What is new runs the question in the background
            run = run_of(pf, question, view.result, ())
            store.change(lambda log: RunOutcome(question, run).added_to(log).mark_seen(question, run.at))
    except PathfinderError as error:
        st.session_state[_FAULT] = str(error)
    else:
        later = " Its first run, with the chat model, begins when you open What is new." if uses_chat else ""
        st.toast(for_markdown(f"“{name}” is watched.{later}"), icon=_ICON)
