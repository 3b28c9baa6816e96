"""Panels about the question: the years and authors it names, its kind, and follow-ups."""

from dataclasses import replace

import streamlit as st

from pathfinder.answering.mode_advice import ModeAdvice, advise_mode
from pathfinder.retrieval.authors.reading import authors_read
from pathfinder.retrieval.filters import in_region, years_read
from pathfinder.retrieval.routing.follow_up import StandaloneQuestion, standalone_question
from pathfinder.retrieval.routing.jargon import overloaded_terms
from pathfinder.retrieval.routing.suggestions import COHERE_RERANKER, RoutingSuggestion, apply
from pathfinder.retrieval.wording.reading import reading_of
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import LOCAL_RERANKER, SearchResult
from pathfinder.ui.ask import routing, searching
from pathfinder.ui.jobs import tasks
from pathfinder.ui.jobs.jobs import Job, JobState, once
from pathfinder.ui.settings import widgets
from pathfinder.ui.shared import resources, state
from pathfinder.ui.shared.form import Form
from pathfinder.ui.shared.state import ResultView


def wording(form: Form, pf: Pathfinder) -> None:
    """Draw the words that are searched in place of the question's own, as a chip that switches between the two."""
    reading = reading_of(replace(form.request(), corrects_spelling=True, translates=True), pf.corpus)
    if reading.is_changed:
        switch = "corrects_spelling" if reading.language is None else "translates"
        routing.wording_chip(reading, getattr(form.search, switch), lambda is_on: state.change(**{switch: is_on}))


def other_names(form: Form, result: SearchResult) -> None:
    """Draw a chip that turns off, or on again, the abbreviations and names that were searched unasked."""
    is_on = form.search.finds_other_names
    names = [name for expansion in result.expansions if not expansion.is_own for name in expansion.names]
    if names or not is_on:
        routing.names_chip(names, is_on, lambda is_on: state.change(finds_other_names=is_on))


def years(form: Form, pf: Pathfinder) -> None:
    """Draw the filter for the years named in the question, as a chip that turns it on and off."""
    question_years = years_read(
        replace(form.request(), reads_years=True), pf.corpus.snapshot, pf.corpus.papers, pf.profile
    )
    if question_years is not None:
        routing.year_chip(question_years, form.search.reads_years, lambda is_on: state.change(reads_years=is_on))


def authors(form: Form, pf: Pathfinder) -> None:
    """Draw the filter for the authors named in the question, as a chip that turns it on and off."""
    question_authors = authors_read(replace(form.request(), reads_authors=True), pf.corpus.papers, pf.profile)
    if question_authors is not None:
        routing.author_chip(
            question_authors, form.search.reads_authors, lambda is_on: state.change(reads_authors=is_on)
        )


def region(form: Form, pf: Pathfinder) -> None:
    """Draw the filter for a region of the map, as a chip that removes it; draw nothing if the whole map is searched."""
    if form.search.region is None:
        return
    label = "Only a region of the map, but this corpus has no map"
    if pf.corpus.coordinates is not None:
        is_in, _ = in_region(form.search.region, pf.corpus)
        label = f"Only a region of the map: {int(is_in.sum()):,} of {len(is_in):,} papers"
    st.button(
        label,
        key="region-of-the-map",
        icon=":material/close:",
        help="Search the whole map",
        on_click=state.change,
        kwargs={"region": None},
    )


def within(form: Form, pf: Pathfinder) -> None:
    """Draw the filter for chosen papers, as a chip that removes it; draw nothing if all papers are searched."""
    if form.search.within:
        n_papers = int((pf.corpus.papers.rows_of(form.search.within) >= 0).sum())
        st.button(
            f"Only {n_papers:,} of {len(pf.corpus.papers):,} papers: a chosen set, such as a shelf",
            key="within-papers",
            icon=":material/close:",
            help="Search all papers",
            on_click=state.change,
            kwargs={"within": ()},
        )


def notes(result: SearchResult) -> tuple[str, ...]:
    """Return the notes from a search, except for those already covered by the chips for filters."""
    return tuple(note for note in result.notes if note not in result.filter_notes)


def kind(view: ResultView, pf: Pathfinder) -> None:
    """Show the kind of question, and the settings suggested for it."""
    result, reranker = view.result, COHERE_RERANKER if resources.has_cohere_key() else LOCAL_RERANKER
    metered_pf = tasks.within_budget(pf, view.form.answering.budget)
    job = tasks.task(tasks.KIND, lambda: once(lambda: metered_pf.route(result, reranker)), is_local=pf.chat is None)
    if not tasks.watch(job, _being_told, every=tasks.SLOW_POLL_SECONDS):
        return
    if job.state is not JobState.STOPPED:
        terms = overloaded_terms(view.form.question, pf.profile.overloaded_terms)
        route = job.result()
        routing.panel(route, result.keywords, terms, lambda suggestion: _use(suggestion, view.form, advise_mode(route)))


def _being_told() -> None:
    st.caption("About your question: the chat model is classifying it.")


def _use(suggestion: RoutingSuggestion, form: Form, advice: ModeAdvice) -> None:
    """Set the page's controls to `suggestion` and `advice` before they are drawn again."""
    request = apply(suggestion, form.request())
    st.session_state["top_k"] = request.top_k
    st.session_state["imagine"], st.session_state["reranker"] = request.imagine, request.reranker
    st.session_state["generation"], st.session_state["specialisation"] = advice.generation, advice.specialisation
    for slider in ("keywords", "recency", "citations"):
        widgets.set_strength(slider, getattr(request.weighting, slider))


def earlier(view: ResultView) -> None:
    """Show earlier questions and answers in an expander; show nothing for a new question."""
    if not view.earlier:
        return
    n = len(view.earlier)
    with st.expander(f"Earlier in this conversation: {n} {'question' if n == 1 else 'questions'}"):
        for exchange in view.earlier:
            st.markdown(f"**{for_markdown(exchange.question)}**")
            st.markdown(for_markdown(exchange.answer))


def follow_up(pf: Pathfinder, view: ResultView) -> None:
    """Draw a box for follow-ups; the rewritten question is shown before the search."""
    routing.follow_up(lambda text: _standing(pf, view, text), _ask)


def _standing(pf: Pathfinder, view: ResultView, text: str) -> StandaloneQuestion | None:
    """Return `text` as a standalone question; `None` while the chat model is rewriting it. If the reader stops the
    chat model, rules rewrite the question instead.
    """
    history = state.history()
    preparing = tasks.preparing(pf, view.form.answering.budget)
    work = once(lambda: preparing.follow_up(history, text))
    job = tasks.task(tasks.FOLLOW_UP, lambda: work, is_local=pf.chat is None)
    if not tasks.watch(job, lambda: _being_read(job)):
        return None
    tasks.forget(tasks.FOLLOW_UP)
    return standalone_question(history, text, None) if job.state is JobState.STOPPED else job.result()


def _being_read(job: Job[str, StandaloneQuestion]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Skip", key="stop-follow-up", icon=":material/stop_circle:", on_click=job.stop)
        st.caption(f"The chat model is rewriting your follow-up: {job.seconds:.0f} s", width="stretch")


def _ask(question: str) -> None:
    st.session_state["question"] = question
    searching.follow(question)
