"""World: the map for the general public, with mountains and coasts."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import as_of
from pathfinder.ui.ask import map_view
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, kiosk, resources
from pathfinder.ui.world import panels, world_page

frame.enter("pages/world.py")

try:
    pf = resources.pathfinder()
    as_of.wait_for_map(pf)
    state, notes = world_page.read(pf)
    if state.kiosk:
        kiosk.dress()
    if pf.atlas is None:
        map_view.without_atlas(pf)
    else:
        layers, unavailable = world_page.layers_on(pf, state)
        card = world_page.card(pf, state)
        scene = world_page.scene_of(state, layers, card)
        panels.heading(pf)
        left, right = st.columns([8, 3], gap="medium")
        with right:
            panels.surprise_button(pf)
            panels.card_panel(card)
            panels.footprints(pf, state)
            panels.feature_list(pf, state)
            panels.switches_off(pf, state, layers)
            panels.palette(state)
            panels.legend(scene, layers)
        with left:
            world_page.canvas(pf, state, scene)
            world_page.view_summary(pf, scene, state.kiosk)
            if not state.kiosk:
                world_page.save_buttons(pf, scene)
        # A public display leaves out notes about the link, but shows notes about missing data, because
        # visitors may themselves have chosen a layer or years without data.
        controls.notes(*unavailable, *(() if state.kiosk else (*notes, *panels.missing_card(state, card))))
except PathfinderError as error:
    controls.failure(error)
