"""The page and the API in one process: `streamlit run server.py`. `app.py` alone is the page without the API."""

import streamlit as st

from pathfinder.serving.beside_page import api_beside_page, lifespan_of, routes_of

api = api_beside_page(st.get_option("server.address"), st.get_option("server.port"))
app = st.App("app.py", routes=routes_of(api), lifespan=lifespan_of(api))
