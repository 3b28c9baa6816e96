"""Map: the landscape of the whole corpus, to be moved, asked and searched in."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import (
    controls,
    frame,
    landscape,
    landscape_found,
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
    chosen, notes = landscape.read(pf)
    if pf.atlas is None:
        map_view.without_atlas(pf)
    else:
        layers, missing = landscape.layers_on(pf, chosen)
        told = st.container()
        dots = landscape_found.dots(pf, chosen)
        left, right = st.columns([8, 3], gap="medium")
        with left:
            landscape.canvas(pf, chosen, layers, dots)
            landscape.caption(pf, chosen)
            landscape_layers.tables(layers)
        with right:
            landscape_settings.panel(pf, chosen)
            landscape_found.found_line(chosen, len(dots))
            landscape_paper.panel(pf, chosen)
            landscape_region.panel(pf, chosen)
            landscape_layers.panel(pf, chosen, layers, missing)
        with told:
            controls.notes(*notes, *(f"{one.title}: {one.why}" for one in missing))
except PathfinderError as error:
    controls.failure(error)
