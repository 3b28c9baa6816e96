"""Pathfinder in the browser: `streamlit run app.py`. `pathfinder app` runs the same from an installed package."""

import streamlit as st

from pathfinder.serving.beside_page import page_route
from pathfinder.ui.shared.frame import document, script

app = st.App(script("app"), routes=[page_route(document(), st.get_option("server.baseUrlPath"))])
