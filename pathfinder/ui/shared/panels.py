"""What is drawn at named places of the pages, by the core and by add-ons.

A place is the end of the name of an entry-point group: a function in `pathfinder.panels.ask.map` is another view of
the papers of a result, and a `Panel` in `pathfinder.panels.review.step` is a step of Review.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from types import FunctionType
from typing import Any

import streamlit as st

from pathfinder.errors import PluginFailed
from pathfinder.plugins import Registry
from pathfinder.text.latex.display import for_markdown

GROUPS = "pathfinder.panels."
"""Beginning of the names of the entry-point groups."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a place, of which the reader chooses one."""

    order: int
    """Parts with lower numbers come first."""
    title: str
    icon: str
    """Material symbol, such as ":material/rule:"."""
    draw: Callable[[], None]
    """Draws what is below the title."""
    invitation: str = ""
    """Label of the button with which the steps of Review before it hand papers to it; empty if it takes none."""
    is_whole: bool = False
    """Whether it is about the whole corpus, whatever the year as of which the reader reads it."""


@dataclass(frozen=True, slots=True)
class WayBack:
    """A way back to something that the reader has begun; the first page draws it as a button."""

    icon: str
    """Material symbol."""
    label: str
    go: Callable[[], None]
    """Opens it, once the button is pressed."""
    question: str = ""
    """Question that it is about, if it is a step of a review."""
    is_new: bool = False
    """Whether it leads to something that the reader does not know yet, and so comes before all others."""


OWN_PARTS = {
    "map.look": frozenset({"papers", "public"}),
    "library.part": frozenset({"corpora", "shelves"}),
    "review.step": frozenset({"gather"}),
    "lab.trial": frozenset({"compare", "check"}),
}
"""Places of parts, with the names of those that Pathfinder itself has there."""


@cache
def registry(place: str) -> Registry[Any]:
    """Return what add-ons draw at `place`: panels where the reader chooses one of the parts, otherwise functions."""
    names = OWN_PARTS.get(place)
    if names is None:
        return Registry(f"{GROUPS}{place}", FunctionType, {}, "panel")
    fault = "Pathfinder itself has a part of that name"
    return Registry(f"{GROUPS}{place}", Panel, {}, "part", fault_of_name=lambda name: fault if name in names else None)


def panels(place: str) -> Mapping[str, Callable[..., Any]]:
    """Return what is drawn at `place`, by name; a problem of another package is shown, and `None` returned."""
    found = registry(place)
    found.all()
    return {name: partial(_draw, found, name) for name in found}


def draw(place: str, *arguments: Any) -> None:
    """Draw everything at `place`."""
    for panel in panels(place).values():
        panel(*arguments)


def _draw(found: Registry[Any], name: str, *arguments: Any) -> Any:
    try:
        return found.use(name, partial(found.get(name), *arguments))
    except PluginFailed as problem:
        st.warning(for_markdown(str(problem)))
        return None
