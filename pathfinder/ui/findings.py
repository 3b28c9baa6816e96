"""What a search did with the question before it found papers: other names, parts, imagined abstracts, rounds."""

import streamlit as st

from pathfinder.export.latex import for_markdown
from pathfinder.types import Expansion, Round, SearchResult


def panel(result: SearchResult) -> None:
    """A line or a lid for each of them; nothing where none ran."""
    for expansion in result.expansions:
        st.caption(for_markdown(expansion_in_words(expansion)))
    if result.sub_questions:
        st.markdown("Searched in parts:\n" + "\n".join(f"1. {for_markdown(part)}" for part in result.sub_questions))
    if result.hypothetical:
        with st.expander("Imagined abstracts: looked for, never cited"):
            for text in result.hypothetical:
                st.markdown(for_markdown(text))
    if len(result.rounds) > 1:
        with st.expander(rounds_in_words(result.rounds)):
            _curve(result.rounds)


def expansion_in_words(expansion: Expansion) -> str:
    """What was looked up with a term, and who says so."""
    return f"Looked up with “{expansion.term}”: {', '.join(expansion.names)} (from {expansion.source})"


def rounds_in_words(rounds: tuple[Round, ...]) -> str:
    """Whether another round would have paid; the first search is no round."""
    found = " → ".join(str(entry.n_relevant) for entry in rounds)
    refined = len(rounds) - 1
    return f"{'1 round' if refined == 1 else f'{refined} rounds'} of refined questions: {found} papers near yours"


def _curve(rounds: tuple[Round, ...]) -> None:
    found = [entry.n_relevant for entry in rounds]
    columns = {"round": list(range(len(rounds))), "papers near your question": found}
    st.line_chart(columns, x="round", y="papers near your question", height=180)
    st.caption("Near: at least as near to your question as the last paper that the first search listed.")
    for place, entry in enumerate(rounds):
        questions = "\n".join(f"- {for_markdown(question)}" for question in entry.questions)
        st.markdown(f"Round {place}, {entry.n_new} new papers\n{questions}")
