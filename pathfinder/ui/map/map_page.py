"""A page with a map: its address, the view of its canvas, its layers and its years; and the map of the papers."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.landscape.canvas.scene_record import MAX_POINTS, CanvasOptions, scene_record
from pathfinder.landscape.data.layer import Layer, UnavailableLayer
from pathfinder.landscape.drawing.palettes import assign_colours
from pathfinder.landscape.drawing.scene import Dot, Ground, MapView, Scene
from pathfinder.types import Region
from pathfinder.ui.map import live_canvas, map_cache
from pathfinder.ui.map.map_state import MAX_LAYERS, PAPERS, MapState, from_address, to_address
from pathfinder.ui.settings.controls import following
from pathfinder.ui.shared import frame
from pathfinder.ui.shared.visit_corpus import PARAMETERS, write_link


@dataclass(frozen=True, slots=True)
class MapPage:
    """A page with a map. Its address stores the reader's choices, so that a link reproduces the page; the session
    stores the view to which the server last moved the canvas, from where the reader moves it.
    """

    name: str
    """Beginning of its keys in the session state."""
    known: frozenset[str]
    """Parameters of its address."""

    @property
    def view_key(self) -> str:
        """Key of the view that the canvas last reported, which the browser does not include in the address; nothing is
        stored there for a page that does not need it.
        """
        return f"{self.name}-view"

    def read(self) -> tuple[MapState, tuple[str, ...]]:
        """Read the address as it is, with notes about the parts that were ignored."""
        own = {name: st.query_params.get_all(name) for name in st.query_params if name not in PARAMETERS}
        state, notes = from_address(own, self.known)
        if frame.is_gone_back():
            st.session_state.pop(self.view_key, None)  # the address has that of the step gone back to
        return replace(state, view=st.session_state.get(self.view_key, state.view)), notes

    def read_for(self, pf: Pathfinder) -> tuple[MapState, tuple[str, ...]]:
        """Read the address for a given corpus, with all notes for the reader; years outside the corpus are left out."""
        state, notes = self.read()
        years, years_notes = map_cache.years_here(pf, state.years)
        return replace(state, years=years), notes + years_notes + live_canvas.notes()

    def change(self, **fields: Any) -> None:
        """Change parts of the address; for use in callbacks, before the page is drawn again."""
        write_link(to_address(replace(self.read()[0], **fields)))

    def set_layers(self, slugs: Sequence[str]) -> None:
        """Switch these layers on and no others or, if they are too many, leave a note for the page to show."""
        if len(slugs) <= MAX_LAYERS:
            self.change(layer=tuple(slugs))
        else:
            fault = f"at most {MAX_LAYERS} layers can be on at once: remove one before you add another"
            live_canvas.note(UsageError(fault))

    def switches(self, key: str, slugs: Collection[str], active: Sequence[str]) -> dict[str, Any]:
        """Return what makes the widget `key` switch the layers `slugs` on and off; others that are `active` stay on."""

        def switch() -> None:
            choice = st.session_state[key]
            kept = [slug for slug in active if slug not in slugs or slug in choice]
            self.set_layers((*kept, *(slug for slug in choice if slug not in kept)))

        return {"on_change": switch, **following(key, [slug for slug in active if slug in slugs])}

    def choose_years(self, report: Any) -> bool:
        """Store the years that were chosen on the canvas in the address; the page is run again."""
        self.change(years=live_canvas.reported_years(report))
        return True

    def for_canvas(self, pf: Pathfinder) -> tuple[str, live_canvas.Years]:
        """Return everything that determines the canvas: the address without its view, and the years."""
        state, _ = self.read()
        return str(to_address(replace(state, view=None))), map_cache.years_here(pf, state.years)[0]

    def go(self, view: MapView | None) -> None:
        """Move the canvas to `view` when the page is drawn again."""
        _, n_moves = st.session_state.get(f"{self.name}-first", (None, 0))
        st.session_state[f"{self.name}-first"] = view, n_moves + 1

    def draw(
        self,
        pf: Pathfinder,
        scene: Scene,
        live: live_canvas.LiveCanvas,
        options: CanvasOptions | None = None,
        *,
        plays_years: bool = True,
    ) -> None:
        """Draw `scene`, first as seen in the link; from then on the address follows the reader's movements. Requests
        that the canvas makes while being moved do not run the page again.
        """
        if pf.atlas is None:
            return
        if live.key not in st.session_state:
            st.session_state[f"{self.name}-first"] = scene.view, 0
        elif frame.is_gone_back():
            self.go(scene.view)
        view, n_moves = st.session_state.get(f"{self.name}-first", (None, 0))
        history = map_cache.history(pf) if plays_years else None
        record = scene_record(
            replace(scene, view=view), pf.atlas, history=history, options=options or CanvasOptions(), n_moves=n_moves
        )
        live_canvas.draw(pf, record, live)


def layers_on(
    pf: Pathfinder, state: MapState, ground: Ground
) -> tuple[tuple[Layer, ...], tuple[UnavailableLayer, ...]]:
    """Compute the layers that are on, in colours that are distinct on `ground`, and list those that cannot be drawn,
    with the reason.

    Each layer keeps the slug that it has in the address; this slug may be an alias, and is used to remove the layer. A
    layer that is on under two names is drawn once.
    """
    layers: dict[str, Layer] = {}
    unavailable = []
    for slug in state.layer:
        layer: Layer | UnavailableLayer
        try:
            layer = map_cache.layer(pf, slug, state.years)
        except UsageError as error:
            layer = UnavailableLayer(slug, slug, str(error))
        if isinstance(layer, UnavailableLayer):
            unavailable.append(replace(layer, slug=slug))
        elif layer.slug in layers:
            reason = f"it is already on as {layers[layer.slug].slug}: remove one of the two"
            unavailable.append(UnavailableLayer(slug, layer.title, reason))
        else:
            layers[layer.slug] = replace(layer, slug=slug)
    return assign_colours(layers.values(), ground, state.palette), tuple(unavailable)


# The map of the papers: the canvas and the reader's choices on it.

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
    """Move the canvas to a place, zoomed in enough to show its surroundings, or as far as it is already."""
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
