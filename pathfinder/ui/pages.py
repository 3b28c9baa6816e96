"""The pages that add-ons and packages add to the navigation."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pathfinder.errors import PathfinderError
from pathfinder.plugins import Registry
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


PAGES = Registry("pathfinder.pages", Page, {}, "page")


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
