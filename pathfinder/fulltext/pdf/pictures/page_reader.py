"""Port for a page recogniser, which turns a picture into lines."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn, TypeAlias

from pathfinder.errors import PathfinderError

REMEDY = "to have it recognised from its image, run pip install 'pathfinder[ocr]'"
MOST_PICTURES = 60
"""Maximum number of pages recognised per file, because each takes many seconds. Further pages are listed and left
out.
"""
NOTHING_RECOGNISED = f"it is blank, or the limit of {MOST_PICTURES} recognised pages per file was reached first"
SECONDS_A_PICTURE = 120
"""Limit on the mean time per page; two idle cores take 10 to 20 s."""

Picture: TypeAlias = Any
"""A page as an array of rows, columns and colours (red, green, blue)."""


class WrittenLine(NamedTuple):
    """A line of writing in a picture: its text, and its box [pixels from the top left corner]."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


PageReader: TypeAlias = Callable[[Picture], Sequence[WrittenLine]]
"""Returns the lines of writing in the picture of a page."""


class PicturesNeeded(PathfinderError):
    """Raised instead of recognising pages; `count` is the number of pages that would need to be recognised."""

    def __init__(self, count: int) -> None:
        super().__init__(f"{count} pages would need to be recognised from their images")
        self.count = count


def postpone(_: Picture) -> NoReturn:
    """Refuse to recognise anything: stands in for a recogniser that has not yet been given enough time."""
    raise PicturesNeeded(1)
