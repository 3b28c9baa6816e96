"""How a question is answered, as the reader sets it: the way, the kind of answer, and what it may take."""

from typing import TypeVar

import streamlit as st

from pathfinder.types import Generation, Specialisation
from pathfinder.ui.address import MAX_SECONDS, MAX_STEPS, MAX_TOKENS
from pathfinder.ui.form import Answering
from pathfinder.ui.state import standing

Choice = TypeVar("Choice")

LABELS = {
    Generation.RAG: "Written from the papers found",
    Generation.AGENT: "Agent: searches as it goes",
    Generation.DEEP_RESEARCH: "Deep research: part by part",
    Generation.SELF_FEEDBACK: "Self-feedback: draft, critique, revision",
    Generation.EXTRACTIVE: "Sentences of the papers, verbatim",
}
STEPPING = (Generation.AGENT, Generation.DEEP_RESEARCH, Generation.SELF_FEEDBACK)
"""Ways that go step by step, until there is an answer or the budget is spent."""
KIND_LABELS = {
    None: "as the question needs it",
    Specialisation.SINGLE_PAPER: "one fact with its source",
    Specialisation.MULTI_PAPER: "what several papers say",
    Specialisation.BIBLIOMETRIC: "a query for ADS",
    Specialisation.BROAD: "broad but nuanced",
}


def read(answering: Answering, has_chat: bool) -> Answering:
    """What the reader has set; `has_chat` says whether a chat model is there to ask."""
    with st.expander("How it answers"):
        if not has_chat:
            st.caption("No chat model is set: answers are sentences of the papers, verbatim.")
        generation = _choice("generation", "Way", LABELS, answering.generation)
        specialisation = _choice("specialisation", "Answer", KIND_LABELS, answering.specialisation)
        second_judge = _switch(
            "second_judge", "Second judge", "The chat model judges the evidence, too.", answering.second_judge
        )
        from_memory = _switch(
            "from_memory",
            "From memory, if no paper answers",
            "Marked sentence by sentence, and without citations.",
            answering.from_memory,
        )
        steps, seconds = answering.steps, answering.seconds
        with st.container():
            if generation in STEPPING:
                steps = _number("steps", "Steps at most", 1, MAX_STEPS, steps)
                seconds = _number("seconds", "Seconds at most", 10, MAX_SECONDS, seconds, 10)
            tokens = _number("tokens", "Tokens at most", 1000, MAX_TOKENS, answering.tokens, 1000)
    return Answering(generation, specialisation, steps, seconds, tokens, second_judge, from_memory)


def _choice(key: str, label: str, labels: dict[Choice, str], chosen: Choice) -> Choice:
    choices = list(labels)
    index = choices.index(standing(key, chosen))
    return st.selectbox(label, choices, index, key=key, format_func=labels.__getitem__)


def _switch(key: str, label: str, help_line: str, is_on: bool) -> bool:
    return st.toggle(label, standing(key, is_on), key=key, help=help_line)


def _number(key: str, label: str, low: int, high: int, number: int, step: int = 1) -> int:
    return st.number_input(label, min(low, number), high, standing(key, number), key=key, step=step)
