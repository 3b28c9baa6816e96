"""Map: the landscape of the library, which you can pan, query and search, and the same for the general public."""

import streamlit as st

from pathfinder.ui import as_of, pages
from pathfinder.ui.ask import map_view, searching
from pathfinder.ui.map import layer_panel, map_page, paper_panel, region_panel
from pathfinder.ui.map.map_state import PAPERS, PUBLIC
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, question_box, resources
from pathfinder.ui.shared import state as tab_state
from pathfinder.ui.shared.address import to_parameters
from pathfinder.ui.shared.panels import Panel
from pathfinder.ui.shared.visit_corpus import link_parameters
from pathfinder.ui.world import world_page


def papers() -> None:
    """Draw the map of the papers, with what is known of a paper, a region and the layers."""
    pf = resources.pathfinder()
    as_of.wait_for_map(pf)
    state, notes = map_page.read(pf)
    question_box.draw(hint=question_box.HINT if state.region is None else "Ask the papers in the region that is drawn")
    if tab_state.is_asked_elsewhere():
        searching.begin_question(region=state.region)
        # With the address that Ask will have, so that one step Back leads here.
        st.switch_page(frame.script("ask"), query_params=to_parameters(tab_state.form())[0] | link_parameters())
    if pf.atlas is None:
        map_view.without_atlas(pf)
        return
    layers, unavailable = map_page.layers_on(pf, state, state.ground)
    controls.notes(*notes, *(f"{layer.title}: {layer.reason}" for layer in unavailable))
    dots = paper_panel.dots(pf, state)
    left, right = st.columns([8, 3], gap="medium")
    with left:
        map_page.canvas(pf, state, layers, dots)
        if state.region is None and state.paper is None:  # otherwise their panel follows at once on a phone
            map_page.caption(pf, state)
        layer_panel.tables(layers)
    with right:
        region_panel.panel(pf, state)
        paper_panel.panel(pf, state)
        paper_panel.result_panel(pf, state, dots)
        layer_panel.display_panel(pf, state)
        layer_panel.panel(pf, state, layers, unavailable)


def public() -> None:
    """Draw the map with mountains and coasts."""
    pf = resources.pathfinder()
    as_of.wait_for_map(pf)
    state, notes = world_page.read(pf)
    with st.container(key=frame.KIOSK if state.kiosk else "world"):
        if pf.atlas is None:
            map_view.without_atlas(pf)
        else:
            world_page.draw(pf, state, notes)


own = {
    "papers": Panel(10, "Papers", ":material/scatter_plot:", papers),
    "public": Panel(20, "Public", ":material/public:", public),
}
pages.draw("map", own, keeps=PAPERS & PUBLIC)
