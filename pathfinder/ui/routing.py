"""What kind of question is asked, what it speaks of, and the settings that go with it; nothing is applied unasked."""

from collections.abc import Callable, Sequence

import streamlit as st

from pathfinder.export.latex import for_markdown
from pathfinder.retrieval.routing.conversation import StandingQuestion
from pathfinder.retrieval.routing.jargon import Overloaded, entities, jargon
from pathfinder.retrieval.routing.kinds import Category
from pathfinder.retrieval.routing.route import Route
from pathfinder.retrieval.routing.table1 import Suggestion
from pathfinder.retrieval.years.named import YearsNamed
from pathfinder.types import Keyword
from pathfinder.ui import costs

_ASKED, _PENDING, _STANDING, _RAN = "follow-up", "follow-up-pending", "follow-up-standing", "follow-up-ran"
_CALLS = "follow-up-told"
_COUNT_WORDS = {2: "two", 3: "three", 4: "four"}


def year_chip(named: YearsNamed, is_on: bool, on_change: Callable[[bool], None]) -> None:
    """The filter that the question's own words made; a click takes it off, another puts it back."""
    label = f"Years {named.in_words}, from “{named.words}” in your question"
    st.button(
        for_markdown(label if is_on else f"All years; your question says “{named.words}”"),
        key="years-of-the-question",
        icon=":material/close:" if is_on else ":material/filter_alt:",
        help="Search all years" if is_on else f"Search the years {named.in_words} only",
        on_click=on_change,
        args=(not is_on,),
    )


def panel(
    route: Route, keywords: Sequence[Keyword], terms: Sequence[Overloaded], on_use: Callable[[Suggestion], None]
) -> None:
    """The kind of the question with its reason, its names and terms, and the settings that are advised."""
    with st.expander(f"About your question: {kind_in_words(route)}", type="compact"):
        st.markdown(for_markdown(f"{kind_in_words(route).capitalize()}: {route.reason}."))
        st.caption(for_markdown(f"Decided by {route.decided_by}."))
        for label, found in (("Names", entities(keywords)), ("Terms", jargon(keywords))):
            if found:
                st.markdown(for_markdown(f"{label}: {', '.join(found)}"))
        for term in terms:
            st.markdown(for_markdown(meanings_in_words(term)))
        for place, suggestion in enumerate(route.suggestions):
            _suggested(suggestion, place, on_use)


def kind_in_words(route: Route) -> str:
    """ "Multi-paper question, jargon, time-sensitive", in lower case."""
    kind = "not classified" if route.category is Category.UNCLASSIFIED else f"{route.category} question"
    return ", ".join((kind, *route.flags))


def meanings_in_words(term: Overloaded) -> str:
    """ "Metallicity has two meanings: in stars, ...; in galaxies, ..."."""
    meanings = "; ".join(f"{meaning.where}: {meaning.means}" for meaning in term.meanings)
    count = _COUNT_WORDS.get(len(term.meanings), str(len(term.meanings)))
    return f"“{term.term}” has {count} meanings here. {meanings[0].upper()}{meanings[1:]}"


def _suggested(suggestion: Suggestion, place: int, on_use: Callable[[Suggestion], None]) -> None:
    words, button = st.columns([4, 1], vertical_alignment="center")
    kind = suggestion.row.kind
    advised_for = f"{kind} questions" if isinstance(kind, Category) else f"questions flagged {kind}"
    words.markdown(for_markdown(f"Advised for {advised_for}: {suggestion.in_words}"))
    if suggestion.row.generation is not None:
        words.caption(
            for_markdown(f"From Table 1 of arXiv:2408.01556, which has them answered by {suggestion.row.generation}.")
        )
    button.button(
        "Use these settings", key=f"use-settings-{place}", on_click=on_use, args=(suggestion,), width="stretch"
    )
    if suggestion.warning is not None:
        st.warning(suggestion.warning)


def follow_up(propose: Callable[[str], StandingQuestion | None], on_search: Callable[[str], None]) -> None:
    """A box for a follow-up; the question that it becomes is shown, can be mended, and is searched on a click.

    `propose` is called with a follow-up that is sent, in each run of the page until it has one, and `on_search` with
    what the reader agreed to.
    """
    with st.form("follow-up-form", border=False):
        asked = st.text_input("Ask a follow-up", key=_ASKED, placeholder="and at higher redshift?")
        is_sent = st.form_submit_button("Go on")
    if is_sent and asked.strip():
        st.session_state[_PENDING] = asked
    if _PENDING in st.session_state and (standing := propose(st.session_state[_PENDING])) is not None:
        del st.session_state[_PENDING]
        st.session_state[_STANDING], st.session_state[_RAN] = standing.text, standing.ran
        st.session_state[_CALLS] = standing.calls
    if _RAN not in st.session_state:
        return
    agreed = st.text_input("What will be searched", st.session_state[_STANDING], key=_STANDING)
    st.caption(for_markdown(f"follow-up: {st.session_state[_RAN]}"))
    costs.panel(st.session_state[_CALLS], "follow-up-calls")
    st.button("Search this", key="follow-up-search", disabled=not agreed.strip(), on_click=_agree, args=(on_search,))


def _agree(on_search: Callable[[str], None]) -> None:
    agreed = st.session_state[_STANDING].strip()
    del st.session_state[_RAN]
    st.session_state[_ASKED] = ""
    on_search(agreed)
