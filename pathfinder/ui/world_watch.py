"""What stands beside the canvas and is not drawn: the words of what is in sight, and the clock of a kiosk."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

IDLE_SECONDS = 90
"""After which a map that stands somewhere in public goes back to its start."""
KEY = "watch"


def watch(words: str, moved: Callable[[], None], restart: Callable[[], None] | None) -> None:
    """Show `words`, and have them read aloud when they change; where it is a kiosk, `restart` it when left alone.

    `moved` is called back when the canvas rests elsewhere; its view and years then stand in the session's state, under
    `KEY` and "moved", as the address writes them."""
    idle = None if restart is None else IDLE_SECONDS
    _component()(
        key=KEY,
        data={"words": words, "idle_seconds": idle},
        on_idle_change=restart or _nothing,
        on_moved_change=moved,
    )


def _nothing() -> None:
    """It is no kiosk."""


@st.cache_resource(show_spinner=False)
def _component() -> ComponentRenderer:
    """Made once for all visitors: it holds no more than a script."""
    script = (Path(__file__).parent / "world_watch.js").read_text(encoding="utf-8")
    return st.components.v2.component(
        "pathfinder_watch", html='<p class="words" role="status" aria-live="polite"></p>', css=STYLES, js=script
    )


STYLES = """
.words {
  margin: 0;
  font: 0.875rem/1.4 var(--st-font, sans-serif);
  color: var(--st-text-color);
}
"""
