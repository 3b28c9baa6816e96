"""Blocks: lines of one column that belong together, such as a paragraph, a heading or a caption."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from statistics import median

from pathfinder.fulltext.pdf.layout.box import Box
from pathfinder.fulltext.pdf.layout.columns import TextColumn
from pathfinder.fulltext.pdf.layout.glyphs import SOFT_HYPHEN
from pathfinder.fulltext.pdf.layout.page_model import TextLine

WIDE_LEADING = 1.35
"""Distance between two lines, in units of the usual distance, beyond which they belong to different blocks."""
INDENT = 0.7
"""Minimum indent of a first line, in font sizes."""
MOST_INDENT = 4.0
"""Maximum indent of a first line, in font sizes; a line indented further is centred."""
MOSTLY_SYMBOLS = 0.4
"""Minimum share of characters in mathematical fonts for a line to count as a formula."""
SAME_SIZE = 0.6
"""Limit on the differences in font size within a block [points]."""

SECTION_NUMBER = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]+\.|[A-Z]\.)\s+[A-Z]")
"""Number at the start of a heading."""
CAPTION_START = re.compile(
    r"(?:Fig(?:ure|\.)?|Tab(?:le|\.)?|Abb(?:ildung|\.)?|Tabelle|Tableau)\s*[A-Z]?\.?[\dIVX]+\s*[.:|]", re.IGNORECASE
)
TERMINAL = (".", "!", "?", ":", ".”", '."', ".’", ".)", "?”", ".]")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together, and the edges of their column [points]."""

    lines: tuple[TextLine, ...]
    left: float
    right: float
    is_last: bool = False
    """True if it is the last block of its column."""

    @property
    def page(self) -> int:
        """Page of its first line, counted from 1."""
        return self.lines[0].page

    @property
    def box(self) -> Box:
        """Rectangle around its lines [points]."""
        return reduce(Box.union, (line.box for line in self.lines))

    @property
    def text(self) -> str:
        """Its lines as printed, separated by spaces."""
        return " ".join(line.text for line in self.lines)

    @property
    def size(self) -> float:
        """Median font size of its lines [points]."""
        return median(line.size for line in self.lines)

    def share(self, *, bold: bool = False, italic: bool = False, mathematical: bool = False) -> float:
        """Return the mean share of bold, italic or mathematical characters in its lines, [0, 1]."""
        shares = [line.share(bold=bold, italic=italic, mathematical=mathematical) for line in self.lines]
        return sum(shares) / len(shares)

    @property
    def is_indented(self) -> bool:
        """True if its first line is indented from the left edge of the column."""
        return self.lines[0].box.left > self.left + INDENT * self.lines[0].size

    @property
    def fills_its_last_line(self) -> bool:
        """True if its last line reaches the right edge of the column, so that a sentence may continue after it."""
        return self.lines[-1].box.right > self.right - 2 * self.size


def blocks_of(columns: Sequence[TextColumn]) -> tuple[Block, ...]:
    """Return the blocks of columns in reading order."""
    return tuple(block for column in columns for block in _blocks(column))


def _blocks(column: TextColumn) -> Iterator[Block]:
    leading = _leading(column.lines)
    groups: list[list[TextLine]] = []
    for line in column.lines:
        if groups and not _separates(groups[-1], line, column, leading):
            groups[-1].append(line)
        else:
            groups.append([line])
    for number, group in enumerate(groups, start=1):
        yield Block(tuple(group), column.left, column.right, number == len(groups))


def _leading(lines: Sequence[TextLine]) -> float:
    """Return the usual distance between two lines, in font sizes."""
    distances = [
        (line.baseline - before.baseline) / line.size
        for before, line in pairwise(lines)
        if 0.8 * line.size < line.baseline - before.baseline < 2.5 * line.size
    ]
    return median(distances) if distances else 1.2


def _separates(group: list[TextLine], line: TextLine, column: TextColumn, leading: float) -> bool:
    """Return whether a line begins a new block after the lines of `group`."""
    before = group[-1]
    distance = line.baseline - before.baseline
    formula = max(line.share(mathematical=True), before.share(mathematical=True)) > MOSTLY_SYMBOLS
    size = max(line.size, before.size)
    if distance < 0 or distance > WIDE_LEADING * leading * size:
        return not (formula and 0 <= distance < 2 * leading * size)
    if not formula and (abs(line.size - before.size) > SAME_SIZE or _begins_rows(before, line)):
        return True
    if _begins_caption(before, line, column):
        return True
    if _is_numbered_title(before, line, column) or _is_numbered_title(line, before, column):
        return True
    if _changes_weight(before, line) or is_formula(before, column.left) != is_formula(line, column.left):
        return True
    return _begins_paragraph(before, line, column)


def _begins_rows(before: TextLine, line: TextLine) -> bool:
    """Return whether the rows of a table begin or end between two lines."""
    return (line.cells > 1) != (before.cells > 1) and not CAPTION_START.match(before.text)


def _begins_caption(before: TextLine, line: TextLine, column: TextColumn) -> bool:
    """Return whether a line begins with the label of a figure or table and follows either a short line, such as
    lettering in the figure, or the end of a sentence.
    """
    is_short = before.box.right < column.right - 0.15 * (column.right - column.left)
    return bool(CAPTION_START.match(line.text)) and (is_short or before.text.endswith(TERMINAL))


def is_formula(line: TextLine, left: float) -> bool:
    """Return whether a line is part of a displayed formula: mostly symbols, away from the edge of its column."""
    return line.share(mathematical=True) > MOSTLY_SYMBOLS and line.box.left > left + line.size


def _is_numbered_title(line: TextLine, other: TextLine, column: TextColumn) -> bool:
    """Return whether a line begins with a number and is either centred, or in italics next to a line that is not in
    italics.
    """
    if not SECTION_NUMBER.match(line.text):
        return False
    left, right = line.box.left - column.left, column.right - line.box.right
    if abs(left - right) < line.size and left > 2 * line.size:
        return True
    return line.share(italic=True) > 0.7 and other.share(italic=True) < 0.3


def _changes_weight(before: TextLine, line: TextLine) -> bool:
    bold = line.share(bold=True) > 0.8, before.share(bold=True) > 0.8
    if bold[0] != bold[1]:
        return min(line.share(bold=True), before.share(bold=True)) < 0.3
    return False


def _begins_paragraph(before: TextLine, line: TextLine, column: TextColumn) -> bool:
    goes_on = not before.text.endswith(TERMINAL) and (line.text[:1].islower() or before.text.endswith(SOFT_HYPHEN))
    if goes_on:
        return False
    indent = line.box.left - column.left
    is_indented = indent > INDENT * line.size
    was_indented = before.box.left > column.left + INDENT * line.size
    if is_indented and not was_indented and indent < MOST_INDENT * line.size:
        return True
    ends_early = before.box.right < column.right - 0.12 * (column.right - column.left)
    return ends_early and not is_indented and before.text.rstrip().endswith(TERMINAL) and line.text[:1].isupper()
