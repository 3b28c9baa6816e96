"""The map page: the canvas, what lies over it, and what a reader has chosen on it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pathfinder.errors import PathfinderError, UsageError
from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown, readable
from pathfinder.landscape.layer import Absent, Layer
from pathfinder.landscape.recolouring import told_apart
from pathfinder.landscape.scene import Dot, Ground, Scene, View
from pathfinder.landscape.scene_record import MAX_POINTS, scene_record
from pathfinder.types import Region
from pathfinder.ui import atlas, controls
from pathfinder.ui import landscape_cache as cache
from pathfinder.ui import state as asked
from pathfinder.ui.landscape_state import MAX_QUESTION, MapState, from_address, to_address

CANVAS = "map-canvas"
_LEFT, _WANTED, _CHANGED, _ASKED, _NOTES = "map-left", "map-wanted", "map-changed", "map-asked", "map-notes"
_FIRST, _VIEW = "map-first", "map-view"
SPAN = 2
DECIMALS = 4
"""Of the corners of a region: finer than any screen shows."""


def read() -> tuple[MapState, tuple[str, ...]]:
    """What the address says, and notes on what was ignored; without a word, the map as this tab left it."""
    if CANVAS not in st.session_state:
        st.session_state.pop(_VIEW, None)
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


def layers_on(pf: Pathfinder, state: MapState) -> tuple[tuple[Layer, ...], tuple[str, ...]]:
    """The layers that are on, in colours that are told apart, and why others are not."""
    found: list[Layer] = []
    notes = []
    for slug in state.layer:
        try:
            one = cache.layer(pf, slug, state.years)
        except UsageError as error:
            notes.append(str(error))
            continue
        if isinstance(one, Absent):
            notes.append(f"{one.title}: {one.why}")
        else:
            found.append(one)
    return told_apart(found, state.ground, state.palette), tuple(notes)


def dots(pf: Pathfinder, state: MapState) -> tuple[Dot, ...]:
    """The papers of the result that the link names, numbered in its order; those that are not here are left out."""
    coordinates = pf.corpus.coordinates
    if not state.found or coordinates is None:
        return ()
    rows = pf.corpus.papers.rows_of(state.found)
    view = _view_of(state)
    outliers = {} if view is None else {hit.paper.paper_id: hit.outlier for hit in view.result.hits}
    found = []
    for rank, (paper_id, row) in enumerate(zip(state.found, rows.tolist(), strict=True), start=1):
        if row < 0:
            continue
        x, y = coordinates[row].tolist()
        paper = pf.corpus.papers[row]
        found.append(Dot(row, x, y, readable(paper.title), paper.year, rank, outliers.get(paper_id)))
    return tuple(found)


def _view_of(state: MapState) -> asked.View | None:
    """The answer of this tab, if it is the one whose papers the link names, and not that to another question."""
    view = asked.view()
    return view if view is not None and view.result.request.query[:MAX_QUESTION] == state.q else None


def canvas(pf: Pathfinder, state: MapState, layers: Sequence[Layer]) -> None:
    """The map itself. What it asks for while it is moved is answered without running the page again."""
    if pf.atlas is None:
        return
    if CANVAS not in st.session_state:
        # Only where it begins: later the address follows the reader, and must not lead.
        st.session_state[_FIRST] = state.view, 0
    first, n_moves = st.session_state[_FIRST]
    scene = Scene(
        state.ground, state.palette, first, tuple(layers), dots(pf, state), state.region, state.years, state.names
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


def found_line(state: MapState, n: int) -> None:
    """Which result is on the map, and the way back to it; nothing where there is none."""
    if not state.found:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="map-found"):
        papers = "1 paper" if n == 1 else f"{n} papers"
        st.markdown(f"{papers} found for “{for_markdown(state.q)}”" if state.q else f"{papers} found", width="content")
        if st.button("Back to the answer", icon=":material/arrow_back:"):
            if state.q and _view_of(state) is None:
                asked.ask_anew(state.q)
            st.switch_page("pages/ask.py")
        st.button("Take them off", on_click=change, kwargs={"found": (), "q": ""}, type="tertiary")


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
