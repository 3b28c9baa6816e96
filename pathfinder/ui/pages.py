"""The pages in the navigation: the core's, and those that add-ons and packages add."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pathfinder.errors import PathfinderError
from pathfinder.plugins import PluginProblem, Registry
from pathfinder.ui.settings import controls


@dataclass(frozen=True, slots=True)
class Page:
    """A page; its address is the name of its entry point."""

    title: str
    icon: str
    """Material symbol, such as ":material/rule:"."""
    section: str
    """Section of the navigation: "Workbench" or "Checks"."""
    draw: Callable[[], None]
    """Draws what is below the title."""


OWN_PAGES = {
    "ask": ("", "Ask", ":material/search:"),
    "compare": ("", "Compare", ":material/compare_arrows:"),
    "similar": ("", "Similar", ":material/join_inner:"),
    "map": ("", "Map", ":material/map:"),
    "world": ("", "World", ":material/public:"),
    "corpus": ("", "Corpus", ":material/library_books:"),
    "about": ("", "About", ":material/info:"),
    "shelves": ("Workbench", "Shelves", ":material/star:"),
    "watch": ("Workbench", "Watch", ":material/notifications:"),
    "check": ("Checks", "Check", ":material/fact_check:"),
}
"""Section, title and icon of each page of the core, by its address, which is the name of its file."""


def _fault_of_address(address: str) -> str | None:
    return "Pathfinder itself has a page at that address" if address in OWN_PAGES else None


PAGES = Registry("pathfinder.pages", Page, {}, "page", fault_of_name=_fault_of_address)


def navigation() -> dict[str, list[StreamlitPage]]:
    """Return the pages by section; one of another package that cannot be added is left out and listed by `PAGES`."""
    sections: dict[str, list[StreamlitPage]] = {}
    for address, (section, title, icon) in OWN_PAGES.items():
        page = st.Page(f"pages/{address}.py", title=title, icon=icon, default=address == "ask")
        sections.setdefault(section, []).append(page)
    for added, address in zip(PAGES.all(), PAGES.names(), strict=True):
        if not isinstance(at := PAGES.attempt(address, partial(page_at, address)), PluginProblem):
            sections.setdefault(added.section, []).append(at)
    return sections


def draw_page(address: str) -> None:
    """Draw the page at `address` or, if that fails, the error."""
    page = PAGES.get(address)
    st.title(page.title, anchor=False)
    try:
        PAGES.use(address, page.draw)
    except PathfinderError as error:
        controls.failure(error)


def page_at(address: str) -> StreamlitPage:
    """Return the page at `address`, for the navigation and for `st.switch_page`."""
    page = PAGES.get(address)
    return st.Page(partial(draw_page, address), title=page.title, icon=page.icon, url_path=address)
