"""A reader's own chat model, and own keys for live sources: they are typed into the page and apply to this visit only.

They stay in the server's memory until the tab is closed or the reader removes them, and never appear in a link, file,
log or message.
"""

import os
from typing import Any

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.llm.chat import Chat
from pathfinder.llm.langchain_chat import langchain_chat
from pathfinder.llm.providers import KEY_VARIABLES, LocalServer, addresses_set, find_local_servers
from pathfinder.settings import Settings, read_settings
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import LIVE_SOURCE_LABELS, LiveSource
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.shared.resources import is_in_ads
from pathfinder.ui.shared.visit_entries import (
    CHAT,
    EXPLORERS,
    MESSAGE,
    chat_of_visit,
    goes_elsewhere,
    live_keys,
    source_keys,
)
from pathfinder.ui.shared.visit_entries import KEY_VARIABLES as SOURCE_VARIABLES

_KEPT = "Kept in memory until you close this tab, and never written to a link, a file or a log."
_MODEL, _KEY, _ADDRESS = "visit-model", "visit-chat-key", "visit-address"

KEY_BEGINNING = "sk-"
"""Prefix of several providers' keys; no model name begins with it."""


def panel() -> None:
    """Show the reader's own chat model or, if there is none, a form to enter one."""
    chat = chat_of_visit()
    label = "Your own chat model" if chat is None else f"Your own chat model: {chat.name}"
    with st.popover(for_markdown(label), key="visit", type="tertiary"):
        if chat is not None:
            about = f"Calls to {chat.name} use your key until you close this tab or remove the key."
            leave = "Remove the key"
            if is_local(chat):
                about = f"{chat.name} on this machine is used until you close this tab or stop using the model."
                leave = "Stop using this model"
            st.markdown(for_markdown(about))
            st.button(leave, key="visit-forget", icon=":material/key_off:", on_click=_forget)
        else:
            may_choose_address = read_settings().visitors_choose_addresses
            with st.form("visit-form", clear_on_submit=True, border=False):
                st.text_input("Model", key=_MODEL, placeholder="openai:gpt-4o-mini")
                st.text_input("Key", key=_KEY, type="password", autocomplete="off")
                if may_choose_address:
                    hint = "the provider's own; http://127.0.0.1:11434/v1"
                    st.text_input("Address", key=_ADDRESS, placeholder=hint)
                st.form_submit_button("Use for this visit", on_click=_take)
            st.caption(_KEPT)
            _local_models()
        if MESSAGE in st.session_state:
            st.warning(for_markdown(st.session_state[MESSAGE]))


def checked_chat(name: str, key: str, address: str, *, may_choose_address: bool) -> Chat:
    """Create the chat model that was entered. Raises `UsageError` for one that this server does not let its visitors
    use.

    A provider that needs more than a key would be called with the server's own settings, at the server's expense, and
    is therefore refused.
    """
    name, key, address = name.strip(), key.strip(), address.strip()
    vendor, _, model = name.partition(":")
    vendor = vendor.replace("-", "_").lower()
    if vendor not in KEY_VARIABLES or not model or model.startswith(KEY_BEGINNING):
        # The input is not repeated: it may be the key, typed into the wrong field.
        raise UsageError(
            "this model name cannot be used with a key: write provider:model with one of "
            f"{', '.join(KEY_VARIABLES)}, such as openai:gpt-4o-mini, and the key in its own field"
        )
    if not key.isascii() or not key.isprintable():
        raise UsageError("a key consists of plain letters, digits and symbols: copy it again from your provider's page")
    if address and not may_choose_address:
        raise UsageError(
            "this server calls chat models only at their providers' own addresses: leave the address empty"
        )
    if address and not address.startswith(("http://", "https://")):
        raise UsageError("the address must begin with http:// or https://, as http://127.0.0.1:11434/v1 does")
    if not key and not address:
        raise UsageError(f"{name} needs a key: enter the one that its provider gave you")
    if not address and (elsewhere := addresses_set(vendor, os.environ)):
        raise UsageError(
            f"this server sends calls for {vendor} to a custom address ({', '.join(elsewhere)} is set), so your key "
            f"would go there: choose another provider, or ask whoever runs this server"
        )
    return langchain_chat(name, api_key=key or None, base_url=address or None, **_limits())


def _limits() -> dict[str, Any]:
    """Return what the owner of this server sets for every chat model."""
    settings = read_settings()
    return {"timeout_seconds": settings.chat_timeout_seconds, "counts_tokens": settings.chat_counts_tokens}


def _take() -> None:
    """Take the entries from the form, before the page is redrawn, and clear the key from its input field."""
    name, key, address = (str(st.session_state.get(field) or "") for field in (_MODEL, _KEY, _ADDRESS))
    try:
        chat = checked_chat(name, key, address, may_choose_address=read_settings().visitors_choose_addresses)
    except UsageError as error:
        st.session_state[MESSAGE] = str(error)
    else:
        _use(chat)


def _use(chat: Chat) -> None:
    _forget()
    st.session_state[CHAT] = chat


def _forget() -> None:
    for name in (CHAT, EXPLORERS, MESSAGE):
        st.session_state.pop(name, None)


# Offers a visitor at this machine the chat models of the servers that run on it, which are found after a click.

_SERVERS, _LOCAL_MODEL = "visit-local-servers", "visit-local-chosen"


def _local_models() -> None:
    """Show a button that looks for models, and the models that it finds; nothing on a page that others can reach."""
    if not is_visited_here():
        return

    def look() -> None:
        st.session_state[_SERVERS] = find_local_servers()

    st.button("Look for models on this machine", key="visit-look", icon=":material/search:", on_click=look)
    if _SERVERS not in st.session_state:
        return
    servers: tuple[LocalServer, ...] = st.session_state[_SERVERS]
    if not servers:
        st.caption(
            "No chat server answered on this machine (Ollama, llama.cpp, LM Studio and vLLM on their usual ports)."
        )
    for server in servers:
        for model in server.models:
            label = for_markdown(f"{model} ({server.program})")
            st.button(label, key=f"visit-local-{server.base_url}-{model}", on_click=_choose, args=(server, model))


def _choose(server: LocalServer, model: str) -> None:
    label, most = f"{server.program.lower().replace(' ', '-')}:{model}", read_settings().chat_context
    chat = langchain_chat(f"openai:{model}", base_url=server.base_url, context_tokens=most, label=label, **_limits())
    st.session_state[_LOCAL_MODEL] = chat
    _use(chat)


def is_local(chat: object) -> bool:
    """Return whether `chat` is the local model that the reader chose."""
    return st.session_state.get(_LOCAL_MODEL) is chat


# Keys for live sources.

_LIVE_MESSAGE = "visit-live-said"
MAX_KEY = 200
"""Maximum number of characters in a key."""


def sources_panel() -> None:
    """Name the sources that use the reader's own keys, and show a form to enter others."""
    own = [LIVE_SOURCE_LABELS[source] for source in live_keys()]
    label = f"Your own keys: {', '.join(own)}" if own else "Your own keys for live sources"
    with st.popover(label, key="visit-live", type="tertiary"):
        if own:
            st.markdown(f"Requests to {' and '.join(own)} use your keys until you close this tab or remove them.")
            st.button("Remove the keys", key="visit-live-forget", icon=":material/key_off:", on_click=_forget_sources)
        with st.form("visit-live-form", clear_on_submit=True, border=False):
            for source in SOURCE_VARIABLES:
                if source is not LiveSource.ADS or is_in_ads():
                    label = LIVE_SOURCE_LABELS[source]
                    st.text_input(label, key=f"visit-live-{source}", type="password", autocomplete="off")
            st.form_submit_button("Use for this visit", on_click=_take_sources)
        st.caption(_KEPT)
        if _LIVE_MESSAGE in st.session_state:
            st.warning(for_markdown(st.session_state[_LIVE_MESSAGE]))


def check_key(source: LiveSource, key: str, settings: Settings) -> None:
    """Raise `UsageError`, which does not repeat `key`, if `key` cannot be a key, or if this server would send it to an
    address set by its owner.
    """
    name = LIVE_SOURCE_LABELS[source]
    if not key.isascii() or not key.isprintable() or " " in key or len(key) > MAX_KEY:
        raise UsageError(
            f"a key for {name} has at most {MAX_KEY} plain letters, digits and symbols: copy it again from your account"
        )
    if goes_elsewhere(source, settings):
        raise UsageError(
            f"this server sends requests for {name} to a custom address, so your key would go there: ask whoever "
            "runs this server"
        )


def _take_sources() -> None:
    """Take the keys from the form before the page is redrawn, and empty its fields; if one is rejected, keep none."""
    st.session_state.pop(_LIVE_MESSAGE, None)
    entries = {}
    for source in SOURCE_VARIABLES:
        field = f"visit-live-{source}"
        if key := str(st.session_state.get(field) or "").strip():
            entries[source] = key
        st.session_state[field] = ""
    try:
        for source, key in entries.items():
            check_key(source, key, read_settings())
    except UsageError as error:
        st.session_state[_LIVE_MESSAGE] = str(error)
        return
    source_keys().update({SOURCE_VARIABLES[source]: key for source, key in entries.items()})
    st.session_state.pop(EXPLORERS, None)


def _forget_sources() -> None:
    for variable in SOURCE_VARIABLES.values():
        source_keys().pop(variable, None)
    for name in (EXPLORERS, _LIVE_MESSAGE):
        st.session_state.pop(name, None)
