"""The canvas's script and styles as text, to be put into a page or a file."""

from functools import cache
from pathlib import Path

PARTS = ("frame", "ground", "overlay", "years", "chrome", "hits", "pointing", "painting", "hand", "wants", "atlas")
"""In the order in which they are read; the last has `mount(element, scene, report)`."""


@cache
def script() -> str:
    """All parts as one script, which defines `mount` and nothing else; as a module it needs an export added."""
    return "\n".join(("var mount = (() => {", *(text_of(f"{part}.js") for part in PARTS), "return mount;\n})();"))


@cache
def styles() -> str:
    """What the script's elements look like."""
    return text_of("atlas.css")


def text_of(name: str) -> str:
    """One file beside this one."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
