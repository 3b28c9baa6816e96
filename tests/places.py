"""The places of the page as Streamlit runs them, without a browser."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

LIDS = (
    *("which-papers", "to-search", "more-weights", "how", "answer-more", "library"),
    *(f"why-{rank}" for rank in range(1, 11)),
)
"""Keys of groups and menus that are drawn only while they are open."""
PLACES = Path(__file__).parents[1] / "pathfinder" / "ui" / "places"


def page_at(address: str, **parameters: str) -> AppTest:
    """Return a place opened with these parameters of its address, not yet run, with every group and menu open."""
    page = AppTest.from_file(str(PLACES / f"{address}.py"))
    for lid in LIDS:
        page.session_state[lid] = True
    for name, text in parameters.items():
        page.query_params[name] = text
    return page


def open_library(page: AppTest) -> str:
    """Return what stands at the top right: the open library, its size and the year."""
    return "\n".join(each.proto.popover.label for each in page.get("popover"))
