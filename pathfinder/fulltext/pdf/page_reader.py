"""Port for a page recogniser, which turns a picture into lines."""

import importlib.util
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


# RapidOCR, which ships with its weights and needs no network; only this module uses it.

LOWEST_SCORE = 0.5
"""Minimum confidence of the model in a line, [0, 1]; other lines are left out."""


def is_installed() -> bool:
    """Return whether the extra `pathfinder[ocr]` is installed."""
    return importlib.util.find_spec("rapidocr") is not None


def rapid_reader() -> PageReader:
    """Return a recogniser that uses RapidOCR; loading it takes about a second."""
    from rapidocr import RapidOCR

    engine = RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.use_cls": False,  # would turn upside-down lines, which no page has
            "EngineConfig.onnxruntime.enable_cpu_mem_arena": False,  # memory is released after each page
        }
    )

    def read_picture(picture: Picture) -> list[WrittenLine]:
        reply = engine(picture)
        if reply.boxes is None:
            return []
        return [
            WrittenLine(text, float(min(xs)), float(min(ys)), float(max(xs)), float(max(ys)))
            for (xs, ys), text, score in zip(
                (box.T for box in reply.boxes), reply.txts or (), reply.scores or (), strict=True
            )
            if score >= LOWEST_SCORE
        ]

    return read_picture
