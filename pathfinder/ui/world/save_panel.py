"""Saves the map as it appears on screen: as an image, as a vector drawing or as a page that works offline."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pathfinder.landscape.canvas.standalone import standalone
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.drawing.scene import Scene
from pathfinder.landscape.picture_files.pictures import draw_png, draw_svg
from pathfinder.session import Pathfinder


def panel(pf: Pathfinder, scene_on_screen: Callable[[], Scene]) -> None:
    """Offer the map for download; a click draws what `scene_on_screen` returns at that moment."""
    map_data, name = pf.drawn_map, pf.corpus.name.name
    with st.popover("Save the map", icon=":material/download:"):
        for label, suffix, kind, draw in (
            ("Picture (PNG)", "png", "image/png", draw_png),
            ("Drawing (SVG)", "svg", "image/svg+xml", draw_svg),
            (
                "Page that works offline (HTML)",
                "html",
                "text/html",
                partial(standalone, title=f"World of {name}"),
            ),
        ):
            st.download_button(
                label,
                partial(_file, draw, scene_on_screen, map_data),
                f"world-{name}.{suffix}",
                kind,
                key=f"world-save-{suffix}",
                on_click="ignore",
                type="tertiary",
            )


def _file(
    draw: Callable[[Scene, MapData], str | bytes], scene_on_screen: Callable[[], Scene], map_data: MapData
) -> str | bytes:
    return draw(scene_on_screen(), map_data)
