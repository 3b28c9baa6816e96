"""What one reader's tab remembers between reruns; nothing here is shared between readers."""

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.types import Exchange, Region, SearchResult, Weighting
from pathfinder.ui.address import from_parameters, to_parameters
from pathfinder.ui.form import Answering, Form

Value = TypeVar("Value")

_FORM, _VIEW, _NOTES, _SEARCHED, _HISTORY = "form", "view", "link_notes", "searched", "history"

MAX_HISTORY = 20
"""Questions of a tab that a follow-up may go back to."""


@dataclass(frozen=True, slots=True)
class Given:
    """What an answer was given from."""

    order: tuple[str, ...]
    """The papers, in the order that its numbers go by."""
    answering: Answering
    model: str | None
    """The chat model that was there to ask."""


@dataclass(frozen=True, slots=True)
class View:
    """The result on screen, where its papers stood before, and the conversation that led to it."""

    form: Form
    result: SearchResult
    places_before: dict[str, int]
    """Rank of each paper in the order that was on screen before; empty after a new search."""
    earlier: tuple[Exchange, ...] = ()
    """What was asked and answered before, where this question follows it up."""
    given: Given | None = None
    """What its answer was given from, once one was asked for."""

    @property
    def order(self) -> tuple[str, ...]:
        """The ids of its papers, best first."""
        return tuple(hit.paper.paper_id for hit in self.result.hits)


def form() -> Form:
    """The settings as they stand: out of the address on the first run of a tab, remembered later."""
    if _FORM not in st.session_state:
        opened, notes = from_parameters(st.query_params.to_dict())
        st.session_state[_FORM], st.session_state[_NOTES] = opened, notes
    remembered: Form = st.session_state[_FORM]
    return remembered


def keep(changed: Form) -> tuple[str, ...]:
    """Remember the settings and put them into the address; notes say what does not fit there."""
    st.session_state[_FORM] = changed
    parameters, note = to_parameters(changed)
    if st.query_params.to_dict() != parameters:
        st.query_params.from_dict(parameters)
    return () if note is None else (note,)


def change(**fields: Any) -> None:
    """Change what no widget holds: called back by a button, before the page is drawn again."""
    st.session_state[_FORM] = replace(st.session_state[_FORM], **fields)


def search_within(region: Region) -> None:
    """Have the Ask page search in `region` alone: called by another page, before it goes there."""
    st.session_state[_FORM] = replace(st.session_state.get(_FORM, Form()), region=region)


def ask_anew(question: str) -> None:
    """Have the Ask page ask `question`, as a link to it would: called by another page, before it goes there."""
    st.session_state[_FORM] = Form(question=question)


def drop(keywords: tuple[str, ...]) -> None:
    """Leave these keywords of the question out of the next search."""
    change(dropped_keywords=keywords)


def history() -> tuple[str, ...]:
    """The questions that were searched in this tab, the latest last."""
    asked: tuple[str, ...] = st.session_state.get(_HISTORY, ())
    return asked


def link_notes() -> tuple[str, ...]:
    """What was ignored in the link that this tab was opened with."""
    notes: tuple[str, ...] = st.session_state.get(_NOTES, ())
    return notes


def view() -> View | None:
    """What is on screen; `None` before the first question."""
    shown: View | None = st.session_state.get(_VIEW)
    return shown


def show(shown: View) -> View:
    """Put `shown` on screen."""
    st.session_state[_VIEW] = shown
    if history()[-1:] != (shown.form.question,):
        st.session_state[_HISTORY] = (*history(), shown.form.question)[-MAX_HISTORY:]
    return shown


def searched(sides: tuple[Form, ...], pf: Pathfinder) -> tuple[SearchResult, ...]:
    """A result for each of `sides`; what is searched is remembered, so that other weights ask no model."""
    known: dict[Form, SearchResult] = st.session_state.get(_SEARCHED, {})
    questions = [replace(side, weighting=Weighting()) for side in sides]
    # Only these: a tab that compares all day must not hold all that it has seen.
    found = {question: known.get(question) or pf.search(question.request()) for question in questions}
    st.session_state[_SEARCHED] = found
    return tuple(pf.reweigh(found[question], side.weighting) for question, side in zip(questions, sides, strict=True))


def standing(key: str, first: Value) -> Value:
    """The value that a widget begins with: its own, or at `first` what the link or the session before has.

    Every widget is drawn with it as its default. What is put into the session instead reaches the browser in the one
    run that puts it there: where the next run overtakes that one, the browser never sees it, and answers with nothing.
    """
    value: Value = st.session_state.get(key, first)
    return value
