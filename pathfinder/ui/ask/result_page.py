"""The Ask page with a question: the answer first, papers and map beside it, and what explains them behind one line."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import streamlit as st

from pathfinder.answering.settings import AnswerSettings
from pathfinder.errors import PathfinderError
from pathfinder.facade import Pathfinder
from pathfinder.retrieval.request_records import changed_settings, record_of_request
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Answer, Round, SearchResult, Spread, Weighting
from pathfinder.ui import consensus, similar
from pathfinder.ui.answer import costs, digest_panel, ledger, rewrite, sources, trace
from pathfinder.ui.answer import panel as answer_panel
from pathfinder.ui.answer.panel import AnswerJob
from pathfinder.ui.ask import conversation, map_view, searching
from pathfinder.ui.corpus.works import add_buttons
from pathfinder.ui.map import region_panel
from pathfinder.ui.papers import papers
from pathfinder.ui.settings import controls, copied_call, steering
from pathfinder.ui.shared import jobs, panels, state
from pathfinder.ui.shared.address import Form
from pathfinder.ui.stars import recent

MORE_HEIGHT = 225
LINE_HEIGHT, WAITING_HEIGHT = 30, 640
"""Heights in pixels of the skeletons of the line and the answer; with the question, they fill the screen of a phone."""


def panel(pf: Pathfinder, form: Form) -> None:
    """Draw a line about how the question was read, then map and papers, then the answer beside them, which may have to
    wait for a chat model; until they are there, skeletons keep their places.
    """
    line_place = st.container(key="line")
    answer_place, papers_place = st.container(key="answered").columns([12, 11], gap="medium")
    chosen_place = st.container(key="chosen-view")
    if not state.is_found():
        line_place = line_place.skeleton(LINE_HEIGHT)
        answer_place, papers_place = answer_place.skeleton(WAITING_HEIGHT), papers_place.skeleton(map_view.SMALL)
    try:
        with st.bottom:  # beside the box, where a search that has to wait for a model can be stopped
            view = searching.view(form, pf)
    except PathfinderError as error:
        line_place.empty()
        papers_place.empty()
        with answer_place.container():
            controls.failure(error)
        return
    if view is None:
        search = jobs.running_task(jobs.SEARCH)
        if search is None or not search.is_running:  # it was stopped
            for place in (line_place, answer_place, papers_place):
                place.empty()
        return
    recent.keep(view.form, papers.link())
    listed = similar.in_place_of(pf, view)
    papers_place = papers_place.container()
    with papers_place:
        map_view.small(pf, listed.result)
    list_place = papers_place if papers.are_cards() else chosen_place  # tables and plots are as wide as the page
    with list_place:
        _papers(pf, listed)
    report, job, answer = searching.overview(form, pf), None, None
    if report is None:
        view, job = answer_panel.begin(pf, view)
    with answer_place.container(key="answer-place"):
        conversation.earlier(view)
        if report is not None:
            with st.container(key="answer"), st.container(key="overview"):
                region_panel.overview(pf, report)
                if (searched := view.result.request.query) != form.question:
                    st.caption(for_markdown(f"The papers are ranked by the first topics: {searched}."))
        if job is not None:
            answer_panel.panel(pf, view, job)
            answer = answer_panel.on_screen(view, job)  # asked after it is drawn, during which the job can end
        if answer is not None:
            _under(pf, view, answer)
    sources.panel(pf, answer, view.result, listed.form.question)
    with line_place.container():
        _how(pf, form, view, job, answer)
    with chosen_place:
        papers.chosen_view(pf, listed, answer)  # the table shows the findings of the answer
    if answer is not None:
        with list_place:
            papers.further(view, answer)


def _papers(pf: Pathfinder, view: state.ResultView) -> None:
    if view.result.request.likeness is None:
        # The chips for filters say the others.
        controls.notes(*(note for note in view.result.notes if note not in view.result.filter_notes))
    else:  # a cross leads back to the papers of the question
        label = for_markdown(f"Papers like {view.result.question.removeprefix('like: ')}")
        st.button(
            label, key="similar-off", icon=":material/close:", on_click=similar.choose_beside, args=(None,), wrap=True
        )
    papers.listing(pf, view)
    add_buttons(view.result.hits)


def _under(pf: Pathfinder, view: state.ResultView, answer: Answer) -> None:
    """Draw what follows an answer: whether the papers agree, its values, and what can be done with it."""
    if answer.redirect is None and not answer.abstained:
        consensus.agreement(pf, view, answer)
    digest = answer.digest if answer.digest is not None and answer.digest.values else None
    if digest is not None:
        digest_panel.values_panel(answer, digest)
    with st.container(horizontal=True, key="answer-menu", gap="xsmall"):
        answer_panel.menu(pf, view, answer)
        if view.answer_inputs is not None:
            inputs = view.answer_inputs  # those of the answer on screen, even if weights or settings have changed since
            answering = replace(inputs.answering, specialisation=inputs.style)
            body = record_of_request(inputs.request) | changed_settings(AnswerSettings, answering, AnswerSettings())
            # The API answers only standalone questions.
            call = (None, ("what was asked before",)) if view.earlier else (body, ())
            copied_call.panel("answer", call[0], view.result.corpus, call[1], state.values_link)
        icon = ":material/more_horiz:"
        with st.popover("More", key="answer-more", icon=icon, type="tertiary", on_change="rerun") as lid:
            if not lid.open:  # as high as what it will hold, so that it opens where there is room
                st.space(MORE_HEIGHT)
            else:
                if digest is not None:
                    with st.expander("Save values", icon=":material/download:", type="compact"):
                        digest_panel.values_files(answer, digest)
                panels.draw("ask.answer", pf, view, answer)
    rewrite.panel(pf, view, answer)


_HOW = "how"
COVERED = {True: "thinly covered", False: "well covered"}
"""What the page says of papers that are relevant, by whether that is in doubt."""
SPREAD = {
    Spread.ONE_CLUSTER: "The papers lie close together: they are about one subject.",
    Spread.TWO_CLUSTERS: "The papers fall into two groups: the question may have two readings.",
    Spread.BROAD: "The papers lie far apart: the question is broad, or this library has little on it.",
}


def _how(pf: Pathfinder, form: Form, view: state.ResultView, job: AnswerJob | None, answer: Answer | None) -> None:
    """Draw the line under the question, behind which everything stands that explains papers and answer; without a
    `job`, nothing is asked but what is studied in a region.
    """
    result = view.result
    asked = form.with_search(weighting=Weighting()).request(), result.request.as_of, result.corpus
    readings = state.kept("readings", asked, lambda: tuple(conversation.readings(form, pf, result)))
    about = [*line_about(pf, view, [reading.effect for reading in readings if reading.is_on])]
    if job is not None:
        about[-1:-1] = coverage(result, answer)
    st.session_state[_HOW] = st.session_state.get(_HOW, False)  # stays open when its label changes
    with st.expander("; ".join(about), type="compact", key=_HOW, on_change="rerun") as lid:
        if not lid.open:
            return
        with st.container(horizontal=True, vertical_alignment="bottom"):
            controls.keyword_chips(form, result)
            for reading in readings:
                reading.draw()
        controls.advice(result)
        if result.assessment is not None and result.assessment.spread is not None:
            n_apart = sum(bool(hit.outlier) for hit in result.hits)
            apart = f" {n_apart} of {len(result.hits)} are unlike the others." if n_apart else ""
            st.caption(f"{SPREAD[result.assessment.spread]}{apart}")
        if answer is not None and answer.ledger is not None and answer.is_written:
            st.caption(ledger.summary(answer.ledger), help=ledger.HOW)
        if answer is not None and pf.chat is not None:
            controls.badges(answer.stages, answer.stage_status)
        with st.expander("Each step of search and answer", type="compact", key="stages") as steps:
            conversation.kind(view, pf)
            if answer is not None and answer.digest:
                st.caption(for_markdown(" ".join(answer.digest.notes)))
            # Without a chat model, quotations are what everyone gets, and no fault.
            quoted = () if answer is None or pf.chat is not None else answer.stages
            controls.badges((*quoted, *result.stages), result.stage_status)
            seconds = {stage.label: stage.seconds for stage in result.stages if stage.seconds is not None}
            timings = ", ".join(f"{name} {duration * 1000:,.0f}" for name, duration in seconds.items())
            st.caption(for_markdown(f"{sum(seconds.values()) * 1000:,.0f} ms: {timings}"))
        _changed_question(result)
        costs.panel(jobs.question_calls().calls)
        if job is not None:
            with steps if pf.chat is None else st.container():  # quotations have no steps
                trace.panel(pf, view, job)


def line_about(pf: Pathfinder, view: state.ResultView, readings: Sequence[str]) -> Iterator[str]:
    """Yield as Markdown the number of papers, what the reader wants of them ("without supernovae") and their years; how
    the question was read; and the model.
    """
    result = view.result
    years = [hit.paper.known_year for hit in result.hits if hit.paper.known_year is not None]
    span = f", {min(years)} to {max(years)}" if years and min(years) < max(years) else f", {years[0]}" if years else ""
    wanted = [label for label, _ in steering.undone(view.form) if ":" not in label]  # and not "depth: 100"
    limits = "".join(f", **{for_markdown(label)}**" for label in wanted)
    yield f"{counted(len(result.hits), 'paper')}{limits}{span}"
    yield from map(for_markdown, readings)
    yield "no chat model" if pf.chat is None else for_markdown(pf.chat.name)


def coverage(result: SearchResult, answer: Answer | None) -> Iterator[str]:
    """Yield as Markdown how well the papers cover the question: not well if none answers it, or only one."""
    is_redirected = answer is not None and answer.redirect is not None
    if (assessment := result.assessment) is None or not result.hits or is_redirected:
        return
    digest = None if answer is None else answer.digest
    is_weak = digest is not None and (digest.is_weak or digest.is_doubtful)
    is_thin = is_weak or (answer is not None and answer_panel.n_sources(answer) < 2)
    words = COVERED[assessment.is_doubtful or is_thin] if assessment.is_relevant else "not covered"
    yield f"**{words}**"


def _changed_question(result: SearchResult) -> None:
    """Draw a line or an expander for each change that the search made to the question: synonyms, sub-questions,
    hypothetical abstracts and rounds of refined questions.
    """
    for expansion in result.expansions:
        names = ", ".join(expansion.names)
        st.caption(for_markdown(f"Also searched for “{expansion.term}”: {names} (from {expansion.source})"))
    if result.sub_questions:
        st.markdown("Searched in parts:\n" + "\n".join(f"1. {for_markdown(part)}" for part in result.sub_questions))
    if result.hypothetical:
        with st.expander("Hypothetical abstracts (used in the search, never cited)"):
            for text in result.hypothetical:
                st.markdown(for_markdown(text))
    if len(result.rounds) > 1:
        with st.expander(describe_rounds(result.rounds)):
            counts = [entry.n_relevant for entry in result.rounds]
            columns = {"round": list(range(len(result.rounds))), "papers close to your question": counts}
            st.line_chart(columns, x="round", y="papers close to your question", height=180)
            st.caption("Close: at least as close to your question as the last paper listed by the first search.")
            for place, entry in enumerate(result.rounds):
                questions = "\n".join(f"- {for_markdown(question)}" for question in entry.questions)
                st.markdown(f"Round {place}, {entry.n_new} new papers\n{questions}")


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
