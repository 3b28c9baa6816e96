"""Search stages that a reader can turn on and off."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import streamlit as st

from pathfinder.types import QueryExpansion, SearchRequest, SectionKind
from pathfinder.types.settings import Setting, SidebarSection, settings_of
from pathfinder.types.several import Several
from pathfinder.ui.settings.widgets import switches, widget
from pathfinder.ui.shared.resources import live_sources, pathfinder


def read(search: SearchRequest, has_chat: bool) -> SearchRequest:
    """Return the request with every stage set as the reader chose; `has_chat` says whether there is a chat model."""
    with st.expander("Search stages"):
        for setting in settings_of(SearchRequest):
            if setting.section is SidebarSection.STAGES and _is_shown(setting, search, has_chat):
                search = replace(search, **{setting.name: _value_of(setting, search)})
        for note in _notes(search, has_chat):
            st.caption(note)
    return search


def _value_of(setting: Setting, search: SearchRequest) -> Any:
    """Draw the widget for a setting, and return its value; it offers the live sources that this server allows, and the
    sections that the corpus's full texts have.
    """
    value, kind = getattr(search, setting.name), setting.kind
    if isinstance(kind, Several):
        offered = live_sources() if setting.name == "live" else _sections()
        return switches(setting, kind, value, offered) if offered else value
    return widget(setting, value)


def _is_shown(setting: Setting, search: SearchRequest, has_chat: bool) -> bool:
    applies = setting.applies is None or setting.applies(search)
    if setting.stage == "full texts" and pathfinder().corpus.full_texts is None:
        return False
    return applies and (has_chat or not setting.needs_chat)


def _sections() -> tuple[SectionKind, ...]:
    index = pathfinder().corpus.full_texts
    return () if index is None else tuple(kind for kind in SectionKind if (index.kinds == kind.value).any())


def _notes(search: SearchRequest, has_chat: bool) -> Iterator[str]:
    if search.imagine is QueryExpansion.HYDE and not has_chat:
        yield "No chat model is set to write hypothetical abstracts: relevance feedback is used instead."
    if search.depth and search.decomposes:
        yield "A search in rounds does not split the question; set the rounds to 0 to search part by part."
