"""Shows the answer: its text as it is written, then sentence by sentence with links to its papers."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pathfinder.answering.ads_query.check import check_ads_query
from pathfinder.answering.ads_query.query_from_question import write_query
from pathfinder.answering.grounding.marks import ESCAPED_BRACKETS, is_mark_shown, renumber, with_numbers
from pathfinder.answering.mode_advice import advise_mode
from pathfinder.answering.modes.base import Need
from pathfinder.answering.modes.registry import MODES, mode_of, style_for
from pathfinder.errors import PathfinderError
from pathfinder.facade import Pathfinder
from pathfinder.models.ports import ChatModel
from pathfinder.profile import Profile
from pathfinder.retrieval.routing.route import route
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import AdsQuery, Answer, AnswerRequest, DigestForm, FoldedReply, Paper, Specialisation, Step
from pathfinder.ui.answer import digest_panel, ledger
from pathfinder.ui.answer.sources import numbered
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import jobs, state

FORMS: dict[DigestForm | None, str] = {
    DigestForm.VALUES: "As values",
    DigestForm.LIST: "As a list",
    DigestForm.SIDES: "Side by side",
    DigestForm.FINDINGS: "As findings",
    DigestForm.FACT: "As one fact",
}
MAX_STEP = 120
"""Maximum number of characters of a step shown in the progress line."""

AnswerJob = jobs.Job[str | Step, Answer]


def begin(pf: Pathfinder, view: state.ResultView) -> tuple[state.ResultView, AnswerJob]:
    """Return the job that answers the question on screen, starting it if needed.

    It starts once per search; a chat model is not asked again when other weights reorder the papers or other settings
    are chosen, but quotations, which cost a second, are made anew.
    """
    is_quoted = view.answer_inputs is None or view.answer_inputs.model is None
    if pf.chat is None and is_quoted and not _is_of(view, pf):
        jobs.forget(jobs.ANSWER)
    if jobs.running_task(jobs.ANSWER) is None:
        model = None if pf.chat is None else pf.chat.name
        style = request_of(view, pf.chat).specialisation
        inputs = state.AnswerInputs(view.order, view.form.answering, model, view.result.request, style)
        view = state.show(replace(view, answer_inputs=inputs))
    metered_pf = jobs.within_budget(pf, view.form.answering.budget)
    work = partial(metered_pf.stream_answer, view.result, request_of(view, pf.chat))
    return view, jobs.task(jobs.ANSWER, work, is_local=pf.chat is None)


def request_of(view: state.ResultView, chat: ChatModel | None) -> AnswerRequest:
    """Make the answer request for the question on screen, with the reader's settings, by default in the style that
    suits the question, and that can be written without a chat model if there is none.
    """
    answering, result = view.form.answering, view.result
    # Rules tell the kind of question, so that no answer has to wait for a chat model to classify it.
    style = advise_mode(route(result.request.query, result.keywords, None), answering.generation).specialisation
    if chat is None and Need.CHAT in mode_of(AnswerRequest(answering.generation, style)).needs:
        style = style_for(answering.generation, Specialisation.MULTI_PAPER)
    return answering.request(style, view.earlier)


def on_screen(view: state.ResultView, job: AnswerJob) -> Answer | None:
    """Return the answer, with citations numbered in the current order of the papers; `None` if there is no answer yet,
    or if there will never be one.
    """
    papers = [hit.paper for hit in view.result.hits]
    return with_list_numbers(job.result(), papers) if job.state is jobs.JobState.ENDED else None


def with_list_numbers(answer: Answer, papers: Sequence[Paper]) -> Answer:
    """Number the citations in `answer` anew: `papers` by rank, then the other papers that the answer cites."""
    paper_ids = {paper.paper_id for paper in papers}
    sources = (*papers, *(paper for paper in answer.sources if paper.paper_id not in paper_ids))
    if not answer.sources or sources[: len(answer.sources)] == answer.sources:
        return replace(answer, sources=sources)
    place = {paper.paper_id: n for n, paper in enumerate(sources, start=1)}
    number_of_mark = {n: place[paper.paper_id] for n, paper in enumerate(answer.sources, start=1)}
    text = renumber(answer.text, number_of_mark, answer.quotations)
    versions = tuple(replace(version, text=renumber(version.text, number_of_mark)) for version in answer.versions)
    folded_reply = answer.folded and replace(answer.folded, text=renumber(answer.folded.text, number_of_mark))
    return replace(answer, text=text, versions=versions, folded=folded_reply, sources=sources)


def panel(pf: Pathfinder, view: state.ResultView, job: AnswerJob) -> None:
    """Show the text so far and a stop button while the job runs, and the answer once it has ended."""
    is_stepwise = MODES.get((view.answer_inputs or view.form).answering.generation).is_stepwise
    every = jobs.SLOW_POLL_SECONDS if is_stepwise else jobs.POLL_SECONDS  # there are no words before its last step
    if not jobs.watch(job, lambda: words(job), every=every):
        return
    if job.state is jobs.JobState.STOPPED:
        text = "".join(chunk for chunk in job.chunks if isinstance(chunk, str))
        if text:
            st.markdown(for_markdown(text) + " …")
        st.info("Stopped. " + ("This text was not checked against the papers." if text else "No answer was written."))
        again("Answer again")
        return
    try:
        job.result()
    except PathfinderError as error:
        controls.failure(error)
        again("Try again")
        return
    if (answer := on_screen(view, job)) is not None:
        _whole(answer, pf.profile)


def words(job: AnswerJob) -> None:
    """Show the text so far, the progress and the stop button."""
    chunks = job.chunks
    text = "".join(chunk for chunk in chunks if isinstance(chunk, str))
    steps = [chunk for chunk in chunks if isinstance(chunk, Step)]
    doing = "the chat model is writing" if text else "waiting for the chat model"
    if steps:
        doing = f"{steps[-1].kind}: {' '.join(steps[-1].text.split())[:MAX_STEP]}"
    jobs.stop_line(job, "answer", doing, on_click=stop)
    if text:
        st.markdown(for_markdown(text) + " ▌")


def stop() -> None:
    """Stop all jobs for the question on screen."""
    for name in jobs.OF_A_QUESTION:
        if (job := jobs.running_task(name)) is not None:
            job.stop()


def again(label: str) -> None:
    """Show a button that answers the question again."""
    st.button(label, key="answer-again", on_click=jobs.forget, args=(jobs.ANSWER,), type="tertiary")


def _whole(answer: Answer, profile: Profile) -> None:
    with st.container(key="answer"):
        if answer.digest is None or answer.is_written:
            _text(answer)
        if answer.digest is not None:
            digest_panel.lines(answer, answer.digest, profile)
        if n_sources(answer) == 1:
            digest_panel.caution("This answer rests on one paper.")
        for note in answer.notes:
            digest_panel.caution(f"{note[:1].upper()}{note[1:]}")
    if answer.ads_query is not None:
        _ads_query(answer.ads_query)
    if answer.folded is not None:
        _folded_reply(answer.folded, answer)


def n_sources(answer: Answer) -> int:
    """Return the number of papers that the sentences of the answer name as their sources."""
    return len({paper_id for claim in answer.claims for paper_id in claim.citations})


def _is_of(view: state.ResultView, pf: Pathfinder) -> bool:
    """Return whether the answer was made from the papers on screen in this order, with these settings and model."""
    inputs, model = view.answer_inputs, None if pf.chat is None else pf.chat.name
    made_with = (view.order, view.form.answering, model)
    return inputs is None or (inputs.order, inputs.answering, inputs.model) == made_with


def menu(pf: Pathfinder, view: state.ResultView, answer: Answer) -> None:
    """Let the reader choose another form of an answer that is quoted from papers; it is then made again. If papers or
    settings have changed since, the answer can be made again, with a button in the same place: nothing moves.
    """
    if not _is_of(view, pf):
        is_same_list = view.answer_inputs is not None and view.answer_inputs.order == view.order
        changed = "settings have" if is_same_list else "list has"
        again(f":orange[The {changed} changed since this answer: answer again]")
        return
    requested_form = view.form.answering.form
    if answer.digest is None or answer.is_written:
        return
    forms = {None: "As suits the question", **FORMS}

    def choose() -> None:
        form = state.form()
        controls.use(replace(form, answering=replace(form.answering, form=st.session_state["form-menu"])))
        jobs.forget(jobs.ANSWER)

    now, tip = FORMS[answer.digest.form], "you chose it" if requested_form else answer.digest.form_reason
    look: dict[str, Any] = {"icon": ":material/notes:", "type": "tertiary", "help": f"Why this form: {tip}."}
    st.menu_button(now, list(forms), format_func=forms.__getitem__, key="form-menu", on_click=choose, **look)


def _text(answer: Answer) -> None:
    """Show each sentence with its sources, and the full text below; only the text if the answer makes no claims."""
    if answer.ledger is None:
        st.markdown(link_citations(answer.text, len(answer.sources)))
        return
    st.html(digest_panel.as_text(ledger.written_html(answer.ledger, answer.text, numbered(answer))))
    with st.expander("Full text", type="compact"):
        st.markdown(link_citations(answer.text, len(answer.sources)))


def _folded_reply(reply: FoldedReply, answer: Answer) -> None:
    """Show, in a collapsed expander, a reply that is not an answer, the reason, and the evidence for its sentences."""
    with st.expander("What the model wrote", type="compact", key="folded"):
        st.caption(for_markdown(f"{reply.model}: not shown as the answer, because {reply.reason}"))
        st.markdown(link_citations(reply.text, len(answer.sources)))
        for note in reply.notes:
            st.caption(for_markdown(note))
        if reply.ledger is not None:
            st.html(digest_panel.as_text(ledger.written_html(reply.ledger, reply.text, numbered(answer))))


def _ads_query(query: AdsQuery) -> None:
    """Show the query as it would be typed into ADS, with a link that runs it there or a list of its faults; it can be
    written otherwise first, and the parts that rules have read can be taken away.
    """
    written, key = query.query, f"ads-query-{hash(query.query)}"
    if query.parts:
        labels = {place: part.term for place, part in enumerate(query.parts)}
        if query.operator is not None:
            labels[-1] = query.operator.around("…")
        label, places = "Parts of the query", sorted(labels)
        look: dict[str, Any] = {"format_func": labels.__getitem__, "help": "Click a part to take it away."}
        kept = st.pills(label, places, selection_mode="multi", default=places, key=f"{key}-parts", **look)
        parts = tuple(part for place, part in enumerate(query.parts) if place in kept)
        written = write_query(parts, query.operator if -1 in kept else None) or ""
        key += f"-{sorted(kept)}"
    edited = st.text_input("Query for ADS", written, key=key)
    query = query if edited == query.query else check_ads_query(edited)
    if query.link is not None:
        st.link_button("Open in ADS", query.link, icon=":material/open_in_new:")
    for fault in query.faults:
        st.warning(for_markdown(fault))


def link_citations(text: str, n_sources: int) -> str:
    """Write a text as Markdown, with its citation marks linked to their papers; other marks are left as they are."""

    def linked_mark(mark: re.Match[str]) -> str:
        if not is_mark_shown(mark[0].replace("\\", "")):
            return mark[0]
        return with_numbers(mark[0], lambda n: f"[{n}](#paper-{n})" if 1 <= n <= n_sources else str(n))

    return ESCAPED_BRACKETS.sub(linked_mark, for_markdown(text))
