"""What one reader's tab remembers between reruns; nothing here is shared between readers."""

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.retrieval.routing.route import Route
from pathfinder.types import Answer, SearchResult, Weighting
from pathfinder.ui.address import Form, from_parameters, to_parameters

_FORM, _VIEW, _NOTES, _SEARCHED, _HISTORY = "form", "view", "link_notes", "searched", "history"

MAX_HISTORY = 20
"""Questions of a tab that a follow-up may go back to."""


@dataclass(frozen=True, slots=True)
class View:
    """The result on screen, where its papers stood before, and the answer that was given."""

    form: Form
    result: SearchResult
    places_before: dict[str, int]
    """Rank of each paper in the order that was on screen before; empty after a new search."""
    answer: Answer | None = None
    answered_from: tuple[str, ...] = ()
    """The papers in the order that the answer's numbers go by."""
    route: Route | None = None
    """The kind of the question, once it was told."""


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


def view(asked: Form, pf: Pathfinder) -> View:
    """The result for `asked`: the one on screen, the same candidates weighed anew, or a new search."""
    before: View | None = st.session_state.get(_VIEW)
    if before is not None and before.form == asked:
        return before
    if before is not None and before.form == replace(asked, weighting=before.form.weighting):
        places = {hit.paper.paper_id: rank for rank, hit in enumerate(before.result.hits, start=1)}
        result = pf.reweigh(before.result, asked.weighting)
        shown = replace(before, form=asked, result=result, places_before=places)
    else:
        shown = View(asked, pf.search(asked.request()), {})
        if history()[-1:] != (asked.question,):
            st.session_state[_HISTORY] = (*history(), asked.question)[-MAX_HISTORY:]
    st.session_state[_VIEW] = shown
    return shown


def searched(sides: tuple[Form, ...], pf: Pathfinder) -> tuple[SearchResult, ...]:
    """A result for each of `sides`; what is searched is remembered, so that other weights ask no model."""
    known: dict[Form, SearchResult] = st.session_state.get(_SEARCHED, {})
    questions = [replace(side, weighting=Weighting()) for side in sides]
    # Only these: a tab that compares all day must not hold all that it has seen.
    found = {question: known.get(question) or pf.search(question.request()) for question in questions}
    st.session_state[_SEARCHED] = found
    return tuple(pf.reweigh(found[question], side.weighting) for question, side in zip(questions, sides, strict=True))


def keep_answer(answer: Answer) -> None:
    """Remember the answer beside the result that it was given for."""
    shown: View = st.session_state[_VIEW]
    order = tuple(hit.paper.paper_id for hit in shown.result.hits)
    st.session_state[_VIEW] = replace(shown, answer=answer, answered_from=order)


def keep_route(route: Route) -> None:
    """Remember the kind of the question beside its result."""
    st.session_state[_VIEW] = replace(st.session_state[_VIEW], route=route)


def forget_answer() -> None:
    """Drop the answer, so that it is given again from the papers on screen."""
    st.session_state[_VIEW] = replace(st.session_state[_VIEW], answer=None)


def seed(key: str, value: object) -> None:
    """Give a widget its first value, as the link or the session before has it."""
    if key not in st.session_state and value is not None:
        st.session_state[key] = value
