"""About: what Pathfinder is, how to ask, where its limits lie."""

import streamlit as st

from pathfinder import prompts

st.title("About Pathfinder")
