"""What add-ons draw at named places of the pages.

A place is the end of the name of an entry-point group: a function in `pathfinder.panels.ask.map` is drawn in the tab of
the map.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from types import FunctionType
from typing import Any

from pathfinder.plugins import Registry


@cache
def registry(place: str) -> Registry[Any]:
    """Return the functions that draw at `place`."""
    return Registry(f"pathfinder.panels.{place}", FunctionType, {}, "panel")


def panels(place: str) -> Mapping[str, Callable[..., None]]:
    """Return what is drawn at `place`, by name. Each raises `PluginFailed` if it is of another package and fails."""
    found = registry(place)
    found.all()
    return {name: partial(_draw, found, name) for name in found}


def draw(place: str, *arguments: Any) -> None:
    """Draw everything at `place`."""
    for panel in panels(place).values():
        panel(*arguments)


def _draw(found: Registry[Any], name: str, *arguments: Any) -> None:
    found.use(name, partial(found.get(name), *arguments))
