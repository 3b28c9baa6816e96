"""The places in the navigation, the parts that each has, and the old addresses that lead to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pathfinder.ui import as_of
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, visit_corpus
from pathfinder.ui.shared.panels import Panel, registry


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the navigation."""

    title: str
    icon: str
    """Material symbol, such as ":material/rule:"."""
    parameter: str = ""
    """Address parameter that says which of its parts is drawn; empty for a place without parts."""


PLACES = {
    "ask": Place("Ask", ":material/search:"),
    "map": Place("Map", ":material/map:", "look"),
    "library": Place("Library", ":material/library_books:", "part"),
    "review": Place("Review", ":material/checklist:", "step"),
    "lab": Place("Lab", ":material/science:", "trial"),
}
"""The places by address, which is the name of the script that draws each."""

BESIDE = {"about": "About", "similar": "Similar papers"}
"""Titles of the pages that are in no navigation, by address."""

MOVED = {
    "compare": ("lab", "compare"),
    "world": ("map", "public"),
    "corpus": ("library", "corpora"),
    "shelves": ("library", "shelves"),
    "check": ("lab", "check"),
}
"""Place and part of what had an address of its own before, by that address."""


def navigation() -> list[StreamlitPage]:
    """Return the places, and the hidden pages: an old address leads to the place that now has its content."""
    pages = [
        st.Page(frame.script(address), title=place.title, icon=place.icon, default=address == "ask")
        for address, place in PLACES.items()
    ]
    pages += [st.Page(frame.script(address), title=title, visibility="hidden") for address, title in BESIDE.items()]
    for address in moved():
        pages.append(st.Page(partial(_move, address), title=address, url_path=address, visibility="hidden"))
    return pages


def moved() -> dict[str, tuple[str, str]]:
    """Return the place and the part to which each old address leads; the parts of add-ons had addresses as well."""
    added = {
        part: (address, part)
        for address, place in PLACES.items()
        if place.parameter
        for part in registry(f"{address}.{place.parameter}")
        if part not in {*PLACES, *BESIDE}
    }
    return added | MOVED


def redirected(address: str, parameters: Mapping[str, list[str]]) -> tuple[str, dict[str, list[str]]]:
    """Return the place to which an old address leads, and the parameters with which it opens: its own, and the part."""
    place, part = moved()[address]
    return place, {**parameters, PLACES[place].parameter: [part]}


def _move(address: str) -> None:
    place, parameters = redirected(address, {name: st.query_params.get_all(name) for name in st.query_params})
    st.switch_page(frame.script(place), query_params=parameters)


def draw(address: str, own: Mapping[str, Panel], keeps: frozenset[str] = frozenset()) -> None:
    """Draw the place at `address`: the choice of a part, and the chosen one, or what is wrong with it.

    `own` are the parts that Pathfinder itself has there, by the names that they have in the address; parameters in
    `keeps` stay in the address when another part is chosen.
    """
    place = PLACES[address]
    found = registry(f"{address}.{place.parameter}")
    all_added = found.all()  # leaves out those that cannot be loaded
    parts = dict(sorted({**own, **dict(zip(found, all_added, strict=True))}.items(), key=lambda part: part[1].order))
    chosen = st.query_params.get(place.parameter, "")
    if chosen not in parts:
        if chosen:
            controls.notes(f"the link's {place.parameter}={chosen[:80]!r} is unknown and was ignored")
            del st.query_params[place.parameter]
        chosen = next(iter(parts))
    part = parts[chosen]
    if not frame.is_kiosk():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.title(place.title, anchor=False, width="content")
            _choice(place, parts, chosen, keeps)
    if part.is_whole:
        as_of.whole_corpus()
    with controls.reporting():
        found.use(chosen, part.draw)  # of another package: its faults are named


def _choice(place: Place, parts: Mapping[str, Panel], chosen: str, keeps: frozenset[str]) -> None:
    """Draw the choice of a part, which is made in the address."""
    key = f"{place.parameter}-of-place"
    if st.session_state.get(key, chosen) != chosen:  # a link within the page has led here
        st.session_state[key] = chosen

    def choose() -> None:
        kept = {name: st.query_params.get_all(name) for name in keeps if name in st.query_params}
        choice = {place.parameter: st.session_state[key]}
        st.query_params.from_dict({**kept, **choice, **visit_corpus.link_parameters()})

    labels = {name: f"{part.icon} {part.title}" for name, part in parts.items()}
    look: dict[str, Any] = {"required": True, "wrap": True, "label_visibility": "collapsed"}
    look["format_func"] = labels.__getitem__
    st.segmented_control(place.title, list(parts), default=chosen, key=key, on_change=choose, **look)
