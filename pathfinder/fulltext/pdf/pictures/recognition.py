"""Recognises pages of a PDF that have no text, or no readable text, from their images."""

from collections.abc import Sequence
from statistics import median

from pathfinder.fulltext.pdf.layout.box import Box
from pathfinder.fulltext.pdf.layout.glyphs import OpenPdf, has_drawing, page_picture
from pathfinder.fulltext.pdf.layout.page_model import PdfPage, Run, Style, TextLine
from pathfinder.fulltext.pdf.pictures.gutter import spread
from pathfinder.fulltext.pdf.pictures.page_reader import (
    MOST_PICTURES,
    PageReader,
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
    lines = _without_line_numbers(lines)
    heights = [line.bottom - line.top for line in lines if len(line.text) >= _LONG]
    usual = median(heights) if heights else 0.0
    return tuple(_line(line, page, scale, usual) for line in lines)


def _without_line_numbers(lines: Sequence[WrittenLine]) -> Sequence[WrittenLine]:
    """Return lines without the bare numbers to the left of all text, if there are at least `FEWEST_NUMBERS` of them."""
    lefts = sorted(line.left for line in lines if len(line.text) >= _LONG)
    edge = lefts[len(lefts) // 10] if lefts else 0.0
    numbers = [
        line for line in lines if line.text.strip().isdecimal() and line.right <= edge + (line.bottom - line.top) / 2
    ]
    return lines if len(numbers) < FEWEST_NUMBERS else [line for line in lines if line not in numbers]


def _line(line: WrittenLine, page: int, scale: float, usual: float) -> TextLine:
    height = line.bottom - line.top
    if abs(height - usual) < SAME_HEIGHT * usual:
        height = usual
    box = Box(line.left / scale, line.top / scale, line.right / scale, line.bottom / scale)
    style = Style(round(2 * _SIZE * height / scale) / 2)
    return TextLine(page, (Run(" ".join(line.text.split()), style),), box, box.bottom - 0.2 * box.height)
