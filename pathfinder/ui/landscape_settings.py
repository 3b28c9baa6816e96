"""How the map looks: its ground, its colours, its names, and whether the years can be played."""

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.landscape.scene import Ground, Palette
from pathfinder.ui import landscape_cache as cache
from pathfinder.ui.landscape import change
from pathfinder.ui.landscape_state import MapState

GROUNDS = {Ground.DENSITY: "Density", Ground.RELIEF: "Relief"}
PALETTES = {
    Palette.STANDARD: "Standard",
    Palette.COLOUR_BLIND: "For every kind of colour vision",
    Palette.CONTRAST: "High contrast",
}


def panel(pf: Pathfinder, state: MapState) -> None:
    """The switches, as the address has them."""
    with st.container(horizontal=True, vertical_alignment="center"):
        _seeded("map-ground", state.ground)
        st.segmented_control(
            "Ground", list(GROUNDS), key="map-ground", format_func=GROUNDS.__getitem__, label_visibility="collapsed",
            required=True, on_change=_take, args=("map-ground", "ground"),
        )  # fmt: skip
        with st.popover("Look", icon=":material/palette:"):
            _seeded("map-palette", state.palette)
            st.radio(
                "Colours", list(PALETTES), key="map-palette", format_func=PALETTES.__getitem__,
                on_change=_take, args=("map-palette", "palette"),
            )  # fmt: skip
            _seeded("map-names", state.names)
            st.toggle("Names", key="map-names", on_change=_take, args=("map-names", "names"))
        if cache.history(pf) is not None:
            _seeded("map-plays", state.plays)
            st.toggle("Years", key="map-plays", on_change=_switch_years, help="Choose the years, or play them")


def _seeded(key: str, value: object) -> None:
    st.session_state[key] = value


def _take(key: str, field: str) -> None:
    change(**{field: st.session_state[key]})


def _switch_years() -> None:
    change(plays=st.session_state["map-plays"], years=None)
