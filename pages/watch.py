"""Watch: standing questions, run again whenever the corpus changes, with what is new, moved, gone or now contested."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import frame, resources, visit_corpus
from pathfinder.ui.watch import panel

frame.enter("pages/watch.py")
visit_corpus.write_link()

st.title("Watch", anchor=False)
try:
    panel.panel(resources.whole())
except PathfinderError as error:
    controls.failure(error)
