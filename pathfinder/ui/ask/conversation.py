"""Panels about the question: the years, authors and exclusions it names, its kind, and follow-ups."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from pathfinder.answering.mode_advice import ModeAdvice, advise_mode
from pathfinder.index.predicate import EVERY_PAPER
from pathfinder.profile import OverloadedTerm
from pathfinder.retrieval.authors.persons import Person, find_person
from pathfinder.retrieval.authors.reading import AuthorsNamed, authors_read
from pathfinder.retrieval.earliest import STAGE as EARLIEST
from pathfinder.retrieval.earliest import first_asked
from pathfinder.retrieval.exclusions import Exclusions, exclusions_read
from pathfinder.retrieval.filters import in_region, years_read
from pathfinder.retrieval.routing.follow_up import StandaloneQuestion, standalone_question
from pathfinder.retrieval.routing.route import Route, entities, jargon, overloaded_terms
from pathfinder.retrieval.routing.suggestions import COHERE_RERANKER, Category, RoutingSuggestion, apply
from pathfinder.retrieval.wording.reading import Reading, reading_of
from pathfinder.retrieval.years.in_questions import YearsNamed
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.text.quantities.written_numbers import SMALL_NUMBERS
from pathfinder.types import LOCAL_RERANKER, Keyword, SearchResult
from pathfinder.ui.answer import costs
from pathfinder.ui.ask import searching
from pathfinder.ui.settings import widgets
from pathfinder.ui.shared import jobs, resources, state
from pathfinder.ui.shared.address import Form
from pathfinder.ui.shared.jobs import Job, JobState, once
from pathfinder.ui.shared.resources import profile
from pathfinder.ui.shared.state import ResultView


def wording(form: Form, pf: Pathfinder) -> None:
    """Draw the words that are searched in place of the question's own, as a chip that switches between the two."""
    reading = reading_of(replace(form.request(), corrects_spelling=True, translates=True), pf.corpus)
    if reading.is_changed:
        switch = "translates" if reading.language is not None or reading.terms else "corrects_spelling"
        wording_chip(reading, getattr(form.search, switch), lambda is_on: state.change(**{switch: is_on}))


def other_names(form: Form, result: SearchResult) -> None:
    """Draw a chip that turns off, or on again, the abbreviations and names that were searched unasked."""
    is_on = form.search.finds_other_names
    names = [name for expansion in result.expansions if not expansion.is_own for name in expansion.names]
    if names or not is_on:
        names_chip(names, is_on, lambda is_on: state.change(finds_other_names=is_on))


def years(form: Form, pf: Pathfinder) -> None:
    """Draw the filter for the years named in the question, as a chip that turns it on and off."""
    question_years = years_read(
        replace(form.request(), reads_years=True), pf.corpus.snapshot, pf.corpus.papers, pf.profile
    )
    if question_years is not None:
        year_chip(question_years, form.search.reads_years, lambda is_on: state.change(reads_years=is_on))


def authors(form: Form, pf: Pathfinder) -> None:
    """Draw the filter for the authors named in the question, as a chip that turns it on and off."""
    question_authors = authors_read(replace(form.request(), reads_authors=True), pf.corpus.papers, pf.profile)
    if question_authors is not None:
        author_chip(question_authors, form.search.reads_authors, lambda is_on: state.change(reads_authors=is_on))


def person(form: Form, pf: Pathfinder) -> None:
    """Draw the reading of the question as a person's name, as a chip that turns it on and off."""
    read = find_person(replace(form.request(), reads_authors=True), pf.corpus, EVERY_PAPER)
    if read is not None and len(read.rows):
        person_chip(read, form.search.reads_authors, lambda is_on: state.change(reads_authors=is_on))


def exclusions(form: Form, pf: Pathfinder) -> None:
    """Draw the filter for words that the question excludes, as a chip that turns it on and off."""
    read = exclusions_read(replace(form.request(), reads_exclusions=True), pf.corpus)
    if read is not None:
        exclusion_chip(read, form.search.reads_exclusions, lambda is_on: state.change(reads_exclusions=is_on))


def earliest(form: Form, result: SearchResult) -> None:
    """Draw the order by time, if the question asks who was first, as a chip that turns it on and off."""
    is_off = not form.search.reads_firsts and first_asked(form.question) is not None
    if is_off or any(stage.name == EARLIEST for stage in result.stages):
        earliest_chip(form.search.reads_firsts, lambda is_on: state.change(reads_firsts=is_on))


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
    metered_pf = jobs.within_budget(pf, view.form.answering.budget)
    job = jobs.task(jobs.KIND, lambda: once(lambda: metered_pf.route(result, reranker)), is_local=pf.chat is None)
    if not jobs.watch(job, _being_told, every=jobs.SLOW_POLL_SECONDS):
        return
    if job.state is not JobState.STOPPED:
        terms = overloaded_terms(view.form.question, pf.profile.overloaded_terms)
        route = job.result()
        routing_panel(route, result.keywords, terms, lambda suggestion: _use(suggestion, view.form, advise_mode(route)))


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
    follow_up_form(lambda text: _standing(pf, view, text), _ask)


def _standing(pf: Pathfinder, view: ResultView, text: str) -> StandaloneQuestion | None:
    """Return `text` as a standalone question; `None` while the chat model is rewriting it. If the reader stops the
    chat model, rules rewrite the question instead.
    """
    history = state.history()
    preparing = jobs.preparing(pf, view.form.answering.budget)
    work = once(lambda: preparing.follow_up(history, text))
    job = jobs.task(jobs.FOLLOW_UP, lambda: work, is_local=pf.chat is None)
    if not jobs.watch(job, lambda: _being_read(job)):
        return None
    jobs.forget(jobs.FOLLOW_UP)
    return standalone_question(history, text, None) if job.state is JobState.STOPPED else job.result()


def _being_read(job: Job[str, StandaloneQuestion]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Skip", key="stop-follow-up", icon=":material/stop_circle:", on_click=job.stop)
        st.caption(f"The chat model is rewriting your follow-up: {job.seconds:.0f} s", width="stretch")


def _ask(question: str) -> None:
    state.ask(question)
    searching.follow(question)


# The kind of question, its terms, and suggested settings; no setting is applied until the reader clicks on it.

_FIELD, _PENDING, _STANDING, _RAN = "follow-up", "follow-up-pending", "follow-up-standing", "follow-up-ran"
_CALLS = "follow-up-told"
_COUNT_WORDS = dict(enumerate(SMALL_NUMBERS, start=1))


def wording_chip(reading: Reading, is_on: bool, on_change: Callable[[bool], None]) -> None:
    """Draw the words searched in place of the question's own; a click searches as it is written, or the reverse."""
    language = "" if reading.language is None else f", from {reading.language}"
    words = f"“{reading.searched}”"
    st.button(
        for_markdown(f"Searched for {words}{language}" if is_on else f"Did you mean {words}?"),
        key="wording-of-the-question",
        icon=":material/close:" if is_on else ":material/spellcheck:",
        help="Search for your question as it is written" if is_on else "Search for these words",
        on_click=on_change,
        args=(not is_on,),
    )


def names_chip(names: Sequence[str], is_on: bool, on_change: Callable[[bool], None]) -> None:
    """Draw the other names that are also searched; a click leaves them out, or searches them again."""
    st.button(
        for_markdown(f"Also: {', '.join(names)}" if is_on else "Without abbreviations and other names"),
        key="other-names-of-the-question",
        icon=":material/close:" if is_on else ":material/add:",
        help="Search only for the words of your question" if is_on else "Also search for other names",
        on_click=on_change,
        args=(not is_on,),
    )


def year_chip(years: YearsNamed, is_on: bool, on_change: Callable[[bool], None]) -> None:
    """Draw the filter for the years named in the question; a click turns it off or on."""
    read = f"Years {years.description}, from “{years.words}” in your question"
    unread = f"All years; your question says “{years.words}”"
    helps = "Search all years", f"Search only the years {years.description}"
    _chip("years-of-the-question", (read, unread), helps, is_on, on_change)


def author_chip(authors: AuthorsNamed, is_on: bool, on_change: Callable[[bool], None]) -> None:
    """Draw the filter for the authors named in the question; a click turns it off or on."""
    author = "Author" if len(authors.names) == 1 else "Authors"
    read = f"{author} {authors.description}, from “{authors.words}” in your question"
    unread = f"All authors; your question says “{authors.words}”"
    helps = "Search papers by any author", f"Search only papers by {authors.description}"
    _chip("authors-of-the-question", (read, unread), helps, is_on, on_change)


def person_chip(person: Person, is_on: bool, on_change: Callable[[bool], None]) -> None:
    """Draw the reading of the question as a person's name; a click turns it off or on."""
    read = f"Papers by {person.description} first, then papers that mention the name"
    unread = f"Best matches first; “{person.description}” may be a person"
    helps = "List the best matches first", f"List papers by {person.description} first"
    _chip("person-of-the-question", (read, unread), helps, is_on, on_change)


def exclusion_chip(exclusions: Exclusions, is_on: bool, on_change: Callable[[bool], None]) -> None:
    """Draw the filter for words that the question excludes; a click turns it off or on."""
    excluded_words = ", ".join(exclusions.excluded_words)
    read = f"Without “{excluded_words}”, from “{exclusions.words}” in your question"
    unread = f"With all words; your question says “{exclusions.words}”"
    helps = "Search all papers", f"Leave out papers with “{excluded_words}”"
    _chip("exclusions-of-the-question", (read, unread), helps, is_on, on_change)


def earliest_chip(is_on: bool, on_change: Callable[[bool], None]) -> None:
    """Draw the order by time of a question that asks who was first; a click turns it off or on."""
    read = "Earliest papers that claim it first"
    unread = "Best matches first; your question asks who was first"
    helps = "List the best matches first", "List the earliest papers that claim it first"
    _chip("earliest-first", (read, unread), helps, is_on, on_change)


def _chip(
    key: str, labels: tuple[str, str], helps: tuple[str, str], is_on: bool, on_change: Callable[[bool], None]
) -> None:
    """Draw what was read from the question as a button that turns it off or on; `labels` and `helps` are those of a
    reading that is on, and of one that is off.
    """
    st.button(
        for_markdown(labels[0] if is_on else labels[1]),
        key=key,
        icon=":material/close:" if is_on else ":material/filter_alt:",
        help=for_markdown(helps[0] if is_on else helps[1]),
        on_click=on_change,
        args=(not is_on,),
    )


def routing_panel(
    route: Route,
    keywords: Sequence[Keyword],
    terms: Sequence[OverloadedTerm],
    on_use: Callable[[RoutingSuggestion], None],
) -> None:
    """Show the kind of question, why it was classified so, the names and terms in it, and the suggested settings."""
    with st.expander(f"About your question: {describe_kind(route)}", type="compact"):
        st.markdown(for_markdown(f"{describe_kind(route).capitalize()}: {route.reason}."))
        st.caption(for_markdown(f"Classified by {route.decided_by}."))
        for label, words in (("Names", entities(keywords)), ("Terms", jargon(keywords))):
            if words:
                st.markdown(for_markdown(f"{label}: {', '.join(words)}"))
        for term in terms:
            st.markdown(for_markdown(describe_meanings(term)))
        for place, suggestion in enumerate(route.suggestions):
            _suggestion(suggestion, place, on_use)


def describe_kind(route: Route) -> str:
    """Describe the kind of question in lower case: "multi-paper question, jargon, time-sensitive"."""
    kind = "not classified" if route.category is Category.UNCLASSIFIED else f"{route.category} question"
    return ", ".join((kind, *route.flags))


def describe_meanings(term: OverloadedTerm) -> str:
    """Describe the meanings of a term: "Metallicity has two meanings: in stars, ...; in galaxies, ..."."""
    meanings = "; ".join(f"{meaning.where}: {meaning.means}" for meaning in term.meanings)
    count = _COUNT_WORDS.get(len(term.meanings), str(len(term.meanings)))
    return f"“{term.term}” has {count} meanings here. {meanings[0].upper()}{meanings[1:]}"


def _suggestion(suggestion: RoutingSuggestion, place: int, on_use: Callable[[RoutingSuggestion], None]) -> None:
    words, button = st.columns([4, 1], vertical_alignment="center")
    kind = suggestion.row.kind
    advised_for = f"{kind} questions" if isinstance(kind, Category) else f"questions flagged {kind}"
    words.markdown(for_markdown(f"Advised for {advised_for}: {suggestion.description}"))
    if suggestion.row.generation is not None:
        words.caption(
            for_markdown(f"From Table 1 of arXiv:2408.01556, which has them answered by {suggestion.row.generation}.")
        )
    button.button(
        "Use these settings", key=f"use-settings-{place}", on_click=on_use, args=(suggestion,), width="stretch"
    )
    if suggestion.warning is not None:
        st.warning(suggestion.warning)


def follow_up_form(propose: Callable[[str], StandaloneQuestion | None], on_search: Callable[[str], None]) -> None:
    """Draw a box for a follow-up, then the standalone question, which can be edited; a click searches for it.

    `propose` is called with the follow-up that the reader sent, on each run of the page until it returns a question;
    `on_search` is called with the question that the reader accepts.
    """
    with st.form("follow-up-form", border=False):
        text = st.text_input("Ask a follow-up", key=_FIELD, placeholder=profile().page.follow_up)
        is_sent = st.form_submit_button("Continue")
    if is_sent and text.strip():
        st.session_state[_PENDING] = text
    if _PENDING in st.session_state and (standing := propose(st.session_state[_PENDING])) is not None:
        del st.session_state[_PENDING]
        st.session_state[_STANDING], st.session_state[_RAN] = standing.text, standing.ran
        st.session_state[_CALLS] = standing.calls
    if _RAN not in st.session_state:
        return
    agreed = st.text_input("Question to search for", st.session_state[_STANDING], key=_STANDING)
    st.caption(for_markdown(f"follow-up: {st.session_state[_RAN]}"))
    costs.panel(st.session_state[_CALLS], "follow-up-calls")
    st.button("Search this", key="follow-up-search", disabled=not agreed.strip(), on_click=_agree, args=(on_search,))


def _agree(on_search: Callable[[str], None]) -> None:
    agreed = st.session_state[_STANDING].strip()
    del st.session_state[_RAN]
    st.session_state[_FIELD] = ""
    on_search(agreed)
