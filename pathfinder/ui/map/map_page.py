"""The Map page: the canvas and the reader's choices on it."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.landscape.canvas.scene_record import MAX_POINTS
from pathfinder.landscape.data.layer import Layer, UnavailableLayer
from pathfinder.landscape.drawing.scene import Dot, Ground, MapView, Scene
from pathfinder.types import Region
from pathfinder.ui.map import live_canvas, page_base
from pathfinder.ui.map.map_state import MapState, from_address, to_address

CANVAS = "map-canvas"
_LAST_ADDRESS, _VIEW = "map-left", "map-view"
CLOSE_ZOOM = 3.0
"""Minimum zoom level at which the surroundings of a place are shown rather than the whole map."""
DECIMALS = 4
"""Number of decimals in the coordinates of a region's corners: finer than any screen can show."""

_ADDRESS = page_base.PageAddress(from_address, to_address, view_key=_VIEW)
_CAMERA = page_base.Camera("map-first")
change = _ADDRESS.change
go = _CAMERA.go


def read(pf: Pathfinder) -> tuple[MapState, tuple[str, ...]]:
    """Read the address, with notes about the parts that were ignored; if it is empty, restore the map as it was last
    shown in this tab.

    Years outside the corpus are left out of the state, although they stay in the address until it is changed.
    """
    if CANVAS not in st.session_state:
        st.session_state.pop(_VIEW, None)  # left by the previous canvas
        last = st.session_state.get(_LAST_ADDRESS, {})
        # Back from a question about a region leads to an address with that region alone.
        is_of_region = "view" not in st.query_params and st.query_params.get("region", "") == last.get("region")
        if last and (not len(st.query_params) or is_of_region):
            st.query_params.from_dict(last)
    st.session_state[_LAST_ADDRESS] = to_address(_ADDRESS.read()[0])
    return _ADDRESS.read_for(pf)


def layers_on(pf: Pathfinder, state: MapState) -> tuple[tuple[Layer, ...], tuple[UnavailableLayer, ...]]:
    """Compute the layers that are on, and list those that cannot be drawn, with the reason."""
    return page_base.active_layers(pf, state.layer, state.years, state.ground, state.palette)


def canvas(pf: Pathfinder, state: MapState, layers: Sequence[Layer], dots: Sequence[Dot]) -> None:
    """Draw the map itself."""
    scene = Scene(
        state.ground, state.palette, state.view, tuple(layers), tuple(dots), state.region, state.years, state.names
    )
    listeners: live_canvas.Listeners = {
        "click": page_base.paper_listener(pf, change),
        "select": _select,
        "years": page_base.years_listener(change, plays=True),
    }
    live = live_canvas.LiveCanvas(CANVAS, lambda: _ADDRESS.for_canvas(pf), listeners, _keep_view)
    page_base.draw_canvas(pf, scene, _CAMERA, live, plays_years=state.plays)


def go_near(x: float, y: float) -> None:
    """Move the canvas to a place, zoomed in enough to show its surroundings, or as far as the reader has already zoomed
    in.
    """
    state, _ = _ADDRESS.read()
    go(MapView(x, y, max(CLOSE_ZOOM, state.view.zoom if state.view else 0.0)))


def view_in_link() -> dict[str, str | list[str]]:
    """Return the view that the canvas last reported as a parameter of a link; empty for the whole map."""
    return {"view": to_address(MapState(view=_ADDRESS.read()[0].view)).get("view", "")}


def _keep_view(view: MapView | None) -> None:
    st.session_state[_VIEW] = view


def _select(report: Any) -> bool:
    try:
        region = None if report is None else Region(tuple((round(x, DECIMALS), round(y, DECIMALS)) for x, y in report))
    except UsageError as error:
        live_canvas.note(error)
        return False
    change(region=region)
    return True


def caption(pf: Pathfinder, state: MapState) -> None:
    """Explain the map to a first-time visitor."""
    n = len(pf.corpus.papers)
    limit = f" At most {MAX_POINTS:,} papers are drawn as points; zoom in to see more." if n > MAX_POINTS else ""
    height = "the higher the ground" if state.ground is Ground.RELIEF else "the brighter the ground"
    st.caption(
        f"{n:,} papers: the more papers in a place, {height}. Papers that are close together are about similar "
        "subjects; the axes have no meaning. Draw around a place to see what is studied there, and open a paper by "
        "its dot." + limit
    )
