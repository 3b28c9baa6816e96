"""The Map page: the canvas and the reader's choices on it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.landscape.canvas.scene_record import MAX_POINTS
from pathfinder.landscape.data.layer import Layer
from pathfinder.landscape.drawing.scene import Dot, Ground, MapView, Scene
from pathfinder.types import Region
from pathfinder.ui.map import live_canvas
from pathfinder.ui.map.map_state import PAPERS, MapState, to_address
from pathfinder.ui.map.page_base import MapPage

CANVAS = "map-canvas"
_LAST_ADDRESS = "map-left"
CLOSE_ZOOM = 3.0
"""Minimum zoom level at which the surroundings of a place are shown rather than the whole map."""
DECIMALS = 4
"""Number of decimals in the coordinates of a region's corners: finer than any screen can show."""

PAGE = MapPage("map", PAPERS)
change, go = PAGE.change, PAGE.go


def read(pf: Pathfinder) -> tuple[MapState, tuple[str, ...]]:
    """Read the address, with notes about the parts that were ignored; if it is empty, restore the map as it was last
    shown in this tab.

    Years outside the corpus are left out of the state, although they stay in the address until it is changed.
    """
    if CANVAS not in st.session_state:
        st.session_state.pop(PAGE.view_key, None)  # left by the previous canvas
        last = st.session_state.get(_LAST_ADDRESS, {})
        # Back from a question about a region leads to an address with that region alone.
        is_of_region = "view" not in st.query_params and st.query_params.get("region", "") == last.get("region")
        if last and (not len(st.query_params) or is_of_region):
            st.query_params.from_dict(last)
    st.session_state[_LAST_ADDRESS] = to_address(PAGE.read()[0])
    return PAGE.read_for(pf)


def canvas(pf: Pathfinder, state: MapState, layers: Sequence[Layer], dots: Sequence[Dot]) -> None:
    """Draw the map itself."""
    scene = Scene(
        state.ground, state.palette, state.view, tuple(layers), tuple(dots), state.region, state.years, state.names
    )
    listeners: live_canvas.Listeners = {
        "click": partial(_open_paper, pf),
        "select": _select,
        "years": PAGE.choose_years,
    }
    keep_view = partial(st.session_state.__setitem__, PAGE.view_key)
    live = live_canvas.LiveCanvas(CANVAS, lambda: PAGE.for_canvas(pf), listeners, keep_view)
    PAGE.draw(pf, scene, live, plays_years=state.plays)


def go_near(x: float, y: float) -> None:
    """Move the canvas to a place, zoomed in enough to show its surroundings, or as far as the reader has already zoomed
    in.
    """
    state, _ = PAGE.read()
    go(MapView(x, y, max(CLOSE_ZOOM, state.view.zoom if state.view else 0.0)))


def _open_paper(pf: Pathfinder, report: Any) -> bool:
    """Open the paper that was clicked, if any."""
    if (paper_id := live_canvas.reported_paper(pf, report)) is not None:
        change(paper=paper_id)
    return paper_id is not None


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
