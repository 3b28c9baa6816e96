"""The map as it is on screen, as files to be taken along."""

from functools import partial

import streamlit as st

from pathfinder.explorer import Pathfinder
from pathfinder.landscape.pictures import png, svg
from pathfinder.landscape.scene import Scene
from pathfinder.landscape.standalone import standalone


def files(pf: Pathfinder, scene: Scene) -> None:
    """The map as it is on screen, to be taken along."""
    chart, name = pf.chart, pf.corpus.name.name
    with st.popover("Save the map", icon=":material/download:"):
        for label, suffix, kind, make in (
            ("Picture (PNG)", "png", "image/png", partial(png, scene, chart)),
            ("Drawing (SVG)", "svg", "image/svg+xml", partial(svg, scene, chart)),
            (
                "Page that works offline (HTML)",
                "html",
                "text/html",
                partial(standalone, scene, chart, f"World of {name}"),
            ),
        ):
            st.download_button(
                label,
                make,
                f"world-{name}.{suffix}",
                kind,
                key=f"world-save-{suffix}",
                on_click="ignore",
                type="tertiary",
            )
