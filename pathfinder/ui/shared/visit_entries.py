"""A reader's entries for this visit: a chat model, and their own keys for sources."""

import streamlit as st

from pathfinder.facade import Pathfinder
from pathfinder.models.ports import ChatModel
from pathfinder.settings import Settings, read_settings
from pathfinder.sources.live.access import KEY_SETTINGS, settings_with_keys
from pathfinder.types import LiveSource
from pathfinder.ui.shared.own_machine import is_visited_here

CHAT, EXPLORERS, MESSAGE = "visit-chat", "visit-explorers", "visit-said"
SOURCE_KEYS = "visit-source-keys"

KEY_VARIABLES = {
    LiveSource.ADS: "ADS_API_TOKEN",
    LiveSource.SEMANTIC_SCHOLAR: "SEMANTIC_SCHOLAR_API_KEY",
    LiveSource.OPENALEX: "OPENALEX_API_KEY",
}
"""Names under which keys are entered, the same as in the environment."""


def of_visit(pf: Pathfinder) -> Pathfinder:
    """Return `pf` with this visit's chat model and keys for live sources, if the reader has entered any; every run gets
    the same object. A `pf` that already has them is returned unchanged.
    """
    chat, keys = chat_of_visit(), live_keys()
    if chat is None and not keys:
        return pf
    explorers: tuple[Pathfinder, Pathfinder] | None = st.session_state.get(EXPLORERS)
    if explorers is not None and pf is explorers[1]:
        return pf
    if explorers is None or pf is not explorers[0]:
        own = pf if chat is None else pf.with_chat(chat)
        if keys and own.live is not None:
            own = own.with_live(own.live.with_keys(keys))
        explorers = st.session_state[EXPLORERS] = pf, own
    return explorers[1]


def chat_of_visit() -> ChatModel | None:
    """Return the chat model that the reader has entered; `None` if the server's own is to be used."""
    chat: ChatModel | None = st.session_state.get(CHAT)
    return chat


def source_keys() -> dict[str, str]:
    """Return the keys that the reader has entered on any page, by the names of their environment variables; changes to
    the dictionary last for the visit.
    """
    keys: dict[str, str] = st.session_state.setdefault(SOURCE_KEYS, {})
    return keys


def live_keys() -> dict[LiveSource, str]:
    """Return the reader's own keys for live sources, but those that would go to an address of the server's owner."""
    settings, keys = read_settings(), source_keys()
    entries = {source: keys.get(variable, "") for source, variable in KEY_VARIABLES.items()}
    return {source: key for source, key in entries.items() if key and not goes_elsewhere(source, settings)}


def goes_elsewhere(source: LiveSource, settings: Settings) -> bool:
    """Return whether this server sends requests for `source` to an address set by an owner other than the visitor."""
    return bool(getattr(settings, KEY_SETTINGS[source].address)) and not is_visited_here()


def settings_of_visit() -> Settings:
    """Return the settings of this server with the reader's own keys; only its owner may use the server's ADS token."""
    settings = read_settings()
    if not is_visited_here():
        settings = settings.model_copy(update={KEY_SETTINGS[LiveSource.ADS].key: None})
    return settings_with_keys(settings, live_keys())
