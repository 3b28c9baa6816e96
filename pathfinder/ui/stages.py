"""The stages of a search that a reader switches: what is looked for, where, and who reranks."""

from dataclasses import replace
from typing import TypeVar

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.export.latex import for_markdown
from pathfinder.types import LOCAL_RERANKER, MAX_DEPTH, MAX_HYPOTHETICAL, MAX_TOP_K, NO_RERANKER, Imagine
from pathfinder.ui.address import RERANKERS, join_names, split_names
from pathfinder.ui.form import Form
from pathfinder.ui.state import standing

RERANKER_LABELS = {
    NO_RERANKER: "none",
    LOCAL_RERANKER: "local: sentences and words",
    "cohere:rerank-v3.5": "Cohere rerank-v3.5",
    "cohere:rerank-english-v3.0": "Cohere rerank-english-v3.0",
}
Choice = TypeVar("Choice", bound=str)

IMAGINE_LABELS = {
    Imagine.OFF: "your question alone",
    Imagine.HYDE: "and imagined abstracts",
    Imagine.FEEDBACK: "and what its first hits say",
}


def read(form: Form, has_chat: bool) -> Form:
    """The form with every stage as the reader has set it; `has_chat` says whether a chat model is there to ask."""
    with st.expander("How it searches"):
        reranker = _choice("reranker", "Rerank with", RERANKERS, RERANKER_LABELS, form.reranker)
        imagine = _choice("imagine", "Look for", tuple(Imagine), IMAGINE_LABELS, form.imagine)
        n_hypothetical = form.n_hypothetical
        if imagine is Imagine.HYDE and not has_chat:
            st.caption("No chat model is set to imagine one: what the first hits say is looked for instead.")
        elif imagine is Imagine.HYDE:
            n_hypothetical = _number("n_hypothetical", "Imagined abstracts", 1, MAX_HYPOTHETICAL, n_hypothetical)
        passages = _switch("passages", "Passages too", "Looks up the parts of long abstracts too.", form.passages)
        titles = _switch("titles", "Titles too", "Looks up titles beside texts.", form.titles)
        expands = _switch("expands", "Other names too", "Adds the thesaurus's other names of your terms.", form.expands)
        own = _own_names(form)
        decomposes = _switch(
            "decomposes", "Part by part", "Takes a question of several parts apart, at most three.", form.decomposes
        )
        depth = _number("depth", "Rounds of refined questions", 0, MAX_DEPTH, form.depth)
        page_size = form.page_size
        if depth and decomposes:
            st.caption("In rounds, the question is not taken apart: set them to 0 to search part by part.")
        if depth:
            page_size = _number("page_size", "Papers read for each round", 1, MAX_TOP_K, page_size)
    return replace(
        form,
        reranker=reranker,
        imagine=imagine,
        n_hypothetical=n_hypothetical,
        passages=passages,
        titles=titles,
        expands=expands,
        own_expansions=own,
        decomposes=decomposes,
        depth=depth,
        page_size=page_size,
    )


def _own_names(form: Form) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The reader's own map; what cannot be read is said, and the map stays as it was."""
    typed = st.text_input(
        "Your own other names",
        standing("own-names", join_names(form.own_expansions)),
        key="own-names",
        placeholder="MW: Milky Way, our Galaxy; BH: black hole",
    )
    try:
        return split_names(typed)
    except UsageError as error:
        st.error(for_markdown(str(error)))
        return form.own_expansions


def _choice(key: str, label: str, choices: tuple[Choice, ...], labels: dict[Choice, str], chosen: Choice) -> Choice:
    index = choices.index(standing(key, chosen))
    return st.selectbox(label, choices, index, key=key, format_func=lambda choice: labels[choice])


def _number(key: str, label: str, low: int, high: int, number: int) -> int:
    return st.slider(label, low, high, standing(key, number), key=key)


def _switch(key: str, label: str, help_line: str, is_on: bool) -> bool:
    return st.toggle(label, standing(key, is_on), key=key, help=help_line)
