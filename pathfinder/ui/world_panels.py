"""What stands beside the world: the surprise, the card, the footprints, the colours and the legend."""

from collections.abc import Sequence
from functools import partial
from html import escape

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown
from pathfinder.landscape.cards import Card
from pathfinder.landscape.layer import Layer, Offer
from pathfinder.landscape.layers.dates import in_words
from pathfinder.landscape.legend import NOTE, Entry, Sign, legend_of
from pathfinder.landscape.scene import Scene
from pathfinder.ui import landscape_cache as cache
from pathfinder.ui.dashes import gaps
from pathfinder.ui.following import following
from pathfinder.ui.landscape_settings import PALETTES
from pathfinder.ui.layer_limit import within_limit
from pathfinder.ui.world import change, show_surprise
from pathfinder.ui.world_state import WorldState

FAMOUS = ("jwst", "hubble", "gaia", "ligo", "kepler", "chandra", "planck", "fermi")
"""Missions that are offered first, where the corpus has papers on them."""
N_FIRST = 8
_PILLS, _MORE, _PALETTE = "world-missions", "world-more", "world-palette"


def heading(pf: Pathfinder) -> None:
    """What is to be seen, for whoever sees it for the first time."""
    st.header("The world of the literature", anchor=False)
    st.markdown(f"{len(pf.corpus.papers):,} papers, each with its place: the more of them, the higher the land. {NOTE}")


def surprise_button(pf: Pathfinder) -> None:
    """Somewhere else with every press."""
    st.button(
        "Surprise me", type="primary", icon=":material/casino:", key="world-surprise", width="stretch",
        on_click=show_surprise, args=(pf,),
    )  # fmt: skip


def card_panel(card: Card | None) -> None:
    """The card that is open, with no link in it."""
    if card is None:
        st.caption("Tap the map, or be surprised.")
        return
    with st.container(border=True, gap="xsmall", key="world-card"):
        st.markdown(f"**{for_markdown(card.heading)}**")
        for line in card.lines:
            st.markdown(for_markdown(line))
        st.button("Close", key="world-close", on_click=partial(change, paper=None, place=None), type="tertiary")


def not_here(state: WorldState, shown: Card | None) -> tuple[str, ...]:
    """A note on the paper or the place that the address names and that this corpus does not have, if so."""
    if shown is not None:
        return ()
    if state.paper is not None:
        return (f"The paper {state.paper} of the link is not in this corpus.",)
    return () if state.place is None else (f"The place {state.place} of the link is not on this map.",)


def _missions(pf: Pathfinder) -> dict[str, Offer]:
    """Those that papers name, by slug; the famous ones first."""
    offers = [offer for offer in cache.offers(pf) if isinstance(offer, Offer) and offer.slug.startswith("mission:")]
    named = {offer.slug: offer for offer in offers if offer.n_papers}
    famous = {slug: named[slug] for slug in (f"mission:{name}" for name in FAMOUS) if slug in named}
    return famous | named


def footprints(pf: Pathfinder, state: WorldState) -> None:
    """Missions to be switched on: the famous ones at a tap, and, where there is a keyboard, all others."""
    missions = _missions(pf)
    if not missions:
        st.caption("No paper here names a telescope or a mission that is known.")
        return
    first, rest = tuple(missions)[:N_FIRST], list(missions)[N_FIRST:]
    titles = {slug: f"{offer.title} ({offer.n_papers:,})" for slug, offer in missions.items()}
    on = following(_PILLS, [slug for slug in state.layer if slug in first])
    st.pills(
        "Footprints of telescopes and missions", first, selection_mode="multi", wrap=True,
        format_func=titles.__getitem__, on_change=_take, args=(_PILLS, first, state), **on,
    )  # fmt: skip
    if rest and not state.kiosk:
        on = following(_MORE, [slug for slug in state.layer if slug in rest])
        st.multiselect(
            "More of them", rest, format_func=titles.__getitem__, label_visibility="collapsed",
            placeholder=f"{len(rest)} more missions", on_change=_take, args=(_MORE, tuple(rest), state), **on,
        )  # fmt: skip

    if state.years is not None:
        st.caption(f"The numbers are of all years; footprints are drawn of {in_words(state.years)}.")


def others_on(pf: Pathfinder, state: WorldState, layers: Sequence[Layer]) -> None:
    """A way off the world for each layer that is on by a link and has no switch here."""
    switches = list(_missions(pf))[: N_FIRST if state.kiosk else None]
    titles = {layer.slug: layer.title for layer in layers}
    for slug in state.layer:
        if slug not in switches:
            rest = tuple(other for other in state.layer if other != slug)
            st.button(
                for_markdown(f"Take off: {titles.get(slug, slug)}"), key=f"world-off-{slug}", icon=":material/close:",
                on_click=partial(change, layer=rest),
            )  # fmt: skip


def _take(key: str, offered: Sequence[str], state: WorldState) -> None:
    chosen: list[str] = st.session_state[key]
    kept = [slug for slug in state.layer if slug not in offered or slug in chosen]
    change(layer=within_limit((*kept, *(slug for slug in chosen if slug not in kept)), state.layer))


def palette(state: WorldState) -> None:
    """The colours, for every kind of colour vision and for strong contrast."""
    st.segmented_control(
        "Colours", list(PALETTES), format_func=PALETTES.__getitem__, required=True,
        on_change=_take_palette, **following(_PALETTE, state.palette),
    )  # fmt: skip


def _take_palette() -> None:
    change(palette=st.session_state[_PALETTE])


def legend(scene: Scene, layers: Sequence[Layer]) -> None:
    """What the colours mean, and what each layer that is on was counted from."""
    st.html("".join(map(_entry, legend_of(scene))))
    for layer in layers:
        for text in (layer.says, *layer.notes):
            st.caption(f"{for_markdown(layer.title)}: {for_markdown(text)}")


def _entry(entry: Entry) -> str:
    sample = (
        f"flex:none;background:{escape(entry.colour)};opacity:{entry.strength};{_SHAPES[entry.sign]}{gaps(entry.dash)}"
    )
    return (
        '<div style="display:flex;align-items:center;gap:8px;font-size:.9rem;padding:2px 0">'
        f'<span style="{sample}"></span>'
        f"<span>{escape(entry.text)}</span></div>"
    )


_EDGE = "outline:1px solid rgb(128 128 128 / 60%)"
_SHAPES = {
    Sign.GROUND: f"width:22px;height:14px;{_EDGE}",
    Sign.VEIL: f"width:22px;height:14px;{_EDGE}",
    Sign.LINE: "width:22px;height:3px",
    Sign.PATH: "width:22px;height:3px",
    Sign.REGION: "width:22px;height:3px",
    Sign.MARK: "width:10px;height:10px;margin:0 6px;rotate:45deg",
    Sign.OUTLIER: "width:10px;height:10px;margin:0 6px;rotate:45deg",
    Sign.DOT: "width:12px;height:12px;margin:0 5px;border-radius:6px",
}
