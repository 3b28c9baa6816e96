"""Keys of the list of papers, and the light that list and map throw on each other; both stay in the browser."""

from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

KEYS = {
    "j": "next paper",
    "k": "previous paper",
    "o": "open it",
    "s": "star it",
    "x": "select it",
    "/": "to the question",
    "?": "this list",
}


def panel(shown_below: str) -> None:
    """Listen to the keys; "?" lists them, with the switch that turns them off in this browser. When the view of the
    papers named by `shown_below` is chosen, lead to it; it is empty for the cards.
    """
    _component()(key="shortcuts", data={"keys": KEYS, "shown": shown_below})


@cache
def _component() -> ComponentRenderer:
    script = (Path(__file__).parent / "shortcuts.js").read_text(encoding="utf-8")
    return st.components.v2.component("pathfinder_shortcuts", html='<dialog aria-label="Keys"></dialog>', js=script)
