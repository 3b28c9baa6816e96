"""The answer: its words as they come, then sentence by sentence with links to its papers."""

import re
from dataclasses import replace
from functools import partial

import streamlit as st

from pathfinder.answering.choice import advised
from pathfinder.answering.marks import is_mark_shown
from pathfinder.errors import PathfinderError
from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown
from pathfinder.retrieval.routing.route import route
from pathfinder.types import AdsQuery, Answer, AnswerRequest, SearchResult, Specialisation, Step
from pathfinder.ui import controls, ledger, state, tasks
from pathfinder.ui.badges import badges
from pathfinder.ui.jobs import Job, State
from pathfinder.ui.places import NUMBER, placed
from pathfinder.ui.state import Given, View

MARK = re.compile(r"\\\[[\w,\\ ?–-]+\\\]")
"""A citation mark as `for_markdown` leaves it, its signs escaped."""

MAX_STEP = 120
"""Characters of a step in the line that says what is being done."""

AnswerJob = Job[str | Step, Answer]


def begin(pf: Pathfinder, view: View) -> tuple[View, AnswerJob]:
    """The job that answers the question on screen: the one that was begun, or one that begins now.

    It is begun once for each search; other weights re-order the papers and leave the words as they are.
    """
    if tasks.begun(tasks.ANSWER) is None:
        given = Given(view.order, view.form.answering, None if pf.chat is None else pf.chat.name)
        view = state.show(replace(view, given=given))
    work, is_local = partial(pf.stream_answer, view.result, request_of(view)), pf.chat is None
    return view, tasks.task(tasks.ANSWER, work, is_local=is_local)


def request_of(view: View) -> AnswerRequest:
    """How the question on screen is to be answered, as the reader has set it."""
    return view.form.answering.request(_advised(view.result), view.earlier)


def _advised(result: SearchResult) -> Specialisation:
    """By the kind of the question as rules tell it: no answer waits until a chat model has told it."""
    return advised(route(result.request.query, result.keywords, None)).specialisation


def on_screen(view: View, job: AnswerJob) -> Answer | None:
    """The answer, numbered as the papers stand now; `None` while there is none, and where there will be none."""
    return placed(job.result(), [hit.paper for hit in view.result.hits]) if job.state is State.DONE else None


def panel(pf: Pathfinder, view: View, job: AnswerJob) -> None:
    """What is said so far while the job runs, with a way to stop it; the answer once it is there."""
    if not tasks.watch(job, lambda: words(job)):
        return
    if job.state is State.STOPPED:
        _stopped(job)
        return
    try:
        job.result()
    except PathfinderError as error:
        controls.failure(error)
        again("Try again")
        return
    if (answer := on_screen(view, job)) is not None:
        _whole(pf, view, answer)


def words(job: AnswerJob) -> None:
    """The words so far, as text, what is being done, and the way to stop it."""
    pieces = job.pieces
    said = "".join(piece for piece in pieces if isinstance(piece, str))
    steps = [piece for piece in pieces if isinstance(piece, Step)]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Stop", key="stop-answer", icon=":material/stop_circle:", on_click=stop)
        doing = "the chat model writes" if said else "the chat model is asked"
        if steps:
            doing = f"{steps[-1].kind}: {' '.join(steps[-1].text.split())[:MAX_STEP]}"
        st.caption(for_markdown(f"{job.seconds:.0f} s · {doing}"), width="stretch")
    if said:
        st.markdown(for_markdown(said) + " ▌")


def stop() -> None:
    """Stop all that is asked about the question on screen."""
    for name in tasks.OF_A_QUESTION:
        if (job := tasks.begun(name)) is not None:
            job.stop()


def again(label: str) -> None:
    """A button that has the question answered once more."""
    st.button(label, key="answer-again", on_click=tasks.forget, args=(tasks.ANSWER,))


def _stopped(job: AnswerJob) -> None:
    said = "".join(piece for piece in job.pieces if isinstance(piece, str))
    if said:
        st.markdown(for_markdown(said) + " …")
    st.info("You stopped it. " + ("These words were not checked against the papers." if said else "Nothing was said."))
    again("Answer again")


def _whole(pf: Pathfinder, view: View, answer: Answer) -> None:
    with st.container(key="answer"):
        _text(answer)
    if answer.ads_query is not None:
        _ads_query(answer.ads_query)
    badges(answer.stages)
    for note in answer.notes:
        st.warning(for_markdown(note))
    _how_else(pf, view, answer)


def _text(answer: Answer) -> None:
    """Sentence by sentence with what bears it out, where something is claimed; and as it was written."""
    if answer.ledger is None:
        st.markdown(linked(answer.text, len(answer.sources)))
        return
    ledger.sentences(answer)
    with st.expander("As it was written", type="compact"):
        st.markdown(linked(answer.text, len(answer.sources)))


def _ads_query(query: AdsQuery) -> None:
    """The query as it is typed into ADS, with its address, or what is wrong with it."""
    st.code(query.query, language=None, wrap_lines=True)
    if query.link is not None:
        st.link_button("Open in ADS", query.link, icon=":material/open_in_new:")
    for fault in query.faults:
        st.warning(for_markdown(fault))


def linked(text: str, n_sources: int) -> str:
    """Markdown of a text, its marks leading to their papers; a mark of no paper stays as it is."""

    def link(number: re.Match[str]) -> str:
        n = int(number[0])
        return f"[{n}](#paper-{n})" if 1 <= n <= n_sources else number[0]

    def linked_mark(mark: re.Match[str]) -> str:
        return NUMBER.sub(link, mark[0]) if is_mark_shown(mark[0].replace("\\", "")) else mark[0]

    return MARK.sub(linked_mark, for_markdown(text))


def _how_else(pf: Pathfinder, view: View, answer: Answer) -> None:
    """What has changed since the answer was given, and the way to have it given anew."""
    given = view.given
    model = None if pf.chat is None else pf.chat.name
    if given is None or given == Given(view.order, view.form.answering, model):
        return
    if given.answering != view.form.answering or given.model != model:
        st.caption("You have changed how it is to be answered since.")
        again("Answer again this way")
    elif _is_moved(answer, given.order, view.order):
        st.caption("The answer was given for the order before; its numbers follow the papers to their new places.")
        again("Answer again from these papers")


def _is_moved(answer: Answer, before: tuple[str, ...], now: tuple[str, ...]) -> bool:
    """Whether a paper that is cited has another place now than when the answer was given."""
    cited = {paper_id for claim in answer.claims for paper_id in claim.citations}
    return any(_place(paper_id, before) != _place(paper_id, now) for paper_id in cited)


def _place(paper_id: str, order: tuple[str, ...]) -> int | None:
    return order.index(paper_id) if paper_id in order else None
