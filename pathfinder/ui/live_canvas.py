"""The canvas of a page, alive: what it wants is answered without running the page again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.explorer import Pathfinder
from pathfinder.landscape.scene import View
from pathfinder.ui import atlas, controls
from pathfinder.ui import landscape_cache as cache

Years: TypeAlias = tuple[int, int] | None
"""The first and the last, or all."""
Heard: TypeAlias = Mapping[str, Callable[[Any], bool]]
"""What is called with what the canvas told, by the name of the report; each says whether the page is to run again."""
SPAN = 2
_CHANGED, _NOTES = "canvas-changed", "canvas-notes"


@dataclass(frozen=True, slots=True)
class Live:
    """One canvas and the page that hears it."""

    key: str
    here: Callable[[], tuple[str, Years]]
    """What the address says but the view, and its years: asked again for each answer."""
    heard: Heard
    viewed: Callable[[View | None], None] = lambda _: None
    """Hears what is in sight whenever something is wanted."""


@st.fragment
def draw(pf: Pathfinder, record: dict[str, Any], live: Live) -> None:
    """Draw the scene of `record`, and answer what the canvas asks for."""
    run_page_if_changed()
    sampler = cache.sampler(pf)
    if pf.atlas is None or sampler is None:
        return
    if live.key not in st.session_state:
        for name in ("wanted", "asked"):  # of the canvas before, which is gone
            st.session_state.pop(f"{live.key}-{name}", None)
    wanted = st.session_state.pop(f"{live.key}-wanted", None)
    if wanted is None and not st.session_state.get(f"{live.key}-asked"):
        wanted = atlas.first_wanted(pf.atlas)
    try:
        address, years = live.here()
        data = atlas.reply(record, wanted or atlas.Wanted(), pf.atlas, sampler, years, address)
    except PathfinderError as error:
        controls.failure(error)
        return
    told: dict[str, Callable[[], None]] = {"want": partial(_want, live)}
    told |= {name: partial(_hear, live.key, name, heard) for name, heard in live.heard.items()}
    atlas.draw(live.key, data, told)


def mark_changed() -> None:
    """Have the page run again, by whichever part of it is drawn next."""
    st.session_state[_CHANGED] = True


def run_page_if_changed() -> None:
    """Run the whole page where a part of it was told of a change."""
    if st.session_state.pop(_CHANGED, False):
        st.rerun()


def notes() -> tuple[str, ...]:
    """What was wrong with what the canvas told since it was last asked."""
    found: tuple[str, ...] = st.session_state.pop(_NOTES, ())
    return found


def note(error: ValueError) -> None:
    """Keep what is wrong for the page to say."""
    st.session_state[_NOTES] = (str(error),)


def _want(live: Live) -> None:
    st.session_state[f"{live.key}-asked"] = True
    try:
        wanted = atlas.Wanted.read(st.session_state[live.key].get("want"))
    except ValueError as error:
        note(error)
        return
    st.session_state[f"{live.key}-wanted"] = wanted
    live.viewed(wanted.view)


def _hear(key: str, name: str, heard: Callable[[Any], bool]) -> None:
    if heard(st.session_state[key].get(name)):
        mark_changed()


def paper_told(pf: Pathfinder, told: Any) -> str | None:
    """The id of the paper that a click tells of; `None` where it tells of none."""
    row = told.get("row") if isinstance(told, dict) else None
    if not isinstance(row, int) or not 0 <= row < len(pf.corpus.papers):
        return None
    return pf.corpus.papers[row].paper_id


def years_told(told: Any) -> Years:
    """The years that were chosen; `None` for all, and for what no canvas tells."""
    is_span = isinstance(told, list) and len(told) == SPAN and all(isinstance(year, int) for year in told)
    return (told[0], told[1]) if is_span else None
