"""The frame around every page: the navigation, which app.py draws, and the way back into it.

On a server where nobody has opened the first page yet, Streamlit runs a script in `pages/` by itself when its
address is opened, as it did for apps without `st.navigation`: no navigation, another layout.
"""

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

_WANTED = "wanted_page"


def enter(page: str) -> None:
    """Begin the page that `page` names ("pages/about.py"); where the frame is missing, go there through app.py."""
    if PagesManager.uses_pages_directory:
        # All values of each: a link may name several layers, or several papers to be like.
        st.session_state[_WANTED] = page, {name: st.query_params.get_all(name) for name in st.query_params}
        st.switch_page("app.py")


def go_on() -> None:
    """From app.py, go on to the page that was wanted, with what its address said."""
    if _WANTED in st.session_state:
        page, parameters = st.session_state.pop(_WANTED)
        st.switch_page(page, query_params=parameters)
