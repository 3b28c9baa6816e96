"""The canvas's scripts and style sheet as text, for a page or an exported file."""

from functools import cache
from pathlib import Path

PARTS = (
    "frame",
    "ground",
    "overlay",
    "years",
    "controls",
    "hits",
    "pointing",
    "painting",
    "gestures",
    "requests",
    "atlas",
)
"""Scripts in the order in which they are loaded; the last defines `mount(element, scene, report)`."""

IDLE_SECONDS = 90
"""Seconds without a touch after which a kiosk returns to its starting view."""


@cache
def script() -> str:
    """Join all parts into one script that defines `mount` and nothing else; to use it as a module, add an export."""
    return "\n".join(("var mount = (() => {", *(_text_of(f"{part}.js") for part in PARTS), "return mount;\n})();"))


@cache
def styles() -> str:
    """Read the style sheet for the elements that the script creates."""
    return _text_of("atlas.css")


@cache
def idle_clock() -> str:
    """Read the script that defines `IdleClock`, which detects when nobody has touched the screen for a while."""
    return _text_of("idle_clock.js")


def _text_of(name: str) -> str:
    return (Path(__file__).parent / "scripts" / name).read_text(encoding="utf-8")
