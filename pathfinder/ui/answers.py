"""The answer: streamed as it comes, then sentence by sentence with links to its papers."""

import re
from collections.abc import Generator

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown
from pathfinder.types import Answer, Claim, Step
from pathfinder.ui import state
from pathfinder.ui.badges import badges
from pathfinder.ui.state import View

MARK = re.compile(r"\\\[[\d,\\ ?–-]+\\\]")
"""A citation mark as `for_markdown` leaves it, its signs escaped."""

NUMBER = re.compile(r"\d+(?!\d|\\?\?)")
"""A number in a mark, unless a question mark says that it was invented."""


def panel(pf: Pathfinder, view: View) -> None:
    """Answer once for each search; a toggle re-orders the papers and leaves the words as they are."""
    st.subheader("Answer", anchor="answer")
    order = tuple(hit.paper.paper_id for hit in view.result.hits)
    answer, answered_from = view.answer, view.answered_from
    if answer is None:
        answer = _streamed(pf.stream_answer(view.result))
        answered_from = order
        state.keep_answer(answer)
    is_stale = _is_stale(answer, answered_from, order)
    ranks = {paper_id: rank for rank, paper_id in enumerate(order, start=1)}
    st.markdown(_renumbered(answer, ranks) if is_stale else _linked(answer.text, len(order)))
    badges(answer.stages)
    for note in answer.notes:
        st.warning(for_markdown(note))
    if is_stale:
        st.caption("The answer was given for the order before; its numbers follow the papers to their new places.")
        st.button("Answer again from these papers", on_click=state.forget_answer)


def _streamed(pieces: Generator[str | Step, None, Answer]) -> Answer:
    """Show the text as it comes, as text, and return the checked answer."""
    place, text = st.empty(), ""
    while True:
        try:
            piece = next(pieces)
        except StopIteration as stop:
            place.empty()
            answer: Answer = stop.value
            return answer
        text += piece if isinstance(piece, str) else ""
        place.markdown(for_markdown(text) + " ▌")


def _linked(text: str, n_hits: int) -> str:
    """The answer as it was given, its marks leading to their papers; a mark of no paper stays as it is."""

    def link(number: re.Match[str]) -> str:
        rank = int(number[0])
        return f"[{rank}](#paper-{rank})" if 1 <= rank <= n_hits else number[0]

    return MARK.sub(lambda mark: NUMBER.sub(link, mark[0]), for_markdown(text))


def _renumbered(answer: Answer, ranks: dict[str, int]) -> str:
    """The sentences with the places that their papers have now."""
    if not answer.claims:
        return for_markdown(answer.text)
    return " ".join(_sentence(claim, ranks) for claim in answer.claims)


def _sentence(claim: Claim, ranks: dict[str, int]) -> str:
    marks = "".join(
        f" \\[[{ranks[paper_id]}](#paper-{ranks[paper_id]})\\]"
        if paper_id in ranks
        else f" \\[{for_markdown(paper_id)}, no longer listed\\]"
        for paper_id in claim.citations
    )
    return for_markdown(claim.text) + marks


def _is_stale(answer: Answer, answered_from: tuple[str, ...], order: tuple[str, ...]) -> bool:
    """Whether a paper that is cited has another place now than when the answer was given."""
    cited = {paper_id for claim in answer.claims for paper_id in claim.citations}
    return any(_place(paper_id, answered_from) != _place(paper_id, order) for paper_id in cited)


def _place(paper_id: str, order: tuple[str, ...]) -> int | None:
    return order.index(paper_id) if paper_id in order else None
