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


def panel(shown: str) -> None:
    """Listen to the keys; "?" lists them, with the switch that turns them off in this browser. Lead to the list when
    what is `shown` there is another than before: a view of the papers, and what they are similar to.
    """
    _component()(key="shortcuts", data={"keys": KEYS, "shown": shown})


@cache
def _component() -> ComponentRenderer:
    script = (Path(__file__).parent / "shortcuts.js").read_text(encoding="utf-8")
    return st.components.v2.component("pathfinder_shortcuts", html='<dialog aria-label="Keys"></dialog>', js=script)
