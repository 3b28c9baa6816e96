"""The places of the page as Streamlit runs them, without a browser."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

PLACES = Path(__file__).parents[1] / "pathfinder" / "ui" / "places"


def page_at(address: str, **parameters: str) -> AppTest:
    """Return a place opened with these parameters of its address, not yet run."""
    page = AppTest.from_file(str(PLACES / f"{address}.py"))
    for name, text in parameters.items():
        page.query_params[name] = text
    return page


def open_library(page: AppTest) -> str:
    """Return what stands at the top right: the open library, its size and the year."""
    return "\n".join(each.proto.popover.label for each in page.get("popover"))
