"""A page of hostile texts, each as the app shows what it did not write itself; the last one as it is."""

import streamlit as st

from pathfinder.text.latex.display import for_markdown
from tests.inert import HOSTILE

for number, text in enumerate(HOSTILE):
    with st.container(key=f"text-{number}"):
        st.markdown(for_markdown(text))
        st.caption(for_markdown(text))
        st.warning(for_markdown(text))
        st.markdown(for_markdown(text) + " ▌")
with st.container(key="acting"):
    st.markdown("[x](http://e.com) :red[y] **z**")
