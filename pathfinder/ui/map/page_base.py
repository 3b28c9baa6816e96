"""The parts shared by every page with a map: its address, the camera of its canvas, its layers and its years."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, replace
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.landscape.canvas.scene_record import CanvasOptions, scene_record
from pathfinder.landscape.data.layer import Layer, UnavailableLayer
from pathfinder.landscape.drawing.palettes import assign_colours
from pathfinder.landscape.drawing.scene import Ground, MapView, Palette, Scene
from pathfinder.ui.map import live_canvas, map_cache
from pathfinder.ui.map.live_canvas import Years
from pathfinder.ui.map.map_cache import years_here
from pathfinder.ui.map.map_state import MAX_LAYERS
from pathfinder.ui.shared import frame
from pathfinder.ui.shared.visit_corpus import PARAMETERS, write_link


class PageState(Protocol):
    """A frozen dataclass of the reader's choices that are stored in the address."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def view(self) -> MapView | None:
        """Part of the map in view; `None` for the whole map."""

    @property
    def years(self) -> Years:
        """Years whose papers are shown; `None` for all years."""


State = TypeVar("State", bound=PageState)


@dataclass(frozen=True, slots=True)
class PageAddress(Generic[State]):
    """The address bar of a page: it stores the reader's choices, so that a link reproduces the page."""

    parse: Callable[[Mapping[str, Sequence[str]]], tuple[State, tuple[str, ...]]]
    """Reads the parameters of a link, with a note about each one that was ignored."""
    write: Callable[[State], dict[str, str | list[str]]]
    """Writes the parameters of a link; default values are left out."""
    view_key: str = ""
    """Session-state key of the view that the canvas last reported, which the browser does not include in the address;
    empty if the page does not need it.
    """

    def read(self) -> tuple[State, tuple[str, ...]]:
        """Read the address as it is, with notes about the parts that were ignored."""
        state, notes = self.parse(
            {name: st.query_params.get_all(name) for name in st.query_params if name not in PARAMETERS}
        )
        if self.view_key and frame.is_gone_back():
            st.session_state.pop(self.view_key, None)  # the address has that of the step gone back to
        if self.view_key and self.view_key in st.session_state:
            return replace(state, view=st.session_state[self.view_key]), notes
        return state, notes

    def read_for(self, pf: Pathfinder) -> tuple[State, tuple[str, ...]]:
        """Read the address for a given corpus, with all notes for the reader; years outside the corpus are left out."""
        state, notes = self.read()
        years, years_notes = years_here(pf, state.years)
        return replace(state, years=years), notes + years_notes + live_canvas.notes()

    def change(self, **fields: Any) -> None:
        """Change parts of the address; for use in callbacks, before the page is drawn again."""
        self.set(replace(self.read()[0], **fields))

    def set(self, state: State) -> None:
        """Write `state` into the address."""
        write_link(self.write(state))

    def for_canvas(self, pf: Pathfinder) -> tuple[str, Years]:
        """Return everything that determines the canvas: the address without its view, and the years."""
        state, _ = self.read()
        return str(self.write(replace(state, view=None))), years_here(pf, state.years)[0]


@dataclass(frozen=True, slots=True)
class Camera:
    """The view to which the server last moved the canvas; the reader moves it from there."""

    key: str
    """Key in the session state."""

    def start(self, view: MapView | None) -> None:
        """Start with the view in the link. This is done only once: from then on the address follows the reader's
        movements.
        """
        st.session_state[self.key] = view, 0

    def position(self) -> tuple[MapView | None, int]:
        """Return the view, and the number of times the canvas has been moved by the server."""
        position: tuple[MapView | None, int] = st.session_state.get(self.key, (None, 0))
        return position

    def go(self, view: MapView | None) -> None:
        """Move the canvas to `view` when the page is drawn again."""
        st.session_state[self.key] = view, self.position()[1] + 1

    def forget(self) -> None:
        """Forget the view, so that the next canvas starts afresh."""
        st.session_state.pop(self.key, None)


def draw_canvas(
    pf: Pathfinder,
    scene: Scene,
    camera: Camera,
    live: live_canvas.LiveCanvas,
    options: CanvasOptions | None = None,
    *,
    plays_years: bool = True,
) -> None:
    """Draw `scene` as seen by `camera`; requests that the canvas makes while being moved do not run the page again."""
    if pf.atlas is None:
        return
    if live.key not in st.session_state:
        camera.start(scene.view)
    elif frame.is_gone_back():
        camera.go(scene.view)
    view, n_moves = camera.position()
    history = map_cache.history(pf) if plays_years else None
    record = scene_record(
        replace(scene, view=view), pf.atlas, history=history, options=options or CanvasOptions(), n_moves=n_moves
    )
    live_canvas.draw(pf, record, live)


def active_layers(
    pf: Pathfinder, slugs: Sequence[str], years: Years, ground: Ground, palette: Palette
) -> tuple[tuple[Layer, ...], tuple[UnavailableLayer, ...]]:
    """Compute the layers that are on, in distinct colours, and list those that cannot be drawn, with the reason.

    Each layer keeps the slug that it has in the address; this slug may be an alias, and is used to remove the layer. A
    layer that is on under two names is drawn once.
    """
    layers: dict[str, Layer] = {}
    unavailable = []
    for slug in slugs:
        layer: Layer | UnavailableLayer
        try:
            layer = map_cache.layer(pf, slug, years)
        except UsageError as error:
            layer = UnavailableLayer(slug, slug, str(error))
        if isinstance(layer, UnavailableLayer):
            unavailable.append(replace(layer, slug=slug))
        elif layer.slug in layers:
            reason = f"it is already on as {layers[layer.slug].slug}: remove one of the two"
            unavailable.append(UnavailableLayer(slug, layer.title, reason))
        else:
            layers[layer.slug] = replace(layer, slug=slug)
    return assign_colours(layers.values(), ground, palette), tuple(unavailable)


def with_chosen(active: tuple[str, ...], slugs: Sequence[str], choice: Sequence[str]) -> tuple[str, ...]:
    """List the layers that are on once the switches for `slugs` have been set so that only those in `choice` are on."""
    others = [slug for slug in active if slug not in slugs or slug in choice]
    return within_limit((*others, *(slug for slug in choice if slug not in others)), active)


def within_limit(wanted_layers: tuple[str, ...], active: tuple[str, ...]) -> tuple[str, ...]:
    """Return `wanted_layers` or, if there are too many, return `active` and leave a note for the page to show."""
    if len(wanted_layers) <= MAX_LAYERS:
        return wanted_layers
    live_canvas.note(UsageError(f"at most {MAX_LAYERS} layers can be on at once: remove one before you add another"))
    return active


def years_listener(change: Callable[..., None], **fields: Any) -> Callable[[Any], bool]:
    """Make the callback for years chosen on the canvas: it stores them in the address, and the page is rerun."""

    def choose(report: Any) -> bool:
        change(years=live_canvas.reported_years(report), **fields)
        return True

    return choose


def paper_listener(pf: Pathfinder, change: Callable[..., None]) -> Callable[[Any], bool]:
    """Make the callback for a click on the canvas: it opens the paper that was clicked, if any."""

    def open_paper(report: Any) -> bool:
        paper_id = live_canvas.reported_paper(pf, report)
        if paper_id is not None:
            change(paper=paper_id)
        return paper_id is not None

    return open_paper
