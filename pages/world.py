"""World: the map for everyone, with mountains and coasts."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import controls, frame, kiosk, map_view, resources, world, world_panels

frame.enter("pages/world.py")

try:
    pf = resources.pathfinder()
    state, notes = world.read(pf)
    if state.kiosk:
        kiosk.dress()
    if pf.atlas is None:
        map_view.without_atlas(pf)
    else:
        layers, missing = world.layers_on(pf, state)
        card = world.card(pf, state)
        scene = world.scene_of(state, layers, card)
        world_panels.heading(pf)
        left, right = st.columns([8, 3], gap="medium")
        with right:
            world_panels.surprise_button(pf)
            world_panels.card_panel(card)
            world_panels.footprints(pf, state)
            world_panels.others_on(pf, state, layers)
            world_panels.palette(state)
            world_panels.legend(scene, layers)
        with left:
            world.canvas(pf, state, scene)
            world.words(pf, scene, state.kiosk)
        # In public nobody has made the link, but anybody may have chosen a layer and years that it has nothing in.
        controls.notes(*missing, *(() if state.kiosk else (*notes, *world_panels.not_here(state, card))))
except PathfinderError as error:
    controls.failure(error)
