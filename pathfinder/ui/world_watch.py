"""What stands beside the canvas and is not drawn: the words of what is in sight, and the clock of a kiosk."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pathfinder.landscape.frame import MAX_PIXELS, MIN_PIXELS

IDLE_SECONDS = 90
"""After which a map that stands somewhere in public goes back to its start."""
KEY = "watch"
SIZE = (1000, 700)
"""Pixels of a canvas that has not been heard of."""


def watch(words: str, size: tuple[int, int], moved: Callable[[], None], restart: Callable[[], None] | None) -> None:
    """Show `words`, and have them read aloud when they change; where it is a kiosk, `restart` it when left alone.

    `size` is the canvas's that the words were made for, in pixels. `moved` is called back when the canvas rests
    elsewhere or has another size; its view and years, as the address writes them, and its size then stand in the
    session's state, under `KEY` and "moved"."""
    idle = None if restart is None else IDLE_SECONDS
    _component()(
        key=KEY,
        data={"words": words, "size": size, "idle_seconds": idle},
        on_idle_change=restart or _nothing,
        on_moved_change=moved,
    )


def read_size(told: Any) -> tuple[int, int]:
    """Width and height of the canvas as a browser tells them, brought to what a picture may have; else `SIZE`."""
    is_size = isinstance(told, list) and len(told) == len(SIZE) and all(isinstance(side, int) for side in told)
    if not is_size:
        return SIZE
    width, height = (min(max(side, MIN_PIXELS), MAX_PIXELS) for side in told)
    return width, height


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
