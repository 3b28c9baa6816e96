"""The map page: the canvas, what lies over it, and what a reader has chosen on it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.explorer import Pathfinder
from pathfinder.landscape.layer import Absent, Layer
from pathfinder.landscape.recolouring import told_apart
from pathfinder.landscape.scene import Dot, Ground, Scene, View
from pathfinder.landscape.scene_record import scene_record
from pathfinder.landscape.view_record import MAX_POINTS
from pathfinder.types import Region
from pathfinder.ui import landscape_cache as cache
from pathfinder.ui import live_canvas
from pathfinder.ui.corpus_years import years_here
from pathfinder.ui.landscape_state import MapState, from_address, to_address

CANVAS = "map-canvas"
_LEFT, _FIRST, _VIEW = "map-left", "map-first", "map-view"
NEAR = 3.0
"""The zoom from which the surroundings of a place are seen, and are not all there is."""
DECIMALS = 4
"""Of the corners of a region: finer than any screen shows."""


def read(pf: Pathfinder) -> tuple[MapState, tuple[str, ...]]:
    """What the address says, and notes on what was ignored; without a word, the map as this tab left it.

    Years that the corpus has not are none of the state's, though the address has them until it is changed.
    """
    if CANVAS not in st.session_state:
        st.session_state.pop(_VIEW, None)  # of the canvas before, which is gone
        if not len(st.query_params) and _LEFT in st.session_state:
            st.query_params.from_dict(st.session_state[_LEFT])
    here, notes = _here()
    st.session_state[_LEFT] = to_address(here)
    years, of_years = years_here(pf, here.years)
    return replace(here, years=years), notes + of_years + live_canvas.notes()


def change(**fields: Any) -> None:
    """Change what the address holds: called back, before the page is drawn again."""
    st.query_params.from_dict(to_address(replace(_here()[0], **fields)))


def _here() -> tuple[MapState, tuple[str, ...]]:
    """The state of the address, with the view that the canvas told of last: the browser keeps that from the server."""
    here, notes = from_address({name: st.query_params.get_all(name) for name in st.query_params})
    return (replace(here, view=st.session_state[_VIEW]) if _VIEW in st.session_state else here), notes


def layers_on(pf: Pathfinder, state: MapState) -> tuple[tuple[Layer, ...], tuple[Absent, ...]]:
    """The layers that are on, in colours that are told apart, and those that cannot be drawn, with the reason.

    Each has the slug that the address has, by which it is taken off, and which may be another name of the same: what
    is on by two names is drawn once.
    """
    found, missing = [], []
    drawn: dict[str, str] = {}
    for slug in state.layer:
        try:
            one = cache.layer(pf, slug, state.years)
        except UsageError as error:
            missing.append(Absent(slug, slug, str(error)))
            continue
        if isinstance(one, Absent):
            missing.append(replace(one, slug=slug))
        elif one.slug in drawn:
            missing.append(Absent(slug, one.title, f"it is drawn already, as {drawn[one.slug]}: take one of them off"))
        else:
            drawn[one.slug] = slug
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
    record = scene_record(scene, pf.atlas, history=cache.history(pf) if state.plays else None, n_moves=n_moves)
    heard: live_canvas.Heard = {"click": partial(_click, pf), "select": _select, "years": _choose_years}
    live_canvas.draw(pf, record, live_canvas.Live(CANVAS, partial(_address, pf), heard, _see))


def go(view: View) -> None:
    """Have the canvas go to `view` when the page is drawn again."""
    _, n_moves = st.session_state.get(_FIRST, (None, 0))
    st.session_state[_FIRST] = view, n_moves + 1


def go_near(x: float, y: float) -> None:
    """Have the canvas go to a place, so near that what lies around it is seen, or as near as its reader is."""
    here, _ = _here()
    go(View(x, y, max(NEAR, here.view.zoom if here.view else 0.0)))


def _address(pf: Pathfinder) -> tuple[str, live_canvas.Years]:
    here, _ = _here()
    return str(to_address(replace(here, view=None))), years_here(pf, here.years)[0]


def _see(view: View | None) -> None:
    st.session_state[_VIEW] = view


def _click(pf: Pathfinder, told: Any) -> bool:
    paper_id = live_canvas.paper_told(pf, told)
    if paper_id is not None:
        change(paper=paper_id)
    return paper_id is not None


def _select(told: Any) -> bool:
    try:
        region = None if told is None else Region(tuple((round(x, DECIMALS), round(y, DECIMALS)) for x, y in told))
    except UsageError as error:
        live_canvas.note(error)
        return False
    change(region=region)
    return True


def _choose_years(told: Any) -> bool:
    change(plays=True, years=live_canvas.years_told(told))
    return True


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
