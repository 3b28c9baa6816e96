"""Changes that a search made to the question before looking for papers: synonyms, sub-questions, hypothetical abstracts
and rounds.
"""

import streamlit as st

from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Expansion, Round, SearchResult


def panel(result: SearchResult) -> None:
    """Draw a line or an expander for each change to the question; draw nothing if there were none."""
    for expansion in result.expansions:
        st.caption(for_markdown(describe_expansion(expansion)))
    if result.sub_questions:
        st.markdown("Searched in parts:\n" + "\n".join(f"1. {for_markdown(part)}" for part in result.sub_questions))
    if result.hypothetical:
        with st.expander("Hypothetical abstracts (used in the search, never cited)"):
            for text in result.hypothetical:
                st.markdown(for_markdown(text))
    if len(result.rounds) > 1:
        with st.expander(describe_rounds(result.rounds)):
            _curve(result.rounds)


def describe_expansion(expansion: Expansion) -> str:
    """Describe the synonyms of a term and their source."""
    return f"Also searched for “{expansion.term}”: {', '.join(expansion.names)} (from {expansion.source})"


def describe_rounds(rounds: tuple[Round, ...]) -> str:
    """Describe the number of relevant papers after each round, which shows whether further rounds were worthwhile; the
    first search does not count as a round.
    """
    counts = " → ".join(str(entry.n_relevant) for entry in rounds)
    refined = len(rounds) - 1
    return (
        f"{'1 round' if refined == 1 else f'{refined} rounds'} of refined questions: {counts} papers close to your "
        f"question"
    )


def _curve(rounds: tuple[Round, ...]) -> None:
    counts = [entry.n_relevant for entry in rounds]
    columns = {"round": list(range(len(rounds))), "papers close to your question": counts}
    st.line_chart(columns, x="round", y="papers close to your question", height=180)
    st.caption("Close: at least as close to your question as the last paper listed by the first search.")
    for place, entry in enumerate(rounds):
        questions = "\n".join(f"- {for_markdown(question)}" for question in entry.questions)
        st.markdown(f"Round {place}, {entry.n_new} new papers\n{questions}")
