"""What add-ons draw at named places of the pages.

A place is the end of the name of an entry-point group: a function in `pathfinder.panels.ask.map` is drawn in the tab of
the map.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from types import FunctionType
from typing import Any

import streamlit as st

from pathfinder.errors import PluginFailed
from pathfinder.plugins import Registry
from pathfinder.text.latex.display import for_markdown

GROUPS = "pathfinder.panels."
"""Beginning of the names of the entry-point groups."""


@cache
def registry(place: str) -> Registry[Any]:
    """Return the functions that draw at `place`."""
    return Registry(f"{GROUPS}{place}", FunctionType, {}, "panel")


def panels(place: str) -> Mapping[str, Callable[..., None]]:
    """Return what is drawn at `place`, by name; for one of another package that fails, the problem is shown."""
    found = registry(place)
    found.all()
    return {name: partial(_draw, found, name) for name in found}


def draw(place: str, *arguments: Any) -> None:
    """Draw everything at `place`."""
    for panel in panels(place).values():
        panel(*arguments)


def _draw(found: Registry[Any], name: str, *arguments: Any) -> None:
    try:
        found.use(name, partial(found.get(name), *arguments))
    except PluginFailed as problem:
        st.warning(for_markdown(str(problem)))
