"""Map: the landscape of the whole corpus, which you can pan, query and search."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import as_of
from pathfinder.ui.ask import map_view
from pathfinder.ui.map import display_panel, layer_panel, map_page, paper_panel, region_panel
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources

frame.enter("pages/map.py")

try:
    pf = resources.pathfinder()
    as_of.wait_for_map(pf)
    controls.heading(pf)
    state, notes = map_page.read(pf)
    if pf.atlas is None:
        map_view.without_atlas(pf)
    else:
        layers, unavailable = map_page.layers_on(pf, state)
        notes_above = st.container()
        dots = paper_panel.dots(pf, state)
        left, right = st.columns([8, 3], gap="medium")
        with left:
            map_page.canvas(pf, state, layers, dots)
            map_page.caption(pf, state)
            layer_panel.tables(layers)
        with right:
            display_panel.panel(pf, state)
            paper_panel.result_panel(pf, state, len(dots))
            paper_panel.panel(pf, state)
            region_panel.panel(pf, state)
            layer_panel.panel(pf, state, layers, unavailable)
        with notes_above:
            controls.notes(*notes, *(f"{layer.title}: {layer.reason}" for layer in unavailable))
except PathfinderError as error:
    controls.failure(error)
