"""The canvas on an open page; its requests are answered without rerunning the page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.landscape.drawing.scene import MapView
from pathfinder.session import Pathfinder
from pathfinder.ui.map import canvas_component, map_cache
from pathfinder.ui.settings import controls

Years: TypeAlias = tuple[int, int] | None
"""First and last year; `None` for all years."""
Listeners: TypeAlias = Mapping[str, Callable[[Any], bool]]
"""Functions called with the canvas's reports, by the name of the report; each returns whether the page has to run
again.
"""
SPAN = 2
_CHANGE, _NOTES = "canvas-changed", "canvas-notes"


@dataclass(frozen=True, slots=True)
class LiveCanvas:
    """A canvas and the page that listens to it."""

    key: str
    address: Callable[[], tuple[str, Years]]
    """Returns the address without its view, and the years in it; called again for each reply."""
    listeners: Listeners
    on_view: Callable[[MapView | None], None] = lambda _: None
    """Called with the part of the map in view whenever the canvas requests something."""


@st.fragment
def draw(pf: Pathfinder, record: dict[str, Any], live: LiveCanvas) -> None:
    """Draw the scene of `record`, and answer the canvas's requests."""
    run_page_if_changed()
    sampler = map_cache.sampler(pf)
    if pf.atlas is None or sampler is None:
        return
    if live.key not in st.session_state:
        for name in ("request", "has-asked"):  # left by the previous canvas
            st.session_state.pop(f"{live.key}-{name}", None)
    request = st.session_state.pop(f"{live.key}-request", None)
    if request is None and not st.session_state.get(f"{live.key}-has-asked"):
        request = canvas_component.first_request(pf.atlas)
    try:
        address, years = live.address()
        request = request or canvas_component.CanvasRequest()
        data = canvas_component.reply(record, request, pf.atlas, sampler, years, address)
    except PathfinderError as error:
        controls.failure(error)
        return
    callbacks: dict[str, Callable[[], None]] = {"want": partial(_keep_request, live)}
    callbacks |= {name: partial(_listen, live.key, name, listener) for name, listener in live.listeners.items()}
    canvas_component.draw(live.key, data, callbacks)


def mark_changed() -> None:
    """Make the page run again the next time any part of it is drawn."""
    st.session_state[_CHANGE] = True


def run_page_if_changed() -> None:
    """Run the whole page if a part of it has changed something."""
    if st.session_state.pop(_CHANGE, False):
        st.rerun()


def notes() -> tuple[str, ...]:
    """Return and clear the notes about errors in the canvas's reports since the last call."""
    texts: tuple[str, ...] = st.session_state.pop(_NOTES, ())
    return texts


def note(error: ValueError) -> None:
    """Store an error for the page to show."""
    st.session_state[_NOTES] = (str(error),)


def _keep_request(live: LiveCanvas) -> None:
    st.session_state[f"{live.key}-has-asked"] = True
    try:
        request = canvas_component.CanvasRequest.read(st.session_state[live.key].get("want"))
    except ValueError as error:
        note(error)
        return
    st.session_state[f"{live.key}-request"] = request
    live.on_view(request.view)


def _listen(key: str, name: str, listener: Callable[[Any], bool]) -> None:
    if listener(st.session_state[key].get(name)):
        mark_changed()


def reported_paper(pf: Pathfinder, report: Any) -> str | None:
    """Return the id of the paper that was clicked; `None` if none was."""
    row = report.get("row") if isinstance(report, dict) else None
    if not isinstance(row, int) or not 0 <= row < len(pf.corpus.papers):
        return None
    return pf.corpus.papers[row].paper_id


def reported_years(report: Any) -> Years:
    """Return the years that were chosen; `None` for all years, and for anything that no canvas would report."""
    is_span = isinstance(report, list) and len(report) == SPAN and all(isinstance(year, int) for year in report)
    return (report[0], report[1]) if is_span else None
