"""What papers may say of a statement that the reader writes: guessed without a chat model, and counted nowhere."""

from collections.abc import Callable, Sequence

import streamlit as st

from pathfinder.assessment.consensus.local.scorer import Guess
from pathfinder.errors import UsageError
from pathfinder.export.latex import for_markdown
from pathfinder.export.links import paper_link
from pathfinder.types import SearchResult, StanceLabel
from pathfinder.ui.stance_lines import HEADINGS, short_link

GUESS_NOTE = (
    "A guess by rules of thumb that were fitted on biomedical claims, where it is right for two papers in three, "
    "but for fewer than one in two of those that it calls against it. It was not measured on papers such as these, and "
    "makes no level."
)


def panel(result: SearchResult, guess: Callable[[str], Sequence[Guess]]) -> None:
    """A guess at each hit, best first, for a statement that the reader writes; no level is made of it."""
    statement = st.text_input(
        "Guess what each paper says of a statement",
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
        said = [one for one in guesses if one.label is label]
        if said:
            st.markdown(f"**{heading}?** · {len(said)}")
            st.markdown("\n".join(_guess_line(one, places) for one in said))


def _guess_line(guess: Guess, places: dict[str, int]) -> str:
    title = f"[{for_markdown(guess.paper.title)}]({paper_link(guess.paper).url})"
    sentence = "" if guess.label is StanceLabel.IRRELEVANT else f"  \n  “{for_markdown(guess.sentence)}”"
    return f"- {short_link(guess.paper, places)} {title}{sentence}"
