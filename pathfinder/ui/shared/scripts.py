"""The scripts that draw the places."""

from pathlib import Path

FOLDER = Path(__file__).parents[1] / "places"


def script(address: str) -> str:
    """Return the path of the script of a place, or of a page beside the places, by its address: `ask`.

    The path is absolute: Streamlit looks for others beside the script it was started with, which can be `app.py`.
    """
    return str(FOLDER / f"{address}.py")
