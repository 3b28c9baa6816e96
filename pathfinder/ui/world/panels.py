"""The panels next to the world map: the surprise button, the card, the footprints, the colours and the legend."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pathfinder.facade import Pathfinder
from pathfinder.landscape.data.layer import Layer, LayerInfo
from pathfinder.landscape.drawing.legend import NOTE, legend_html, legend_of
from pathfinder.landscape.drawing.scene import Scene
from pathfinder.landscape.naming.descriptions import Card
from pathfinder.landscape.statistics.dates import describe_years
from pathfinder.profile.profile import FacilityCatalogue
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Paper
from pathfinder.ui.map import map_cache
from pathfinder.ui.map.layer_panel import PALETTES
from pathfinder.ui.map.page_base import with_chosen
from pathfinder.ui.settings.widgets import following
from pathfinder.ui.shared import resources
from pathfinder.ui.shared import state as tab_state
from pathfinder.ui.shared.frame import script
from pathfinder.ui.shared.visit_corpus import link_parameters
from pathfinder.ui.stars import stars
from pathfinder.ui.world.world_page import WorldState, change, show_surprise

N_FIRST = 8
_PILLS, _MORE, _FEATURES, _PALETTE = "world-missions", "world-more", "world-features", "world-palette"


def heading(pf: Pathfinder) -> None:
    """Explain the world map to a first-time visitor."""
    st.header("The world of the literature", anchor=False)
    st.markdown(f"{len(pf.corpus.papers):,} papers on one map: the more papers in a place, the higher the land. {NOTE}")


def surprise_button(pf: Pathfinder) -> None:
    """Show a button that moves the map to a different random place each time it is pressed."""
    st.button(
        "Surprise me", type="primary", icon=":material/casino:", key="world-surprise", width="stretch",
        on_click=show_surprise, args=(pf,),
    )  # fmt: skip


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
                _actions(pf.corpus.papers[card.row])
            st.button("Close", key="world-close", on_click=partial(change, paper=None, place=None), type="tertiary")


def _actions(paper: Paper) -> None:
    st.link_button("Open", resources.paper_url(paper), icon=":material/open_in_new:", type="tertiary")
    stars.star(paper.paper_id, "world", stars.open_shelf())
    if st.button("Ask about it", key="world-ask", icon=":material/search:", type="tertiary"):
        tab_state.ask_within((paper.paper_id,))
        st.switch_page(script("ask"), query_params=link_parameters())


def missing_card(state: WorldState, card: Card | None) -> tuple[str, ...]:
    """Return a note if the paper or place in the address is not in this corpus."""
    if card is not None:
        return ()
    if state.paper is not None:
        return (f"The paper {state.paper} in this link is not in this library.",)
    return () if state.place is None else (f"The place {state.place} in this link is not on this map.",)


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


def footprints(pf: Pathfinder, state: WorldState) -> None:
    """Show switches for missions: the famous ones as buttons and, if there is a keyboard, all others in a list."""
    missions = _missions(pf)
    if not missions:
        if pf.profile.services.facilities is not FacilityCatalogue.NONE:
            st.caption("No paper here mentions a telescope or mission from the catalogue.")
        return
    first, rest = tuple(missions)[:N_FIRST], list(missions)[N_FIRST:]
    titles = {slug: f"{layer.title} ({layer.n_papers:,})" for slug, layer in missions.items()}
    on = following(_PILLS, [slug for slug in state.layer if slug in first])
    st.pills(
        "Footprints of telescopes and missions", first, selection_mode="multi", wrap=True,
        format_func=titles.__getitem__, on_change=_switch, args=(_PILLS, first, state), **on,
    )  # fmt: skip
    if rest and not state.kiosk:
        on = following(_MORE, [slug for slug in state.layer if slug in rest])
        st.multiselect(
            "More missions", rest, format_func=titles.__getitem__, label_visibility="collapsed",
            placeholder=f"{len(rest)} more missions", on_change=_switch, args=(_MORE, tuple(rest), state), **on,
        )  # fmt: skip

    if state.years is not None:
        st.caption(f"Paper counts are for all years; footprints show {describe_years(state.years)}.")


def _features(pf: Pathfinder) -> dict[str, str]:
    entries = map_cache.layer_list(pf)
    layers = (each for each in entries if isinstance(each, LayerInfo) and each.slug.startswith("feature:"))
    return {layer.slug: f"{layer.title} ({layer.n_papers or 0:,})" for layer in layers}


def feature_list(pf: Pathfinder, state: WorldState) -> None:
    """Show a list of features to switch on, if the corpus has any and there is a keyboard."""
    titles = _features(pf)
    if not titles or state.kiosk:
        return
    on = following(_FEATURES, [slug for slug in state.layer if slug in titles])
    st.multiselect(
        "Features", list(titles), format_func=titles.__getitem__, placeholder=f"{len(titles)} features",
        on_change=_switch, args=(_FEATURES, tuple(titles), state), **on,
    )  # fmt: skip


def switches_off(pf: Pathfinder, state: WorldState, layers: Sequence[Layer]) -> None:
    """Show a button to remove each layer that was turned on by a link and has no switch here."""
    switches = list(_missions(pf))[:N_FIRST] if state.kiosk else [*_missions(pf), *_features(pf)]
    titles = {layer.slug: layer.title for layer in layers}
    for slug in state.layer:
        if slug not in switches:
            rest = tuple(other for other in state.layer if other != slug)
            st.button(
                for_markdown(f"Remove {titles.get(slug, slug)}"), key=f"world-off-{slug}", icon=":material/close:",
                on_click=partial(change, layer=rest),
            )  # fmt: skip


def _switch(key: str, slugs: Sequence[str], state: WorldState) -> None:
    change(layer=with_chosen(state.layer, slugs, st.session_state[key]))


def palette(state: WorldState) -> None:
    """Offer palettes for every kind of colour vision and for high contrast."""
    st.segmented_control(
        "Colours", list(PALETTES), format_func=PALETTES.__getitem__, required=True,
        on_change=lambda: change(palette=st.session_state[_PALETTE]), **following(_PALETTE, state.palette),
    )  # fmt: skip


def legend(scene: Scene, layers: Sequence[Layer]) -> None:
    """Explain the colours, and describe each layer that is on."""
    st.html(legend_html(legend_of(scene)))
    for layer in layers:
        for text in (layer.description, *layer.notes):
            st.caption(f"{for_markdown(layer.title)}: {for_markdown(text)}")
