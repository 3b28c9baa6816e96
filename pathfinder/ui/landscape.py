"""The map page: the canvas, what lies over it, and what a reader has chosen on it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pathfinder.errors import PathfinderError, UsageError
from pathfinder.explorer import Pathfinder
from pathfinder.landscape.layer import Absent, Layer
from pathfinder.landscape.recolouring import told_apart
from pathfinder.landscape.scene import Dot, Ground, Scene, View
from pathfinder.landscape.scene_record import MAX_POINTS, scene_record
from pathfinder.types import Region
from pathfinder.ui import atlas, controls
from pathfinder.ui import landscape_cache as cache
from pathfinder.ui.landscape_state import MapState, from_address, to_address

CANVAS = "map-canvas"
_LEFT, _WANTED, _CHANGED, _ASKED, _NOTES = "map-left", "map-wanted", "map-changed", "map-asked", "map-notes"
_FIRST, _VIEW = "map-first", "map-view"
SPAN = 2
DECIMALS = 4
"""Of the corners of a region: finer than any screen shows."""


def read() -> tuple[MapState, tuple[str, ...]]:
    """What the address says, and notes on what was ignored; without a word, the map as this tab left it."""
    if CANVAS not in st.session_state:
        for key in (_VIEW, _ASKED, _WANTED):  # of the canvas before, which is gone
            st.session_state.pop(key, None)
        if not len(st.query_params) and _LEFT in st.session_state:
            st.query_params.from_dict(st.session_state[_LEFT])
    here, notes = _here()
    st.session_state[_LEFT] = to_address(here)
    return here, notes + st.session_state.pop(_NOTES, ())


def change(**fields: Any) -> None:
    """Change what the address holds: called back, before the page is drawn again."""
    st.query_params.from_dict(to_address(replace(_here()[0], **fields)))


def _here() -> tuple[MapState, tuple[str, ...]]:
    """The state of the address, with the view that the canvas told of last: the browser keeps that from the server."""
    here, notes = from_address({name: st.query_params.get_all(name) for name in st.query_params})
    return (replace(here, view=st.session_state[_VIEW]) if _VIEW in st.session_state else here), notes


def layers_on(pf: Pathfinder, state: MapState) -> tuple[tuple[Layer, ...], tuple[Absent, ...]]:
    """The layers that are on, in colours that are told apart, and those that cannot be drawn, with the reason.

    Each has the slug that the address has, by which it is taken off, and which may be another name of the same.
    """
    found, missing = [], []
    for slug in state.layer:
        try:
            one = cache.layer(pf, slug, state.years)
        except UsageError as error:
            missing.append(Absent(slug, slug, str(error)))
            continue
        if isinstance(one, Absent):
            missing.append(replace(one, slug=slug))
        else:
            found.append(replace(one, slug=slug))
    return told_apart(found, state.ground, state.palette), tuple(missing)


def canvas(pf: Pathfinder, state: MapState, layers: Sequence[Layer], dots: Sequence[Dot]) -> None:
    """The map itself. What it asks for while it is moved is answered without running the page again."""
    if pf.atlas is None:
        return
    if CANVAS not in st.session_state:
        # Only where it begins: later the address follows the reader, and must not lead.
        st.session_state[_FIRST] = state.view, 0
    first, n_moves = st.session_state[_FIRST]
    scene = Scene(
        state.ground, state.palette, first, tuple(layers), tuple(dots), state.region, state.years, state.names
    )
    _canvas(pf, scene_record(scene, pf.atlas, history=cache.history(pf) if state.plays else None, n_moves=n_moves))


def go(view: View) -> None:
    """Have the canvas go to `view` when the page is drawn again."""
    _, n_moves = st.session_state.get(_FIRST, (None, 0))
    st.session_state[_FIRST] = view, n_moves + 1


@st.fragment
def _canvas(pf: Pathfinder, record: dict[str, Any]) -> None:
    if st.session_state.pop(_CHANGED, False):
        st.rerun()
    sampler = cache.sampler(pf)
    if pf.atlas is None or sampler is None:
        return
    wanted = st.session_state.pop(_WANTED, None)
    if wanted is None and not st.session_state.get(_ASKED):
        wanted = atlas.first_wanted(pf.atlas)
    try:
        here, _ = _here()
        address = str(to_address(replace(here, view=None)))
        data = atlas.reply(record, wanted or atlas.Wanted(), pf.atlas, sampler, here.years, address)
    except PathfinderError as error:
        controls.failure(error)
        return
    atlas.draw(CANVAS, data, {"want": _want, "click": partial(_click, pf), "select": _select, "years": _years})


def _told(name: str) -> Any:
    return st.session_state[CANVAS].get(name)


def _note(error: ValueError) -> None:
    st.session_state[_NOTES] = (str(error),)


def _want() -> None:
    st.session_state[_ASKED] = True
    try:
        wanted = atlas.Wanted.read(_told("want"))
    except ValueError as error:
        _note(error)
        return
    st.session_state[_WANTED], st.session_state[_VIEW] = wanted, wanted.view


def _click(pf: Pathfinder) -> None:
    told = _told("click")
    row = told.get("row") if isinstance(told, dict) else None
    if isinstance(row, int) and 0 <= row < len(pf.corpus.papers):
        change(paper=pf.corpus.papers[row].paper_id)
        st.session_state[_CHANGED] = True


def _select() -> None:
    told = _told("select")
    try:
        region = None if told is None else Region(tuple((round(x, DECIMALS), round(y, DECIMALS)) for x, y in told))
    except UsageError as error:
        _note(error)
        return
    change(region=region)
    st.session_state[_CHANGED] = True


def _years() -> None:
    told = _told("years")
    is_span = isinstance(told, list) and len(told) == SPAN and all(isinstance(year, int) for year in told)
    change(plays=True, years=(told[0], told[1]) if is_span else None)
    st.session_state[_CHANGED] = True


def caption(pf: Pathfinder, state: MapState) -> None:
    """What the map is, for whoever sees it for the first time."""
    n = len(pf.corpus.papers)
    drawn = f" At most {MAX_POINTS:,} are drawn as points at once: zoom in for more." if n > MAX_POINTS else ""
    height = "the higher the ground" if state.ground is Ground.RELIEF else "the brighter the ground"
    st.caption(
        f"{n:,} papers; the more there are in a place, {height}. Near means alike in subject; the axes mean nothing. "
        "Point at a paper to see its title, click it to open it, draw a box or a region to ask what is studied there."
        + drawn
    )
