"""The canvas on an open page; its requests are answered without rerunning the page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import streamlit as st
from pydantic import BeforeValidator, FiniteFloat, TypeAdapter

from pathfinder.errors import PathfinderError, UsageError
from pathfinder.facade import Pathfinder
from pathfinder.landscape.canvas.scene_record import MAX_TILES, Sampler, tiles_record
from pathfinder.landscape.canvas.source import script, styles
from pathfinder.landscape.data.landscape import Atlas
from pathfinder.landscape.drawing.scene import MapView
from pathfinder.ui.map import map_cache
from pathfinder.ui.settings import controls
from pathfinder.ui.shared.frame import component

Years: TypeAlias = tuple[int, int] | None
"""First and last year; `None` for all years."""
Listeners: TypeAlias = Mapping[str, Callable[[Any], bool]]
"""Functions called with the canvas's reports, by their names; each returns whether the page has to run again."""
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
        request = first_request(pf.atlas)
    try:
        address, years = live.address()
        request = request or CanvasRequest()
        data = reply(record, request, pf.atlas, sampler, years, address)
    except PathfinderError as error:
        controls.failure(error)
        return
    callbacks: dict[str, Callable[[], None]] = {"want": partial(_keep_request, live)}
    callbacks |= {name: partial(_listen, live.key, name, listener) for name, listener in live.listeners.items()}
    # Each report can then be found in the session state, under the key and the name of the report.
    handlers: dict[str, Any] = {f"on_{name}_change": callback for name, callback in callbacks.items()}
    adapter = Path(__file__).with_name("atlas_adapter.js")
    component(adapter, css=styles(), before=script())(key=live.key, data=data, **handlers)


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
    report = st.session_state[live.key].get("want")
    try:
        request = CanvasRequest.read(report)
    except ValueError as error:
        note(error)
        return
    # Of two reports of a canvas that wait for the server, the first is lost: years come again with each later request.
    choose, years = live.listeners.get("years"), report.get("years")
    if choose and "years" in report and reported_years(years) != live.address()[1] and choose(years):
        mark_changed()
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


# The canvas of the map as a page component: the data sent to it, and the requests it sends.


@dataclass(frozen=True, slots=True)
class CanvasRequest:
    """A request from the canvas, after it has been checked: nothing that comes from a browser is trusted unchecked."""

    tiles: tuple[str, ...] = ()
    box: tuple[FiniteFloat, FiniteFloat, FiniteFloat, FiniteFloat] | None = None
    """Left, bottom, right and top of the box whose papers are to be drawn; `None` if the canvas already has them."""
    has: str | None = None
    """Number of the scene that the canvas is drawing; `None` if it has none yet."""
    view: Annotated[MapView | None, BeforeValidator(lambda text: MapView.read(str(text)))] = None
    """The part of the map in view; `None` for the whole map."""

    @classmethod
    def read(cls, report: Any) -> "CanvasRequest":
        """Check a report from the browser. Raises `UsageError` for anything that a real canvas would not send."""
        try:
            return _REPORT.validate_python({n: v for n, v in report.items() if v is not None})
        except (AttributeError, ValueError) as error:
            raise UsageError(
                f"a map can only request tiles, papers and a view, got {str(report)[:80]!r}: load the page again"
            ) from error


_REPORT = TypeAdapter(CanvasRequest)


def first_request(atlas: Atlas) -> CanvasRequest:
    """Return the request that every canvas makes first, so that it can be answered in advance: the coarsest tiles, and
    papers from the whole map.
    """
    extent = atlas.grid.extent
    tiles = [f"{zoom}/{column}/{line}" for zoom in (0, 1) for line in range(2**zoom) for column in range(2**zoom)]
    return CanvasRequest(tuple(tiles), (extent.left, extent.bottom, extent.right, extent.top))


def reply(
    record: dict[str, Any],
    request: CanvasRequest,
    atlas: Atlas,
    sampler: Sampler,
    years: tuple[int, int] | None,
    address: str = "",
) -> dict[str, Any]:
    """Build the reply: the scene, unless the canvas already has it, and whatever the canvas requested. `address` is the
    address of this run. Raises `UsageError` for a tile that does not exist.
    """
    return {
        "scene": None if request.has == record["number"] else record,
        "tiles": tiles_record(atlas, request.tiles[:MAX_TILES]) or None,
        "points": None if request.box is None else sampler.points_record(request.box, years),
        # Makes the data change whenever the address does. Unchanged data would not be sent, but the canvas has to put
        # its view into every new address.
        "address": address,
    }
