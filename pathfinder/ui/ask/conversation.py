"""Panels about the question: the years, authors and exclusions it names, its kind, and follow-ups."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from pathfinder.answering.mode_advice import advise_mode
from pathfinder.errors import PathfinderError
from pathfinder.facade import Pathfinder
from pathfinder.index.predicate import EVERY_PAPER
from pathfinder.profile import OverloadedTerm
from pathfinder.retrieval.authors.author_filter import authors_read
from pathfinder.retrieval.authors.persons import find_person
from pathfinder.retrieval.earliest import STAGE as EARLIEST
from pathfinder.retrieval.earliest import first_asked
from pathfinder.retrieval.exclusions import exclusions_read
from pathfinder.retrieval.filters import in_region, years_read
from pathfinder.retrieval.routing.follow_up import (
    StandaloneQuestion,
    depends_on_history,
    standalone_question,
    what_came_later,
)
from pathfinder.retrieval.routing.route import Route, entities, jargon, overloaded_terms
from pathfinder.retrieval.routing.suggestions import COHERE_RERANKER, Category, RoutingSuggestion, apply
from pathfinder.retrieval.wording.question_wording import reading_of
from pathfinder.settings import read_settings
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown
from pathfinder.text.quantities.written_numbers import SMALL_NUMBERS
from pathfinder.types import LOCAL_RERANKER, Keyword, SearchResult
from pathfinder.ui.answer import costs
from pathfinder.ui.ask import searching
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import jobs, state
from pathfinder.ui.shared.address import Form


@dataclass(frozen=True, slots=True)
class QuestionReading:
    """Something that was read from a question and changes its search; a chip turns it off, and on again."""

    setting: str
    """Setting of the search that turns it off."""
    is_on: bool
    effect: str
    """What it does, in the words of a line under the question: "years 2016 on"."""
    words: str = ""
    """Words of the question from which it was read; empty if it was not read from some of them."""

    def draw(self) -> None:
        """Draw the chip."""
        source = f", from “{self.words}” in your question" if self.words else ""
        effect = f"{self.effect[:1].upper()}{self.effect[1:]}{source}"
        label, icon, tip = f"Not: {effect}", ":material/add:", "Search with this again"
        if self.is_on:
            label, icon, tip = effect, ":material/close:", "Search without this"
        turn = partial(state.change, **{self.setting: not self.is_on})
        st.button(for_markdown(label), f"chip-{self.setting}", tip, turn, icon=icon)


def readings(form: Form, pf: Pathfinder, result: SearchResult) -> Iterator[QuestionReading]:
    """Yield what was read from the question of `result`, whether the search follows it or the reader turned it off."""
    search, request, papers = form.search, form.request(), pf.corpus.papers
    wording = reading_of(replace(request, corrects_spelling=True, translates=True), pf.corpus)
    if wording.is_changed:
        setting = "translates" if wording.language is not None or wording.terms else "corrects_spelling"
        language = "" if wording.language is None else f", from {wording.language}"
        effect = f"searched for “{wording.searched}”{language}"
        yield QuestionReading(setting, getattr(search, setting), effect)
    if years := years_read(replace(request, reads_years=True), pf.corpus.snapshot, papers, pf.profile):
        yield QuestionReading("reads_years", search.reads_years, f"years {years.description}", years.words)
    if authors := authors_read(replace(request, reads_authors=True), papers, pf.profile):
        author = "author" if len(authors.names) == 1 else "authors"
        yield QuestionReading("reads_authors", search.reads_authors, f"{author} {authors.description}", authors.words)
    person = find_person(replace(request, reads_authors=True), pf.corpus, EVERY_PAPER)
    if person is not None and len(person.rows):
        yield QuestionReading("reads_authors", search.reads_authors, f"papers by {person.description} first")
    if exclusions := exclusions_read(replace(request, reads_exclusions=True), pf.corpus):
        yield QuestionReading("reads_exclusions", search.reads_exclusions, exclusions.description, exclusions.words)
    is_by_time = any(stage.name == EARLIEST for stage in result.stages)
    if is_by_time or (not search.reads_firsts and first_asked(form.question) is not None):
        yield QuestionReading("reads_firsts", search.reads_firsts, "earliest papers that claim it first")
    names = [name for expansion in result.expansions if not expansion.is_own for name in expansion.names]
    if names or not search.finds_other_names:
        names_in_words = f"also searched for {', '.join(names)}" if names else "other names"
        yield QuestionReading("finds_other_names", search.finds_other_names, names_in_words)


def limits(form: Form, pf: Pathfinder) -> None:
    """Draw the filters for a region of the map and for chosen papers, each as a chip that removes it."""
    region, within, papers, icon = form.search.region, form.search.within, pf.corpus.papers, ":material/close:"
    if region is not None:
        label, tip = "Only a region of the map, but this library has no map", "Search the whole map"
        if pf.corpus.coordinates is not None:
            is_in, _ = in_region(region, pf.corpus)
            label = f"Only a region of the map: {int(is_in.sum()):,} of {len(is_in):,} papers"
        st.button(label, "region-of-the-map", tip, icon=icon, on_click=state.change, kwargs={"region": None})
    if within:
        n = int((papers.rows_of(within) >= 0).sum())
        label, tip = f"Only {n:,} of {len(papers):,} papers: a chosen set, such as a shelf", "Search all papers"
        st.button(label, "within-papers", tip, icon=icon, on_click=state.change, kwargs={"within": ()})


def kind(view: state.ResultView, pf: Pathfinder) -> None:
    """Show the kind of question, and the settings suggested for it."""
    result, reranker = view.result, LOCAL_RERANKER if read_settings().cohere_api_key is None else COHERE_RERANKER
    metered_pf = jobs.within_budget(pf, view.form.answering.budget)
    job = jobs.task(jobs.KIND, lambda: jobs.once(lambda: metered_pf.route(result, reranker)), is_local=pf.chat is None)
    telling = "About your question: the chat model is classifying it."
    if not jobs.watch(job, lambda: st.caption(telling), every=jobs.SLOW_POLL_SECONDS):
        return
    if job.state is not jobs.JobState.STOPPED:
        terms = overloaded_terms(view.form.question, pf.profile.overloaded_terms)
        route = job.result()

        def use(suggestion: RoutingSuggestion) -> None:
            form, advice = view.form, advise_mode(route)
            answering = replace(form.answering, generation=advice.generation, specialisation=advice.specialisation)
            controls.use(replace(form, search=apply(suggestion, form.request()), answering=answering))

        routing_panel(route, result.keywords, terms, use)


_PENDING, _REFUSED, _LAST = (f"follow-up-{name}" for name in ("pending", "refused", "last"))


def send(text: str) -> None:
    """Ask what was typed into the box: on its own or, if it depends on the question on the screen, as a follow-up."""
    _drop_follow_up()
    if state.is_found() and depends_on_history(text):
        st.session_state[_PENDING] = text
    else:
        state.ask(text)


def follow_up(pf: Pathfinder) -> None:
    """Make the follow-up that was typed into a question that stands on its own, and ask it; a chat model takes time.

    It is dropped once another question, or none, is asked. If it is refused, `earlier` says why.
    """
    if not state.is_found():
        _drop_follow_up()
    text, view = st.session_state.get(_PENDING), state.view()
    if text is None or view is None:
        return
    try:
        with st.bottom:
            standing = _standing(pf, view, text)
    except PathfinderError as error:
        st.session_state[_REFUSED] = error
        return
    if standing is not None:
        st.session_state[_LAST] = text, standing
        state.ask(standing.text)
        searching.follow(standing.text)
        st.rerun()  # as any other question does, it begins at the top


def _drop_follow_up() -> None:
    for key in (_PENDING, _REFUSED):
        st.session_state.pop(key, None)
    jobs.forget(jobs.FOLLOW_UP)


def earlier(view: state.ResultView) -> None:
    """Show why the last follow-up was refused, if it was; how this one was read, with a cross that asks it on its own;
    and the earlier questions and answers in an expander.
    """
    if (refusal := st.session_state.get(_REFUSED)) is not None:
        controls.failure(refusal)
    if not view.earlier:
        return
    last: tuple[str, StandaloneQuestion] | None = st.session_state.get(_LAST)  # as it was typed, and as it was read
    if last is not None and last[1].text != view.form.question:
        last = None
    if last is not None:
        tip = for_markdown(f"Ask “{last[0]}” as a new question")
        st.button("About the answer before", "follow-up-off", tip, state.ask, (last[0],), icon=":material/close:")
    questions = counted(len(view.earlier), "question")
    with st.expander(f"Earlier in this conversation: {questions}", type="compact"):
        if last is not None:
            st.caption(for_markdown(f"follow-up: {last[1].ran}"))
            costs.panel(last[1].calls, "follow-up-calls")
        for exchange in view.earlier:
            st.markdown(f"**{for_markdown(exchange.question)}**")
            st.markdown(for_markdown(exchange.answer))


def _standing(pf: Pathfinder, view: state.ResultView, text: str) -> StandaloneQuestion | None:
    """Return `text` as a standalone question; `None` while the chat model is rewriting it. If the reader stops the
    chat model, rules rewrite the question instead.
    """
    history = state.history()
    best = next((hit.paper.known_year for hit in view.result.hits), None)
    if (later := what_came_later(history, text, best)) is not None:
        _drop_follow_up()
        return later
    preparing = jobs.preparing(pf, view.form.answering.budget)
    work = jobs.once(lambda: preparing.follow_up(history, text))
    job = jobs.task(jobs.FOLLOW_UP, lambda: work, is_local=pf.chat is None)
    if not jobs.watch(
        job, lambda: jobs.stop_line(job, "follow-up", "the chat model is rewriting your follow-up", "Skip")
    ):
        return None
    _drop_follow_up()  # first, so that a refused one does not return at every run
    return standalone_question(history, text, None) if job.state is jobs.JobState.STOPPED else job.result()


# The kind of question, and its terms.

_COUNT_WORDS = dict(enumerate(SMALL_NUMBERS, start=1))


def routing_panel(
    route: Route, keywords: Sequence[Keyword], terms: Sequence[OverloadedTerm], use: Callable[[RoutingSuggestion], None]
) -> None:
    """Show the kind of question, why it was classified so, its names and terms, and buttons that `use` settings."""
    about = f"{describe_kind(route).capitalize()}: {route.reason}."
    st.markdown(for_markdown(about), help=for_markdown(f"Classified by {route.decided_by}."))
    for label, words in (("Names", entities(keywords)), ("Terms", jargon(keywords))):
        if words:
            st.markdown(for_markdown(f"{label}: {', '.join(words)}"))
    for term in terms:
        meanings = "; ".join(f"{meaning.where}: {meaning.means}" for meaning in term.meanings)
        count = _COUNT_WORDS.get(len(term.meanings), str(len(term.meanings)))
        description = f"“{term.term}” has {count} meanings here. {meanings[0].upper()}{meanings[1:]}"
        st.markdown(for_markdown(description))
    for place, suggestion in enumerate(route.suggestions):
        key = f"use-settings-{place}"
        tip = for_markdown(f"{suggestion.description} (arXiv:2408.01556, Table 1)")
        st.button(f"Use the settings advised for {suggestion.row.kind} questions", key, tip, use, (suggestion,))


def describe_kind(route: Route) -> str:
    """Describe the kind of question in lower case: "multi-paper question, jargon, time-sensitive"."""
    kind = "not classified" if route.category is Category.UNCLASSIFIED else f"{route.category} question"
    return ", ".join((kind, *route.flags))
