"""The answer: streamed as it comes, then sentence by sentence with links to its papers."""

from collections.abc import Generator

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown
from pathfinder.types import Answer, Claim, SearchResult
from pathfinder.ui import state
from pathfinder.ui.badges import badges
from pathfinder.ui.state import View


def panel(pf: Pathfinder, view: View) -> None:
    """Answer once for each search; a toggle re-orders the papers and leaves the words as they are."""
    st.subheader("Answer", anchor="answer")
    answer = view.answer
    if answer is None:
        answer = _streamed(pf.stream_answer(view.result))
        state.keep_answer(answer)
    ranks = {hit.paper.paper_id: rank for rank, hit in enumerate(view.result.hits, start=1)}
    st.markdown(_in_markdown(answer, ranks))
    badges(answer.stages)
    for note in answer.notes:
        st.warning(for_markdown(note))
    if _is_stale(answer, view.result):
        st.caption("The answer was given for the order before; its numbers follow the papers to their new places.")
        st.button("Answer again from these papers", on_click=state.forget_answer)


def _streamed(pieces: Generator[str, None, Answer]) -> Answer:
    """Show the text as it comes, as text, and return the checked answer."""
    place, text = st.empty(), ""
    while True:
        try:
            text += next(pieces)
        except StopIteration as stop:
            place.empty()
            answer: Answer = stop.value
            return answer
        place.markdown(for_markdown(text) + " ▌")


def _in_markdown(answer: Answer, ranks: dict[str, int]) -> str:
    if not answer.claims:
        return for_markdown(answer.text)
    return " ".join(_sentence(claim, ranks) for claim in answer.claims)


def _sentence(claim: Claim, ranks: dict[str, int]) -> str:
    marks = "".join(
        f" [\\[{ranks[paper_id]}\\]](#paper-{ranks[paper_id]})"
        if paper_id in ranks
        else f" \\[{for_markdown(paper_id)}, no longer listed\\]"
        for paper_id in claim.citations
    )
    return for_markdown(claim.text) + marks


def _is_stale(answer: Answer, result: SearchResult) -> bool:
    cited = [paper_id for claim in answer.claims for paper_id in claim.citations]
    numbers = {hit.paper.paper_id: f"[{rank}]" for rank, hit in enumerate(result.hits, start=1)}
    return any(numbers.get(paper_id, "?") not in answer.text for paper_id in cited)
