"""The World page: the relief of the literature for the general public, with footprints, cards and the years."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.landscape.canvas.scene_record import CanvasOptions
from pathfinder.landscape.canvas.source import IDLE_SECONDS, idle_clock
from pathfinder.landscape.canvas.standalone import standalone
from pathfinder.landscape.data.layer import LayerInfo
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.drawing.legend import NOTE, legend_html, legend_of
from pathfinder.landscape.drawing.scene import Dot, Ground, MapView, Scene
from pathfinder.landscape.drawing.viewport import MAX_PIXELS, MIN_PIXELS, fit_viewport
from pathfinder.landscape.layers.missions import main_slug
from pathfinder.landscape.naming.descriptions import (
    CARD_ZOOM,
    Card,
    land_at,
    nearest_labels,
    paper_card,
    place_card,
    summary,
    surprise_card,
)
from pathfinder.landscape.picture_files.pictures import draw_png, draw_svg
from pathfinder.landscape.statistics.dates import describe_years
from pathfinder.profile.profile import FacilityCatalogue
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.map import live_canvas, map_cache
from pathfinder.ui.map.layer_panel import PALETTES
from pathfinder.ui.map.map_page import MapPage, layers_on
from pathfinder.ui.map.map_state import PUBLIC, MapState, from_address, to_address, view_in_link
from pathfinder.ui.settings import controls, copied_call
from pathfinder.ui.shared import frame, resources
from pathfinder.ui.shared import state as tab_state
from pathfinder.ui.shared.visit_corpus import write_link
from pathfinder.ui.stars import stars

_VISIT, _IN_VIEW = "world-visit", "world-in-view"


def card(pf: Pathfinder, state: MapState) -> Card | None:
    """Create the card that is open; `None` if there is none, or if its paper or place is not in this corpus."""
    if state.paper is not None:
        row = int(pf.corpus.papers.rows_of((state.paper,))[0])
        return paper_card(pf.drawn_map, row) if row >= 0 else None
    labels = [label for label in pf.drawn_map.atlas.labels if label.text == state.place]
    return place_card(pf.drawn_map, labels[0]) if labels else None


PAGE = MapPage("world", PUBLIC)
change = PAGE.change


def read(pf: Pathfinder) -> tuple[MapState, tuple[str, ...]]:
    """Read the address for this corpus, with notes about the parts that were ignored.

    Aliases of a mission are replaced by the name on its switch; years outside the corpus are left out.
    """
    state, notes = PAGE.read_for(pf)
    return replace(state, layer=tuple(dict.fromkeys(map(main_slug, state.layer)))), notes


def restart() -> None:
    """Restart the page for a new visitor, with a new canvas and an empty address."""
    state, _ = PAGE.read()
    live_canvas.notes()  # discarded, because the visitor who could read them has left
    st.session_state.pop(_IN_VIEW, None)
    st.session_state[_VISIT] = st.session_state.get(_VISIT, 0) + 1
    write_link(to_address(MapState(kiosk=state.kiosk)))
    live_canvas.mark_changed()


def _canvas_key() -> str:
    """Return the key of the canvas, new after every restart, so that nothing remains of the previous visitor."""
    return f"world-canvas-{st.session_state.get(_VISIT, 0)}"


def show_surprise(pf: Pathfinder) -> None:
    """Open the card of a random paper from the chosen years, and move the map to it."""
    state, _ = PAGE.read()
    try:
        surprise = surprise_card(pf.drawn_map, secrets.randbelow(2**32), map_cache.years_here(pf, state.years)[0])
    except UsageError as error:
        live_canvas.note(error)
        return
    if surprise.row is not None:
        change(paper=pf.corpus.papers[surprise.row].paper_id, place=None)
    PAGE.go(MapView(surprise.x, surprise.y, CARD_ZOOM))


def canvas(pf: Pathfinder, state: MapState, scene: Scene) -> None:
    """Draw the world map."""
    if _canvas_key() not in st.session_state:
        st.session_state.pop(_IN_VIEW, None)
    options = CanvasOptions(can_select=False, large=state.kiosk, scrolls_into_view=False)
    listeners: live_canvas.Listeners = {"click": partial(_click, pf), "years": PAGE.choose_years}
    with st.container(key="world-stage"):
        live = live_canvas.LiveCanvas(_canvas_key(), lambda: PAGE.for_canvas(pf), listeners)
        PAGE.draw(pf, scene, live, options)


SIZE = (1000, 700)
"""Assumed size in pixels of a canvas that has not reported its own."""


@dataclass
class _InView:
    """The view and the size in pixels of the canvas when it last came to rest.

    It changes in place: a download is drawn in another thread, where the session state cannot be read.
    """

    view: MapView | None
    size: tuple[int, int] = SIZE


def _in_view(scene: Scene) -> _InView:
    """Return the last report of the canvas; before its first report, the view given in the link."""
    in_view: _InView = st.session_state.setdefault(_IN_VIEW, _InView(scene.view))
    return in_view


@st.fragment
def view_summary(pf: Pathfinder, scene: Scene, is_kiosk: bool) -> None:
    """Describe the part of the map in view whenever the canvas comes to rest."""
    live_canvas.run_page_if_changed()
    # A change of years changes the scene and its layers, so the page is rerun.
    in_view = _in_view(scene)
    visible = replace(scene, view=in_view.view)
    viewport = fit_viewport(pf.drawn_map.extent, visible.view, *in_view.size)
    watch = frame.component(Path(__file__).with_name("world_watch.js"), WORDS, before=idle_clock(), shadow=False)
    watch(  # it reports a move only if the canvas has another view or size than its words are for
        key=KEY,
        data={
            "words": summary(visible, pf.drawn_map, viewport),
            "size": in_view.size,
            "idle_seconds": IDLE_SECONDS if is_kiosk else None,
        },
        on_idle_change=restart if is_kiosk else lambda: None,
        on_moved_change=_keep_view,
    )


def save_buttons(pf: Pathfinder, scene: Scene) -> None:
    """Offer the map for download, with the view that is on screen when the button is clicked.

    The buttons are outside `view_summary`: when a download button is drawn again, Streamlit discards the old file, and
    a click that arrives before the browser knows about the new one fails.
    """
    in_view, map_data, name = _in_view(scene), pf.drawn_map, pf.corpus.name.name

    def drawn(draw: Callable[[Scene, MapData], str | bytes]) -> str | bytes:
        return draw(replace(scene, view=in_view.view), map_data)

    with st.popover("Save the map", icon=":material/download:"):
        for label, suffix, draw in (
            ("Picture (PNG)", "png", draw_png),
            ("Drawing (SVG)", "svg", draw_svg),
            ("Page that works offline (HTML)", "html", partial(standalone, title=f"World of {name}")),
        ):
            frame.save(label, partial(drawn, draw), f"world-{name}.{suffix}", type="tertiary")


def _keep_view() -> None:
    """Store the view, as the browser has written it into the address, and the size of the canvas, because a fragment
    does not see changes to the address.
    """
    report = st.session_state[KEY].get("moved")
    fields = report if isinstance(report, dict) else {}
    state, _ = from_address({name: [text] for name, text in fields.items() if isinstance(text, str)}, PUBLIC)
    in_view: _InView = st.session_state[_IN_VIEW]
    in_view.view, in_view.size = state.view, read_size(fields.get("size"))


def _click(pf: Pathfinder, report: Any) -> bool:
    """Open the card of the paper that was clicked or, failing that and on land, of the nearest name."""
    if not isinstance(report, dict):
        return False
    paper_id = live_canvas.reported_paper(pf, report)
    if paper_id is not None:
        change(paper=paper_id, place=None)
    else:
        x, y = float(report.get("x", 0.0)), float(report.get("y", 0.0))
        near = () if land_at(pf.drawn_map, x, y).name == "sea" else nearest_labels(pf.drawn_map, x, y, 1)
        change(paper=None, place=near[0].text if near else None)
    return True


# Next to the canvas of the World page: a description of the part of the map in view, and the idle timer of a kiosk.

KEY = "watch"


def read_size(report: Any) -> tuple[int, int]:
    """Read the width and height of the canvas as reported by a browser, limited to the sizes allowed for a picture;
    `SIZE` if they cannot be read.
    """
    is_size = isinstance(report, list) and len(report) == len(SIZE) and all(isinstance(side, int) for side in report)
    if not is_size:
        return SIZE
    width, height = (min(max(side, MIN_PIXELS), MAX_PIXELS) for side in report)
    return width, height


WORDS = '<small class="words" role="status" aria-live="polite"></small>'


# What stands beside the map: the surprise, the card, the footprints, the colours and the legend.

N_FIRST = 8
_PALETTE = "world-palette"


def draw(pf: Pathfinder, state: MapState, notes: Sequence[str]) -> None:
    """Draw the map, and beside it surprise, card, footprints, colours and legend; `notes` are on the address."""
    layers, unavailable = layers_on(pf, state, Ground.RELIEF)
    opened = card(pf, state)
    dots = () if opened is None or opened.row is None else (Dot(opened.row, opened.x, opened.y, opened.heading),)
    scene = Scene(Ground.RELIEF, state.palette, state.view, layers, dots, years=state.years)
    st.header("The world of the literature", anchor=False)
    st.markdown(f"{len(pf.corpus.papers):,} papers on one map: the more papers in a place, the higher the land. {NOTE}")
    left, right = st.columns([8, 3], gap="medium")
    with left:
        canvas(pf, state, scene)
        view_summary(pf, scene, state.kiosk)
        if not state.kiosk:
            with st.container(horizontal=True):
                in_view = _in_view(scene)
                copied_call.panel("world", None, pf.corpus.name, beside=lambda: view_in_link(in_view.view))
                save_buttons(pf, scene)
    with right:
        st.button(
            "Surprise me", type="primary", icon=":material/casino:", key="world-surprise", width="stretch",
            on_click=show_surprise, args=(pf,),
        )  # fmt: skip
        card_panel(pf, opened, is_kiosk=state.kiosk)
        footprints(pf, state)
        switches = list(_missions(pf))[:N_FIRST] if state.kiosk else [*_missions(pf), *_features(pf)]
        titles = {layer.slug: layer.title for layer in layers}
        for slug in state.layer:
            if slug not in switches:
                rest = tuple(other for other in state.layer if other != slug)
                st.button(
                    for_markdown(f"Remove {titles.get(slug, slug)}"), key=f"world-off-{slug}", icon=":material/close:",
                    on_click=partial(change, layer=rest),
                )  # fmt: skip
        st.segmented_control(
            "Colours", list(PALETTES), format_func=PALETTES.__getitem__, required=True, wrap=True,
            on_change=lambda: change(palette=st.session_state[_PALETTE]), **controls.following(_PALETTE, state.palette),
        )  # fmt: skip
        st.html(legend_html(legend_of(scene)))
        for layer in layers:
            for text in (layer.description, *layer.notes):
                st.caption(f"{for_markdown(layer.title)}: {for_markdown(text)}")
    if opened is None and state.paper is not None:
        notes = (*notes, f"The paper {state.paper} in this link is not in this library.")
    elif opened is None and state.place is not None:
        notes = (*notes, f"The place {state.place} in this link is not on this map.")
    # A public display leaves out notes about the link, but shows notes about missing data, because visitors may
    # themselves have chosen a layer or years without data.
    controls.notes(*(f"{layer.title}: {layer.reason}" for layer in unavailable), *(() if state.kiosk else notes))


def card_panel(pf: Pathfinder, card: Card | None, *, is_kiosk: bool) -> None:
    """Show the open card; that of a paper with what can be done with it, but not in a kiosk."""
    if card is None:
        st.caption("Tap the land, or press “Surprise me”.")
        return
    with st.container(border=True, gap="xsmall", key="world-card"):
        st.markdown(f"**{for_markdown(card.heading)}**")
        for line in card.lines:
            st.markdown(for_markdown(line))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if card.row is not None and not is_kiosk:
                paper = pf.corpus.papers[card.row]
                st.link_button("Open", resources.paper_url(paper), icon=":material/open_in_new:", type="tertiary")
                stars.star(paper.paper_id, "world", stars.open_shelf())
                if st.button("Ask about it", key="world-ask", icon=":material/search:", type="tertiary"):
                    tab_state.ask_within((paper.paper_id,))
                    frame.go("ask")
            st.button("Close", key="world-close", on_click=partial(change, paper=None, place=None), type="tertiary")


def _missions(pf: Pathfinder) -> dict[str, LayerInfo]:
    """List the missions that papers mention, by slug, famous ones first."""
    missions = {
        layer.slug: layer
        for layer in map_cache.layer_list(pf)
        if isinstance(layer, LayerInfo) and layer.slug.startswith("mission:") and layer.n_papers
    }
    famous = {
        slug: missions[slug] for slug in (f"mission:{name}" for name in pf.profile.page.facilities) if slug in missions
    }
    return famous | missions


def _features(pf: Pathfinder) -> dict[str, str]:
    entries = map_cache.layer_list(pf)
    layers = (each for each in entries if isinstance(each, LayerInfo) and each.slug.startswith("feature:"))
    return {layer.slug: f"{layer.title} ({layer.n_papers or 0:,})" for layer in layers}


def footprints(pf: Pathfinder, state: MapState) -> None:
    """Show switches for missions, the famous ones as buttons and, if there is a keyboard, lists of all others and of
    the features that the corpus has.
    """
    missions, features = _missions(pf), {} if state.kiosk else _features(pf)
    first, rest = tuple(missions)[:N_FIRST], list(missions)[N_FIRST:]
    titles = {slug: f"{layer.title} ({layer.n_papers:,})" for slug, layer in missions.items()}
    if first:
        st.pills(
            "Footprints of telescopes and missions", first, selection_mode="multi", wrap=True,
            format_func=titles.__getitem__, **PAGE.switches("world-missions", first, state.layer),
        )  # fmt: skip
    elif pf.profile.services.facilities is not FacilityCatalogue.NONE:
        st.caption("No paper here mentions a telescope or mission from the catalogue.")
    if rest and not state.kiosk:
        st.multiselect(
            "More missions", rest, format_func=titles.__getitem__, label_visibility="collapsed",
            placeholder=f"{len(rest)} more missions", **PAGE.switches("world-more", rest, state.layer),
        )  # fmt: skip
    if missions and state.years is not None:
        st.caption(f"Paper counts are for all years; footprints show {describe_years(state.years)}.")
    if features:
        st.multiselect(
            "Features", list(features), format_func=features.__getitem__, placeholder=f"{len(features)} features",
            **PAGE.switches("world-features", features, state.layer),
        )  # fmt: skip
