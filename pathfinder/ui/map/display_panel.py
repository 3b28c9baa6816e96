"""The map's display panel: background, colours, names, and playing through the years."""

import streamlit as st

from pathfinder.facade import Pathfinder
from pathfinder.landscape.drawing.scene import Ground, Palette
from pathfinder.ui.map import map_cache
from pathfinder.ui.map.map_page import change
from pathfinder.ui.map.map_state import MapState
from pathfinder.ui.settings.widgets import following

GROUNDS = {Ground.DENSITY: "Density", Ground.RELIEF: "Relief"}
PALETTES = {
    Palette.STANDARD: "Standard",
    Palette.COLOUR_BLIND: "Colour-blind safe",
    Palette.CONTRAST: "High contrast",
}


def panel(pf: Pathfinder, state: MapState) -> None:
    """Show the switches with the values set in the address."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "Ground", list(GROUNDS), format_func=GROUNDS.__getitem__, label_visibility="collapsed", required=True,
            on_change=_set, args=("map-ground", "ground"), **following("map-ground", state.ground),
        )  # fmt: skip
        with st.popover("Look", icon=":material/palette:"):
            st.pills(
                "Colours", list(PALETTES), format_func=PALETTES.__getitem__, required=True,
                on_change=_set, args=("map-palette", "palette"), **following("map-palette", state.palette),
            )  # fmt: skip
            names = following("map-names", state.names, "value")
            st.toggle("Names", on_change=_set, args=("map-names", "names"), **names)
        if map_cache.history(pf) is not None:
            plays = following("map-plays", state.plays, "value")
            st.toggle("Play the years", on_change=_switch_years, help="Choose or play years below the map", **plays)


def _set(key: str, field: str) -> None:
    change(**{field: st.session_state[key]})


def _switch_years() -> None:
    change(plays=st.session_state["map-plays"], years=None)
