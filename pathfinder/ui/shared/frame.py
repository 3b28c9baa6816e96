"""Frame of every page: the navigation drawn by app.py, and a way to restore it.

On a server where nobody has opened the first page yet, opening the address of a script in `pages/` makes Streamlit run
that script on its own, as it does for apps without `st.navigation`: without the navigation and with a different layout.
"""

from collections.abc import Callable, Mapping

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.pages_manager import PagesManager

from pathfinder.ui.shared import own_machine

_WANTED_PAGE = "wanted_page"

STYLES = f"""<style>
[data-testid="stMainBlockContainer"] {{ padding-top: 4.2rem; }}
[data-testid="stLayoutWrapper"]:has(> .st-key-{own_machine.KEY}) {{ display: none; }}
</style>"""
"""Style that lets content begin right below the navigation; by default, Streamlit leaves 130 pixels free above it, and
a gap for what sets a cookie.
"""


def dress() -> None:
    """Style every page."""
    st.html(STYLES)


def waiting() -> Callable[[int], None]:
    """Return a function that tells a visitor how many pages will be drawn before theirs; its message disappears
    at the next run.
    """
    place = st.empty()

    def tell(n_before: int) -> None:
        others = "1 page" if n_before == 1 else f"{n_before} pages"
        place.caption(f"Many visitors at once: {others} will be drawn before yours.")

    return tell


def enter(page: str) -> None:
    """Begin the page named by `page` ("pages/about.py", or the address of an add-on's page); if the frame is missing,
    open that page through app.py instead.
    """
    if PagesManager.uses_pages_directory:
        # Keep all values of each parameter: a link may name several layers or example papers.
        st.session_state[_WANTED_PAGE] = page, {name: st.query_params.get_all(name) for name in st.query_params}
        st.switch_page("app.py")


def go_on(pages: Mapping[str, StreamlitPage]) -> None:
    """Continue from app.py to the requested page, with the parameters of its address; `pages` are those of the
    navigation, by their addresses.
    """
    if _WANTED_PAGE not in st.session_state:
        return
    page, parameters = st.session_state.pop(_WANTED_PAGE)
    if page in pages or page.endswith(".py"):
        st.switch_page(pages.get(page, page), query_params=parameters)
    st.warning(f"There is no page {page!r} here: its add-on was left out when this server was set up.")
