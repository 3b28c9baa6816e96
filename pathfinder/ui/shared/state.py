"""State of one reader's tab between reruns; none of it is shared between readers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import streamlit as st

from pathfinder.answering.settings import AnswerSettings
from pathfinder.facade import Pathfinder
from pathfinder.types import Exchange, SearchRequest, SearchResult, Specialisation, Weighting
from pathfinder.ui.shared.address import Form, from_parameters, to_parameters
from pathfinder.ui.shared.visit_corpus import PARAMETERS, write_link

Value = TypeVar("Value")

_FORM, _VIEW, _NOTES, _LAST_SIDES, _HISTORY = "form", "view", "link_notes", "searched", "history"
_ASKED, _BEFORE = "question", "order-before"
BEFORE_LINK = "before"
"""Parameter of a link that names a paper of the list before its last change."""
ALL_VALUES = "all-values"
"""Parameter of a link to an answer whose plot shows all values, and key of what makes it show them."""

MAX_HISTORY = 20
"""Maximum number of earlier questions that a follow-up may refer to."""


@dataclass(frozen=True, slots=True)
class AnswerInputs:
    """Inputs to an answer: papers, settings and chat model."""

    order: tuple[str, ...]
    """Ids of the papers, in order of their citation numbers."""
    answering: AnswerSettings
    model: str | None
    """Name of the chat model in use, if any."""
    request: SearchRequest
    """Search that ranked the papers in this order."""
    style: Specialisation | None
    """Style of the answer, which the page chooses to suit the question if the reader has chosen none."""


def form() -> Form:
    """Return the current settings: from the address in the first run of a tab, and from memory afterwards."""
    if _FORM not in st.session_state:
        st.session_state[_FORM] = read_form(st.query_params.to_dict())
    own_form: Form = st.session_state[_FORM]
    return own_form


def read_form(parameters: Mapping[str, str]) -> Form:
    """Return the settings in the parameters of a link; what is ignored of it is noted (`link_notes`)."""
    form, st.session_state[_NOTES] = from_parameters({n: t for n, t in parameters.items() if n not in PARAMETERS})
    return form


@dataclass(frozen=True, slots=True)
class ResultView:
    """Result on screen, the previous ranks of its papers, and the conversation that led to it."""

    form: Form
    result: SearchResult
    places_before: dict[str, int]
    """Rank of each paper in the previous order; empty for a new question."""
    earlier: tuple[Exchange, ...] = ()
    """Earlier questions and answers, if this question is a follow-up to them."""
    answer_inputs: AnswerInputs | None = None
    """Inputs to the answer, once one has been requested."""

    @property
    def order(self) -> tuple[str, ...]:
        """Ids of the papers, best first."""
        return tuple(hit.paper.paper_id for hit in self.result.hits)


def keep(form: Form, beside: Mapping[str, str | list[str]]) -> tuple[str, ...]:
    """Store the settings and write them to the address, with parameters `beside` them; return notes about settings that
    do not fit into it.

    Each address is a step that Back undoes. So the same question with other settings, which change the parameters
    beside them too, is written only once it is on screen.
    """
    on_screen = view()
    is_changing = on_screen is not None and on_screen.form.question == form.question and on_screen.form != form
    st.session_state[_FORM] = form
    st.session_state.pop(_ASKED, None)
    parameters, note = to_parameters(form)
    if not is_changing:
        write_link({**parameters, **beside})
    return () if note is None else (note,)


def keep_form(form: Form) -> None:
    """Make `form` the settings of the page; for a button, before the next run, or another page that opens Ask."""
    st.session_state[_FORM] = form


def ask(question: str) -> None:
    """Make Ask search for `question` with the settings that are chosen; empty for none."""
    st.session_state[_ASKED] = question


def asked() -> str:
    """Return the question that Ask searches for next; empty for none."""
    return str(st.session_state.get(_ASKED, form().question))


def is_asked_elsewhere() -> bool:
    """Return whether a question was sent that Ask has not searched for yet."""
    return _ASKED in st.session_state


def change(**settings: Any) -> None:
    """Change settings of the search that have no widget; for use by a button, before the page is drawn again, or by
    another page, before it opens Ask.
    """
    st.session_state[_FORM] = st.session_state.get(_FORM, Form()).with_search(**settings)


def ask_within(paper_ids: tuple[str, ...]) -> None:
    """Make the Ask page wait for a question about these papers alone; another page calls this before it opens it."""
    form = st.session_state.get(_FORM, Form())
    st.session_state[_FORM] = replace(form, question="").with_search(within=paper_ids)


def history() -> tuple[str, ...]:
    """Return the questions searched in this tab, the most recent last."""
    questions: tuple[str, ...] = st.session_state.get(_HISTORY, ())
    return questions


def link_notes() -> tuple[str, ...]:
    """Return notes about the parts that were ignored in the link that opened this tab."""
    notes: tuple[str, ...] = st.session_state.get(_NOTES, ())
    return notes


def view() -> ResultView | None:
    """Return the view on screen; `None` before the first question."""
    on_screen: ResultView | None = st.session_state.get(_VIEW)
    return on_screen


def is_found() -> bool:
    """Return whether the question is the one on screen, so that the next run draws what was found before."""
    on_screen = view()
    return on_screen is not None and asked() == on_screen.form.question


def show(on_screen: ResultView) -> ResultView:
    """Make `on_screen` the view on screen, and add its question to the history."""
    st.session_state[_VIEW] = on_screen
    if history()[-1:] != (on_screen.form.question,):
        st.session_state[_HISTORY] = (*history(), on_screen.form.question)[-MAX_HISTORY:]
    return on_screen


def order_before() -> tuple[str, ...] | None:
    """Return the ids of the papers before the last change of the list, best first, as a link says that was not searched
    for yet; empty if it names none, and `None` if no link waits.
    """
    ids: tuple[str, ...] | None = st.session_state.get(_BEFORE, tuple(st.query_params.get_all(BEFORE_LINK)))
    return ids


def set_order_before(ids: Sequence[str] | None) -> None:
    """Take what a link says of it; `None` once it is on screen."""
    st.session_state[_BEFORE] = None if ids is None else tuple(ids)


def search_sides(sides: tuple[Form, ...], pf: Pathfinder) -> tuple[SearchResult, ...]:
    """Return a result for each of `sides`; earlier results are kept, so that a change of weights calls no model."""
    version = pf.corpus.name.version
    before: dict[Form, SearchResult] = st.session_state.get(_LAST_SIDES, {})
    same_corpus = {form: result for form, result in before.items() if result.corpus.version == version}
    questions = [side.with_search(weighting=Weighting()) for side in sides]
    # Keep only these results, so that a tab used all day does not accumulate them.
    results = {question: same_corpus.get(question) or pf.search(question.request()) for question in questions}
    st.session_state[_LAST_SIDES] = results
    return tuple(pf.reweigh(results[question], side.weighting) for question, side in zip(questions, sides, strict=True))


def kept(place: str, key: object, make: Callable[[], Value]) -> Value:
    """Return what `make` has returned for this `key` in this tab; it is called again only if the key is another one."""
    if st.session_state.get(place, (None, None))[0] != key:
        st.session_state[place] = key, make()
    value: Value = st.session_state[place][1]
    return value


def standing(key: str, first: Value) -> Value:
    """Return the initial value of a widget: the value it already has, or else `first`, the value from the link or the
    session.

    Every widget is drawn with this as its default. A value put into the session state instead reaches the browser only
    in the run that puts it there: if the next run overtakes that one, the browser never sees it and sends back an empty
    value.
    """
    value: Value = st.session_state.get(key, first)
    return value


def shows_all_values() -> bool:
    """Return whether the plot of an answer shows all values, and not only those of the last decades."""
    return bool(standing(ALL_VALUES, ALL_VALUES in st.query_params))


def values_link() -> dict[str, str]:
    """Return what a link says of the plot of an answer; empty for the last decades."""
    return {ALL_VALUES: "1" if shows_all_values() else ""}
