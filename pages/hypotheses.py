"""Hypotheses: pairs of concepts that are never keywords of the same paper, although both appear with the same other
concepts.
"""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import hypotheses
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources

frame.enter("pages/hypotheses.py")

st.title("Hypotheses", anchor=False)
st.markdown(
    "Pairs of concepts that are never keywords of the same paper in this corpus, although both appear with the same "
    "other concepts, like fish oil and Raynaud's disease in Swanson's example. A paper that mentions both, but has "
    "neither among its keywords, is not taken into account. Each pair is a place to look, not a finding."
)
try:
    hypotheses.panel(resources.pathfinder())
    hypotheses.write_link(hypotheses.last_order())
except PathfinderError as error:
    controls.failure(error)
