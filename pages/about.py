"""About: what Pathfinder is, how to ask, and where its limits lie."""

from pathlib import Path

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.ui import badges, controls, frame, resources

frame.enter("pages/about.py")

st.title("About Pathfinder")
st.markdown((Path(__file__).parent / "about.md").read_text(encoding="utf-8"))
try:
    badges.what_is_open(resources.pathfinder())
except PathfinderError as error:
    controls.failure(error)
