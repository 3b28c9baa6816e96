"""Pages of add-ons, without a browser."""

from streamlit.testing.v1 import AppTest


def page_of(address: str) -> AppTest:
    """Return the page at an address, not yet run."""
    return AppTest.from_string(f"from pathfinder.ui.pages import draw_page\ndraw_page({address!r})", default_timeout=60)
