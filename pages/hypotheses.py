"""Hypotheses: concepts that are never keywords of the same paper although both are keywords with the same others."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui.hypotheses import panel, state
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources

frame.enter("pages/hypotheses.py")

st.title("Hypotheses", anchor=False)
st.markdown(
    "Pairs of concepts that are never keywords of the same paper here although both are keywords with the same others: "
    "fish oil and Raynaud's disease, in Swanson's example. Papers without either keyword are not read. "
    "Each is a place to look, not a finding."
)
try:
    panel.panel(resources.pathfinder())
    state.write_link(state.requested())
except PathfinderError as error:
    controls.failure(error)
