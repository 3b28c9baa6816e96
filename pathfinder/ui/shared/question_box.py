"""The question box, at the foot of Ask and Map, and what stands above the answer: the question, or the first page."""

from collections.abc import Callable, Sequence

import streamlit as st

from pathfinder.facade import Pathfinder
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.shared import state
from pathfinder.ui.shared.frame import script

HINT = "Ask a question, or paste an abstract"
GO_ON = "Ask a question, or “{}”"
"""What the box says when an answer is on the screen."""
TO_ADD = (
    "No chat model is set, so it quotes what the papers say; to have it written, add one at the left "
    "(:material/keyboard_double_arrow_right:) under *How to search and answer*."
)
N_EXAMPLES = 5
_BOX = "question-box"


def draw(send: Callable[[str], None] = state.ask, hint: str = HINT) -> None:
    """Draw the box; `send` is called with what is sent, which Ask searches for next."""
    with st.bottom:
        st.chat_input(hint, key=_BOX, on_submit=_send, args=(send,))


def heading(question: str) -> None:
    """Draw the question on screen, with ways to change it and to begin anew."""
    with st.container(key="question", horizontal=True, vertical_alignment="center"):
        st.title(for_markdown(question), anchor=False, width="content")
        # Their widths are given, here and in the style sheet, so that nothing moves when their icons come.
        edit, anew = ":material/edit:", ":material/add:"
        st.button("Edit", "question-edit", icon=edit, type="tertiary", width=60, on_click=_edit, args=(question,))
        st.button("New question", "question-new", icon=anew, type="tertiary", width=112, on_click=state.ask, args=("",))


def first_page(
    pf: Pathfinder, examples: Sequence[str], draw_ways_back: Callable[[], Sequence[str]], draw_map: Callable[[], None]
) -> None:
    """Draw what is here, on what it rests, where the reader was and what one might ask, beside the map."""
    left, right = st.columns([11, 14], gap="large")
    with left:
        st.title(f"Ask {counted(pf.corpus.name.n_papers, 'paper')}", anchor=False)
        counts, shown = pf.corpus.manifest.counts, "the sentences that it rests on"
        if counts.summaries:
            some = "" if counts.summaries == counts.papers else "some "
            shown += f", {some}from short summaries of the papers"
        chat = f"{for_markdown(pf.chat.name)} writes it from what the papers say." if pf.chat else TO_ADD
        st.markdown(f"An answer shows {shown}. {chat}")
        if st.button("Add your papers", key="add-papers", icon=":material/add:", type="tertiary"):
            st.switch_page(script("library"))
        asked = draw_ways_back()
        for place, example in enumerate(each for each in examples[:N_EXAMPLES] if each not in asked):
            st.button(for_markdown(example), key=f"example-{place}", on_click=state.ask, args=(example,), wrap=True)
    with right:
        draw_map()


def _send(send: Callable[[str], None]) -> None:
    if question := str(st.session_state[_BOX]).strip():
        send(question)
    else:  # what is on screen stays
        st.toast("The question is empty: type a question, a topic or an abstract", icon=":material/info:")


def _edit(question: str) -> None:
    st.session_state[_BOX] = question
