"""Guesses of the papers' stances on a statement written by the reader: made without a chat model, and never counted
towards a consensus.
"""

from collections.abc import Callable, Sequence

import streamlit as st

from pathfinder.assessment.consensus.local.scorer import Guess
from pathfinder.errors import UsageError
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import SearchResult, StanceLabel
from pathfinder.ui.consensus.stance_lines import HEADINGS, short_link
from pathfinder.ui.shared import resources

GUESS_NOTE = (
    "Guessed by simple rules fitted to biomedical claims. There, it is right for two papers in three, but for fewer "
    "than half of those that it counts against the claim. It has not been tested on papers like "
    "these, and no consensus level is derived from it."
)


def panel(result: SearchResult, guess: Callable[[str], Sequence[Guess]]) -> None:
    """Guess the stance of each hit, best first, on a statement written by the reader; no consensus level is derived."""
    statement = st.text_input(
        "Guess what each paper says about a statement",
        placeholder="Write a statement that a paper can support or refute",
        max_chars=500,
        key="consensus-statement",
    )
    if not statement.strip():
        return
    try:
        guesses = guess(statement)
    except UsageError as error:
        st.caption(for_markdown(str(error)))
        return
    st.caption(GUESS_NOTE)
    places = {hit.paper.paper_id: rank for rank, hit in enumerate(result.hits, start=1)}
    for label, heading in HEADINGS.items():
        of_label = [entry for entry in guesses if entry.label is label]
        if of_label:
            st.markdown(f"**{heading}?** · {len(of_label)}")
            st.markdown("\n".join(_guess_line(entry, places) for entry in of_label))


def _guess_line(guess: Guess, places: dict[str, int]) -> str:
    title = f"[{for_markdown(guess.paper.title)}]({resources.paper_url(guess.paper)})"
    sentence = "" if guess.label is StanceLabel.IRRELEVANT else f"  \n  “{for_markdown(guess.sentence)}”"
    return f"- {short_link(guess.paper, places)} {title}{sentence}"
