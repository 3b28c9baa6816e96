"""The chat model that a reader has entered for this visit."""

import streamlit as st

from pathfinder.models.ports import ChatModel
from pathfinder.session import Pathfinder

CHAT, EXPLORERS, MESSAGE = "visit-chat", "visit-explorers", "visit-said"


def of_visit(pf: Pathfinder) -> Pathfinder:
    """Return `pf` with the chat model of this visit, if the reader has entered one; every run gets the same object.

    A `pf` that already has this chat model is returned unchanged.
    """
    chat = chat_of_visit()
    if chat is None:
        return pf
    made: tuple[Pathfinder, Pathfinder] | None = st.session_state.get(EXPLORERS)
    if made is not None and pf is made[1]:
        return pf
    if made is None or pf is not made[0]:
        made = st.session_state[EXPLORERS] = pf, pf.with_chat(chat)
    return made[1]


def chat_of_visit() -> ChatModel | None:
    """Return the chat model that the reader has entered; `None` if the server's own is to be used."""
    chat: ChatModel | None = st.session_state.get(CHAT)
    return chat
