"""How the map looks: its ground, its colours, its names, and whether the years can be played."""

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.landscape.scene import Ground, Palette
from pathfinder.ui import landscape_cache as cache
from pathfinder.ui.following import following
from pathfinder.ui.landscape import change
from pathfinder.ui.landscape_state import MapState

GROUNDS = {Ground.DENSITY: "Density", Ground.RELIEF: "Relief"}
PALETTES = {
    Palette.STANDARD: "Standard",
    Palette.COLOUR_BLIND: "Colour-blind safe",
    Palette.CONTRAST: "High contrast",
}


def panel(pf: Pathfinder, state: MapState) -> None:
    """The switches, as the address has them."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "Ground", list(GROUNDS), format_func=GROUNDS.__getitem__, label_visibility="collapsed", required=True,
            on_change=_take, args=("map-ground", "ground"), **following("map-ground", state.ground),
        )  # fmt: skip
        with st.popover("Look", icon=":material/palette:"):
            st.pills(
                "Colours", list(PALETTES), format_func=PALETTES.__getitem__, required=True,
                on_change=_take, args=("map-palette", "palette"), **following("map-palette", state.palette),
            )  # fmt: skip
            names = following("map-names", state.names, "value")
            st.toggle("Names", on_change=_take, args=("map-names", "names"), **names)
        if cache.history(pf) is not None:
            plays = following("map-plays", state.plays, "value")
            st.toggle(
                "Play the years", on_change=_switch_years, help="Choose years under the map, or play them", **plays
            )


def _take(key: str, field: str) -> None:
    change(**{field: st.session_state[key]})


def _switch_years() -> None:
    change(plays=st.session_state["map-plays"], years=None)
