"""The kind of question, its terms, and suggested settings; no setting is applied until the reader clicks on it."""

from collections.abc import Callable, Sequence

import streamlit as st

from pathfinder.profile import OverloadedTerm
from pathfinder.retrieval.authors.in_questions import AuthorsNamed
from pathfinder.retrieval.routing.categories import Category
from pathfinder.retrieval.routing.follow_up import StandaloneQuestion
from pathfinder.retrieval.routing.jargon import entities, jargon
from pathfinder.retrieval.routing.route import Route
from pathfinder.retrieval.routing.suggestions import RoutingSuggestion
from pathfinder.retrieval.wording.reading import Reading
from pathfinder.retrieval.years.in_questions import YearsNamed
from pathfinder.text.latex.display import for_markdown
from pathfinder.text.quantities.number_words import SMALL_NUMBERS
from pathfinder.types import Keyword
from pathfinder.ui.answer import costs
from pathfinder.ui.shared.resources import profile

_FIELD, _PENDING, _STANDING, _RAN = "follow-up", "follow-up-pending", "follow-up-standing", "follow-up-ran"
_CALLS = "follow-up-told"
_COUNT_WORDS = dict(enumerate(SMALL_NUMBERS, start=1))


def wording_chip(reading: Reading, is_on: bool, on_change: Callable[[bool], None]) -> None:
    """Draw the words searched in place of the question's own; a click searches as it is written, or the reverse."""
    language = "" if reading.language is None else f", from {reading.language}"
    st.button(
        for_markdown(f"Searched for “{reading.text}”{language}" if is_on else f"Did you mean “{reading.text}”?"),
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
    label = f"Years {years.description}, from “{years.words}” in your question"
    st.button(
        for_markdown(label if is_on else f"All years; your question says “{years.words}”"),
        key="years-of-the-question",
        icon=":material/close:" if is_on else ":material/filter_alt:",
        help="Search all years" if is_on else f"Search only the years {years.description}",
        on_click=on_change,
        args=(not is_on,),
    )


def author_chip(authors: AuthorsNamed, is_on: bool, on_change: Callable[[bool], None]) -> None:
    """Draw the filter for the authors named in the question; a click turns it off or on."""
    author = "Author" if len(authors.names) == 1 else "Authors"
    label = f"{author} {authors.description}, from “{authors.words}” in your question"
    st.button(
        for_markdown(label if is_on else f"All authors; your question says “{authors.words}”"),
        key="authors-of-the-question",
        icon=":material/close:" if is_on else ":material/filter_alt:",
        help="Search papers by any author" if is_on else f"Search only papers by {authors.description}",
        on_click=on_change,
        args=(not is_on,),
    )


def panel(
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


def follow_up(propose: Callable[[str], StandaloneQuestion | None], on_search: Callable[[str], None]) -> None:
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
