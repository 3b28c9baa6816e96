"""Check: a text and its sources in; then every sentence with the sentence of the source that it rests on."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import check, controls, frame

frame.enter("pages/check.py")

st.title("Check a text", anchor=False)
st.markdown(
    "Does each sentence say what its source says? Paste a paragraph and its sources. Nothing leaves this machine, "
    "and no model is asked."
)
try:
    if (asked := check.asked()) is not None:
        check.panel(*asked)
except PathfinderError as error:
    controls.failure(error)
