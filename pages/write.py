"""Write: a review drafted from the papers on a shelf, section by section, with a paper behind every sentence."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources, visit_corpus
from pathfinder.ui.writing import panel

frame.enter("pages/write.py")
visit_corpus.write_link()

st.title("Write", anchor=False)
try:
    panel.panel(resources.pathfinder())
except PathfinderError as error:
    controls.failure(error)
