"""Shelves: papers that a reader keeps, with notes, tags and states; import and export; papers that a shelf may be
missing.
"""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources, visit_corpus
from pathfinder.ui.shelves import panel

frame.enter("pages/shelves.py")
visit_corpus.write_link()

st.title("Shelves", anchor=False)
try:
    panel.panel(resources.pathfinder())
except PathfinderError as error:
    controls.failure(error)
