"""A reader's choices on the Hypotheses page, which stay in the address, and the hypotheses found."""

from collections.abc import Generator
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from pathfinder.session import Pathfinder
from pathfinder.types import CorpusName, Hypotheses, Hypothesis, SearchRequest
from pathfinder.ui.jobs import tasks
from pathfinder.ui.jobs.jobs import Job, once
from pathfinder.ui.shared.visit_corpus import link_parameters

TASK, WRITING = "hypotheses", "hypothesis-statement"
_ORDER, _STATEMENTS, _WRITING = "hypotheses-requested", "hypotheses-written", "hypotheses-writing"
SIZES = (10, 20, 50, 100)

HypothesesJob = Job[str, Hypotheses]


class HypothesesOrder(NamedTuple):
    """A reader's request for hypotheses."""

    corpus: CorpusName
    question: str
    """Question that the hypotheses are about; empty for none."""
    paper_ids: tuple[str, ...]
    """Papers that the hypotheses are about; empty for none."""
    n: int


def from_link() -> tuple[str, int] | None:
    """Return the question and the number in the address; `None` if it asks for no hypotheses."""
    n = st.query_params.get("n", "")
    if not n.isdecimal() or int(n) not in SIZES:
        return None
    return st.query_params.get("q", ""), int(n)


def write_link(order: HypothesesOrder | None) -> None:
    """Write the request into the address; papers on a shelf are left out."""
    order_texts = {} if order is None or order.paper_ids else {"q": order.question, "n": str(order.n)}
    parameters = {**{name: text for name, text in order_texts.items() if text}, **link_parameters()}
    if st.query_params.to_dict() != parameters:
        st.query_params.from_dict(parameters)


def last_order() -> HypothesesOrder | None:
    """Return the reader's request; `None` if there is none."""
    order: HypothesesOrder | None = st.session_state.get(_ORDER)
    return order


def request(order: HypothesesOrder) -> None:
    """Request hypotheses, and forget earlier ones."""
    tasks.forget(TASK, WRITING)
    st.session_state[_ORDER] = order
    st.session_state[_STATEMENTS] = {}
    st.session_state.pop(_WRITING, None)


def job_of(pf: Pathfinder, order: HypothesesOrder) -> HypothesesJob:
    """Return the job that finds the requested hypotheses."""
    return tasks.task(TASK, lambda: _find(pf, order))


def _find(pf: Pathfinder, order: HypothesesOrder) -> Generator[str, None, Hypotheses]:
    about = None
    if order.question:
        yield "searching"
        about = pf.search(SearchRequest(order.question))
    return (yield from pf.stream_hypotheses(about, paper_ids=order.paper_ids, n=order.n))


def with_statements(hypotheses: Hypotheses) -> Hypotheses:
    """Replace the template's statements with those that a chat model has written."""
    statements: dict[tuple[str, str], Hypothesis] = st.session_state.get(_STATEMENTS, {})
    return replace(hypotheses, hypotheses=tuple(statements.get(each.concepts, each) for each in hypotheses.hypotheses))


def write_statement(pf: Pathfinder, hypothesis: Hypothesis) -> None:
    """Let the chat model write a statement in the background."""
    tasks.forget(WRITING)
    st.session_state[_WRITING] = hypothesis.concepts
    tasks.task(WRITING, lambda: once(lambda: pf.write_hypothesis(hypothesis)))


def being_written() -> tuple[str, str] | None:
    """Return the concepts of the hypothesis whose statement is being written; `None` if there is none."""
    concepts: tuple[str, str] | None = st.session_state.get(_WRITING)
    return concepts


def keep_statement(hypothesis: Hypothesis) -> None:
    """Store a statement that the chat model has written."""
    st.session_state.setdefault(_STATEMENTS, {})[hypothesis.concepts] = hypothesis
    stop_writing()


def stop_writing() -> None:
    """Stop the job that writes a statement, or forget that it has ended."""
    tasks.forget(WRITING)
    st.session_state.pop(_WRITING, None)
