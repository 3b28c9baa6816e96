"""The world for everyone: the relief of the literature, with footprints, cards and the years."""

import secrets
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.explorer import Pathfinder
from pathfinder.landscape.cards import CLOSE, Card, paper_card, place_card, surprise
from pathfinder.landscape.frame import frame_of
from pathfinder.landscape.layer import Absent, Layer
from pathfinder.landscape.layers.missions import main_slug
from pathfinder.landscape.recolouring import told_apart
from pathfinder.landscape.scene import Dot, Ground, Scene, View
from pathfinder.landscape.scene_record import Manner, scene_record
from pathfinder.landscape.summary import summary
from pathfinder.landscape.whereabouts import nearest_labels
from pathfinder.ui import landscape_cache as cache
from pathfinder.ui import live_canvas, world_files, world_watch
from pathfinder.ui.corpus_years import years_here
from pathfinder.ui.world_state import WorldState, from_address, to_address

_VISIT, _FIRST, _SEEN, _SIZE = (f"world-{name}" for name in ("visit", "first", "seen", "size"))


def read(pf: Pathfinder) -> tuple[WorldState, tuple[str, ...]]:
    """What the address says of this corpus, and notes on what was ignored.

    A mission goes by one name, by which its switch knows it; years that the corpus has not are none.
    """
    here, notes = read_quietly()
    years, of_years = years_here(pf, here.years)
    layers = tuple(dict.fromkeys(map(main_slug, here.layer)))
    return replace(here, layer=layers, years=years), notes + of_years + live_canvas.notes()


def read_quietly() -> tuple[WorldState, tuple[str, ...]]:
    """What the address says, with nothing remembered or forgotten."""
    return from_address({name: st.query_params.get_all(name) for name in st.query_params})


def change(**fields: Any) -> None:
    """Change what the address holds: called back, before the page is drawn again."""
    here, _ = read_quietly()
    st.query_params.from_dict(to_address(replace(here, **fields)))


def restart() -> None:
    """The start, as if nobody had been here: another canvas, and an address with nothing in it."""
    here, _ = read_quietly()
    live_canvas.notes()  # nobody is left to read them
    for key in (_FIRST, _SEEN):
        st.session_state.pop(key, None)
    st.session_state[_VISIT] = _visit() + 1
    st.query_params.from_dict(to_address(WorldState(kiosk=here.kiosk)))


def _visit() -> int:
    visit: int = st.session_state.get(_VISIT, 0)
    return visit


def _key() -> str:
    """Of the canvas: another with every start, so that nothing is left of the visitor before."""
    return f"world-canvas-{_visit()}"


def layers_on(pf: Pathfinder, state: WorldState) -> tuple[tuple[Layer, ...], tuple[str, ...]]:
    """The layers that are on, in colours that are told apart, and why others are not."""
    found, notes = [], []
    for slug in state.layer:
        try:
            one = cache.layer(pf, slug, state.years)
        except UsageError as error:
            notes.append(str(error))
            continue
        if isinstance(one, Absent):
            notes.append(f"{one.title}: {one.why}")
        else:
            found.append(replace(one, slug=slug))  # by which it is taken off
    return told_apart(found, Ground.RELIEF, state.palette), tuple(notes)


def card(pf: Pathfinder, state: WorldState) -> Card | None:
    """The card that is open; `None` where none is, or it is of what this corpus does not have."""
    if state.paper is not None:
        row = int(pf.corpus.papers.rows_of((state.paper,))[0])
        return paper_card(pf.chart, row) if row >= 0 else None
    named = [label for label in pf.chart.atlas.labels if label.text == state.place]
    return place_card(pf.chart, named[0]) if named else None


def scene_of(state: WorldState, layers: tuple[Layer, ...], shown: Card | None) -> Scene:
    """What is drawn; the view is the one that the link began with."""
    dots = () if shown is None or shown.row is None else (Dot(shown.row, shown.x, shown.y, shown.heading),)
    return Scene(Ground.RELIEF, state.palette, state.view, layers, dots, years=state.years)


def show_surprise(pf: Pathfinder) -> None:
    """Open the card of some paper of the chosen years and go there."""
    here, _ = read_quietly()
    try:
        found = surprise(pf.chart, secrets.randbelow(2**32), years_here(pf, here.years)[0])
    except UsageError as error:
        live_canvas.note(error)
        return
    if found.row is not None:
        change(paper=pf.corpus.papers[found.row].paper_id, place=None)
    go(View(found.x, found.y, CLOSE))


def go(view: View) -> None:
    """Have the canvas go to `view` when the page is drawn again."""
    _, n_moves = st.session_state.get(_FIRST, (None, 0))
    st.session_state[_FIRST] = view, n_moves + 1


def canvas(pf: Pathfinder, state: WorldState, scene: Scene) -> None:
    """The world itself."""
    if _key() not in st.session_state:
        # Only where it begins: later the address follows the visitor, and must not lead.
        st.session_state[_FIRST] = state.view, 0
        st.session_state.pop(_SEEN, None)
    first, n_moves = st.session_state[_FIRST]
    drawn = replace(scene, view=first)
    manner = Manner(selects=False, big=state.kiosk, comes=False)
    record = scene_record(drawn, pf.chart.atlas, history=cache.history(pf), manner=manner, n_moves=n_moves)
    heard: live_canvas.Heard = {"click": partial(_click, pf), "years": _choose_years}
    with st.container(key="world-stage"):
        live_canvas.draw(pf, record, live_canvas.Live(_key(), partial(_address, pf), heard))


def _address(pf: Pathfinder) -> tuple[str, live_canvas.Years]:
    here, _ = read_quietly()
    return str(to_address(replace(here, view=None))), years_here(pf, here.years)[0]


@st.fragment
def words(pf: Pathfinder, scene: Scene, is_kiosk: bool) -> None:
    """What is in sight, told anew when the canvas rests, and the map as it is then to be taken along."""
    live_canvas.run_page_if_changed()
    # Other years are another scene, for other layers: the page runs again for these.
    seen = replace(scene, view=st.session_state.get(_SEEN, scene.view))
    size = st.session_state.get(_SIZE, world_watch.SIZE)
    frame = frame_of(pf.chart.extent, seen.view, *size)
    world_watch.watch(summary(seen, pf.chart, frame), size, _moved, _left_alone if is_kiosk else None)
    if not is_kiosk:
        world_files.files(pf, seen)


def _moved() -> None:
    """The canvas rests elsewhere, or has another size. What is drawn anew by itself does not hear of the address."""
    moved = st.session_state[world_watch.KEY].get("moved")
    told = moved if isinstance(moved, dict) else {}
    here, _ = from_address({name: [text] for name, text in told.items() if isinstance(text, str)})
    st.session_state[_SEEN] = here.view
    st.session_state[_SIZE] = world_watch.read_size(told.get("size"))


def _left_alone() -> None:
    restart()
    live_canvas.mark_changed()


def _choose_years(told: Any) -> bool:
    change(years=live_canvas.years_told(told))
    return True


def _click(pf: Pathfinder, told: Any) -> bool:
    """Open the card of the paper, or else of the place whose name is nearest."""
    if not isinstance(told, dict):
        return False
    paper_id = live_canvas.paper_told(pf, told)
    if paper_id is not None:
        change(paper=paper_id, place=None)
    elif near := nearest_labels(pf.chart, float(told.get("x", 0.0)), float(told.get("y", 0.0)), 1):
        change(paper=None, place=near[0].text)
    return True
