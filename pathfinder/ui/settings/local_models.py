"""Offers a visitor at this machine the chat models of the servers that run on it, which are found after a click."""

from collections.abc import Callable

import streamlit as st

from pathfinder.llm.langchain_chat import LangChainChat
from pathfinder.llm.providers import LocalServer, find_local_servers
from pathfinder.settings import read_settings
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.shared.own_machine import is_visited_here

NOTHING = "No chat server answered on this machine (Ollama, llama.cpp, LM Studio and vLLM on their usual ports)."

_SERVERS, _LOCAL_MODEL = "visit-local-servers", "visit-local-chosen"


def panel(use: Callable[[LangChainChat], None]) -> None:
    """Show a button that looks for models, and the models that it finds; `use` receives the one that is chosen.

    Show nothing on a page that others can reach. The search begins only after the click.
    """
    if not is_visited_here():
        return
    st.button("Look for models on this machine", key="visit-look", icon=":material/search:", on_click=_look)
    if _SERVERS not in st.session_state:
        return
    servers: tuple[LocalServer, ...] = st.session_state[_SERVERS]
    if not servers:
        st.caption(NOTHING)
    for server in servers:
        for model in server.models:
            label = for_markdown(f"{model} ({server.program})")
            st.button(label, key=f"visit-local-{server.base_url}-{model}", on_click=_choose, args=(use, server, model))


def chat_at(server: LocalServer, model: str) -> LangChainChat:
    """Return the chat model called `model` from a server on this machine."""
    settings = read_settings()
    return LangChainChat(
        f"openai:{model}",
        base_url=server.base_url,
        timeout_seconds=settings.chat_timeout_seconds,
        counts_tokens=settings.chat_counts_tokens,
        context_tokens=settings.chat_context,
        label=f"{server.program.lower().replace(' ', '-')}:{model}",
    )


def _choose(use: Callable[[LangChainChat], None], server: LocalServer, model: str) -> None:
    chat = st.session_state[_LOCAL_MODEL] = chat_at(server, model)
    use(chat)


def is_local(chat: object) -> bool:
    """Return whether `chat` is the local model that the reader chose."""
    return st.session_state.get(_LOCAL_MODEL) is chat


def _look() -> None:
    st.session_state[_SERVERS] = find_local_servers()
