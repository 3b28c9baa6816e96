"""Recognises pages of a PDF that have no text, or no readable text, from their images."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt

from pathfinder.fulltext.document import Box
from pathfinder.fulltext.pdf.layout.glyphs import OpenPdf, has_drawing, page_picture
from pathfinder.fulltext.pdf.layout.page_model import PdfPage, Run, Style, TextLine
from pathfinder.fulltext.pdf.page_reader import (
    MOST_PICTURES,
    PageReader,
    Picture,
    PicturesNeeded,
    WrittenLine,
    postpone,
)

SAME_HEIGHT = 0.22
"""Maximum difference between a line's height and the usual height, as a share of the usual height, for the line to
count as set in the usual size. Ascenders alone can make such a difference.
"""
FEWEST_NUMBERS = 5
"""Minimum count of bare numbers to the left of a page's text for them to be taken for line numbers."""
_SIZE = 0.8
"""Font size, in units of a line's height in a picture."""
_LONG = 12
"""Minimum number of characters in a line whose height is taken into account."""


def recognise_pages(document: OpenPdf, pages: Sequence[PdfPage], read: PageReader) -> dict[int, PdfPage]:
    """Return, by number, those of `pages` whose pictures contain writing, each with its lines.

    Blank pages are skipped, and so are pages beyond the first `MOST_PICTURES`. Raises `PicturesNeeded` if `read` is
    `postpone`.
    """
    pictures = [page for page in pages if has_drawing(document, page.number - 1)][:MOST_PICTURES]
    if pictures and read is postpone:
        raise PicturesNeeded(len(pictures))
    read_pages = (_read(document, page, read) for page in pictures)
    return {page.number: page for page in read_pages if page.lines}


def _read(document: OpenPdf, page: PdfPage, read: PageReader) -> PdfPage:
    picture, scale = page_picture(document, page.number - 1)
    wide = spread(picture)
    lines = [wide.in_place(line) for line in read(wide.picture) if line.text.strip()]
    return PdfPage(page.number, page.width, page.height, lines_of_picture(lines, page.number, scale))


def lines_of_picture(lines: Sequence[WrittenLine], page: int, scale: float) -> tuple[TextLine, ...]:
    """Return lines of writing as lines of a page; `scale` is the number of pixels per point."""
    # Bare numbers to the left of all text are line numbers.
    lefts = sorted(line.left for line in lines if len(line.text) >= _LONG)
    edge = lefts[len(lefts) // 10] if lefts else 0.0
    numbers = [
        line for line in lines if line.text.strip().isdecimal() and line.right <= edge + (line.bottom - line.top) / 2
    ]
    lines = lines if len(numbers) < FEWEST_NUMBERS else [line for line in lines if line not in numbers]
    heights = [line.bottom - line.top for line in lines if len(line.text) >= _LONG]
    usual = median(heights) if heights else 0.0
    return tuple(_line(line, page, scale, usual) for line in lines)


def _line(line: WrittenLine, page: int, scale: float, usual: float) -> TextLine:
    height = line.bottom - line.top
    if abs(height - usual) < SAME_HEIGHT * usual:
        height = usual
    box = Box(line.left / scale, line.top / scale, line.right / scale, line.bottom / scale)
    style = Style(round(2 * _SIZE * height / scale) / 2)
    return TextLine(page, (Run(" ".join(line.text.split()), style),), box, box.bottom - 0.2 * box.height)


# Widens the gutter between the columns of a picture, because a recogniser joins lines across a narrow gutter.

EXTRA = 48
"""Number of pixels by which a gutter is widened."""
NARROWEST = 9
"""Minimum width of a gutter, in white pixels."""
SHORTEST = 150
"""Minimum number of consecutive white rows in a stretch of a gutter: six lines of text."""
FEWEST_ROWS = 0.35
"""Minimum share of a page's rows that a gutter divides."""

_INK = 140
"""Darkest value that still counts as white, [0, 255]."""


@dataclass(frozen=True, slots=True)
class SplitPicture:
    """A picture whose right column was moved to the right, and the original position of the gutter. If the picture has
    no gutter, it is unchanged, and the position is `None`.
    """

    picture: Picture
    gutter: int | None = None

    def in_place(self, line: WrittenLine) -> WrittenLine:
        """Return a line of the picture, moved back to its original position."""
        if self.gutter is None or line.left < self.gutter + EXTRA / 2:
            return line
        return line._replace(left=line.left - EXTRA, right=line.right - EXTRA)


def spread(picture: Picture) -> SplitPicture:
    """Return a picture with a wider gutter if it has two columns, and unchanged otherwise."""
    ink = picture.min(axis=2) < _INK
    gutter = _gutter(ink)
    if gutter is None:
        return SplitPicture(picture)
    rows = _divided_rows(ink, gutter)
    height, width, colours = picture.shape
    wide_picture = np.full((height, width + EXTRA, colours), 255, dtype=picture.dtype)
    wide_picture[:, :width] = picture
    wide_picture[rows, gutter:] = 255
    wide_picture[rows, gutter + EXTRA :] = picture[rows, gutter:]
    return SplitPicture(wide_picture, gutter)


def _gutter(ink: npt.NDArray[np.bool_]) -> int | None:
    """Return the column of pixels, near the middle, in which the most rows are part of a white stretch."""
    width = ink.shape[1]
    places = range(int(0.42 * width), int(0.58 * width), 2)
    counts = [int(_divided_rows(ink, place).sum()) for place in places]
    most = max(counts, default=0)
    if most < FEWEST_ROWS * int(ink.any(axis=1).sum()) or most == 0:
        return None
    best = [place for place, count in zip(places, counts, strict=True) if count == most]
    return best[len(best) // 2]


def _divided_rows(ink: npt.NDArray[np.bool_], place: int) -> npt.NDArray[np.bool_]:
    """Return, for each row, whether it is part of a long stretch that is white around `place`, with text on both
    sides.
    """
    half = NARROWEST // 2
    has_ink = ink[:, place - half : place + half + 1].max(axis=1)
    white: npt.NDArray[np.bool_] = np.logical_not(has_ink)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], white, [False])).astype(np.int8)))
    is_divided: npt.NDArray[np.bool_] = np.zeros(len(white), dtype=np.bool_)
    for start, end in edges.reshape(-1, 2):
        if end - start >= SHORTEST and _is_text(ink[start:end, :place]) and _is_text(ink[start:end, place:]):
            is_divided[start:end] = True
    return is_divided


def _is_text(ink: npt.NDArray[np.bool_]) -> bool:
    """Return whether ink covers many rows and most of the width, as in text but not in a picture with lettering."""
    return bool(ink.max(axis=0).mean() > 0.5 and ink.max(axis=1).mean() > 0.3)
