"""Pathfinder in the browser: page config and navigation, nothing else."""

import streamlit as st

from pathfinder.ui import frame, kiosk
from pathfinder.ui.settling import settle_libraries

st.set_page_config(page_title="Pathfinder", page_icon="🔭", layout="wide")
pages = [
    st.Page("pages/ask.py", title="Ask", icon=":material/search:", default=True),
    st.Page("pages/compare.py", title="Compare", icon=":material/compare_arrows:"),
    st.Page("pages/evaluate.py", title="Evaluate", icon=":material/monitoring:"),
    st.Page("pages/similar.py", title="Similar", icon=":material/join_inner:"),
    st.Page("pages/map.py", title="Map", icon=":material/map:"),
    st.Page("pages/world.py", title="World", icon=":material/public:"),
    st.Page("pages/check.py", title="Check", icon=":material/fact_check:"),
    st.Page("pages/about.py", title="About", icon=":material/info:"),
]
page = st.navigation(pages, position="hidden" if kiosk.is_on() else "top")
if kiosk.is_on() and page.url_path != "world":
    page = st.navigation(pages, position="top")  # no other page can stand in public
frame.go_on()
page.run()
settle_libraries()
