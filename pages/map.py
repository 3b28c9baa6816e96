"""Map: the landscape of the whole corpus, to be moved, asked and searched in."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import (
    controls,
    frame,
    landscape,
    landscape_layers,
    landscape_paper,
    landscape_region,
    landscape_settings,
    map_view,
    resources,
)

frame.enter("pages/map.py")

try:
    pf = resources.pathfinder()
    controls.heading(pf)
    chosen, notes = landscape.read()
    if pf.atlas is None:
        map_view.without_atlas(pf)
    else:
        layers, missing = landscape.layers_on(pf, chosen)
        told = st.container()
        left, right = st.columns([8, 3], gap="medium")
        with left:
            landscape.canvas(pf, chosen, layers)
            landscape.caption(pf, chosen)
            landscape_layers.tables(layers)
        with right:
            landscape_settings.panel(pf, chosen)
            landscape.found_line(chosen, len(landscape.dots(pf, chosen)))
            landscape_paper.panel(pf, chosen)
            landscape_region.panel(pf, chosen)
            landscape_layers.panel(pf, chosen, layers)
        with told:
            controls.notes(*notes, *missing)
except PathfinderError as error:
    controls.failure(error)
