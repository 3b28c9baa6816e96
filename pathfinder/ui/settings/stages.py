"""Search stages that a reader can turn on and off."""

from collections.abc import Iterator
from dataclasses import replace

import streamlit as st

from pathfinder.types import QueryExpansion, SearchRequest
from pathfinder.types.settings import Section, Setting, settings_of
from pathfinder.ui.settings.widgets import widget


def read(search: SearchRequest, has_chat: bool) -> SearchRequest:
    """Return the request with every stage set as the reader chose; `has_chat` says whether there is a chat model."""
    with st.expander("Search stages"):
        for setting in settings_of(SearchRequest):
            if setting.section is Section.STAGES and _is_shown(setting, search, has_chat):
                search = replace(search, **{setting.name: widget(setting, getattr(search, setting.name))})
        for note in _notes(search, has_chat):
            st.caption(note)
    return search


def _is_shown(setting: Setting, search: SearchRequest, has_chat: bool) -> bool:
    applies = setting.applies is None or setting.applies(search)
    return applies and (has_chat or not setting.needs_chat)


def _notes(search: SearchRequest, has_chat: bool) -> Iterator[str]:
    if search.imagine is QueryExpansion.HYDE and not has_chat:
        yield "No chat model is set to write hypothetical abstracts: relevance feedback is used instead."
    if search.depth and search.decomposes:
        yield "A search in rounds does not split the question: set the rounds to 0 to search part by part."
