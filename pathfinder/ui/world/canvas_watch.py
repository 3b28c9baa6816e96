"""Next to the canvas of the World page: a description of the part of the map in view, and the idle timer of a kiosk."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pathfinder.landscape.canvas.source import IDLE_SECONDS, idle_clock
from pathfinder.landscape.drawing.viewport import MAX_PIXELS, MIN_PIXELS

KEY = "watch"
SIZE = (1000, 700)
"""Assumed size in pixels of a canvas that has not reported its own."""


def watch(text: str, size: tuple[int, int], on_move: Callable[[], None], restart: Callable[[], None] | None) -> None:
    """Show `text`, and have screen readers read it aloud when it changes; in a kiosk, call `restart` after the canvas
    has been idle.

    `size`, in pixels, is the size of the canvas that the text describes. `on_move` is called when the canvas comes to
    rest with a different view or size. The view and the years, as written in the address, and the size can then be
    found in the session state, under `KEY` and "moved".
    """
    idle = None if restart is None else IDLE_SECONDS
    _component()(
        key=KEY,
        data={"words": text, "size": size, "idle_seconds": idle},
        on_idle_change=restart or _ignore,
        on_moved_change=on_move,
    )


def read_size(report: Any) -> tuple[int, int]:
    """Read the width and height of the canvas as reported by a browser, limited to the sizes allowed for a picture;
    `SIZE` if they cannot be read.
    """
    is_size = isinstance(report, list) and len(report) == len(SIZE) and all(isinstance(side, int) for side in report)
    if not is_size:
        return SIZE
    width, height = (min(max(side, MIN_PIXELS), MAX_PIXELS) for side in report)
    return width, height


def _ignore() -> None:
    """Do nothing, because this is not a kiosk."""


@st.cache_resource(show_spinner=False)
def _component() -> ComponentRenderer:
    """Register the component (a script only) once for all visitors."""
    script = idle_clock() + (Path(__file__).parent / "world_watch.js").read_text(encoding="utf-8")
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
