"""Blocks: lines of one column that belong together, such as a paragraph, a heading or a caption."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from operator import itemgetter
from statistics import median

from pathfinder.fulltext.document import Box
from pathfinder.fulltext.pdf.layout.columns import TextColumn
from pathfinder.fulltext.pdf.layout.glyphs import SOFT_HYPHEN
from pathfinder.fulltext.pdf.layout.page_model import PdfPage, TextLine

WIDE_LEADING = 1.35
"""Distance between two lines, in units of the usual distance, beyond which they belong to different blocks."""
INDENT = 0.7
"""Minimum indent of a first line, in font sizes."""
MOST_INDENT = 4.0
"""Maximum indent of a first line, in font sizes; a line indented further is centred."""
MOSTLY_SYMBOLS = 0.4
"""Minimum share of characters in mathematical fonts for a line to count as a formula."""
MOSTLY_BOLD = 0.8
"""Share of characters in bold above which a line counts as bold."""
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
    distances = [
        (line.baseline - before.baseline) / line.size
        for before, line in pairwise(column.lines)
        if 0.8 * line.size < line.baseline - before.baseline < 2.5 * line.size
    ]
    leading = median(distances) if distances else 1.2
    groups: list[list[TextLine]] = []
    for line in column.lines:
        if groups and not _separates(groups[-1], line, column, leading):
            groups[-1].append(line)
        else:
            groups.append([line])
    for number, group in enumerate(groups, start=1):
        yield Block(tuple(group), column.left, column.right, number == len(groups))


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
    # A caption follows a short line, such as lettering in the figure, or the end of a sentence.
    is_short = before.box.right < column.right - 0.15 * (column.right - column.left)
    if bool(CAPTION_START.match(line.text)) and (is_short or before.text.endswith(TERMINAL)):
        return True
    if min(line.share(bold=True), before.share(bold=True)) > MOSTLY_BOLD:
        if SECTION_NUMBER.match(line.text):
            return True  # a heading right below another
        if SECTION_NUMBER.match(before.text):
            return False  # its second line, which may be set in
    if _is_numbered_title(before, line, column) or _is_numbered_title(line, before, column):
        return True
    if _changes_weight(before, line) or is_formula(before, column.left) != is_formula(line, column.left):
        return True
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


def _begins_rows(before: TextLine, line: TextLine) -> bool:
    """Return whether the rows of a table begin or end between two lines."""
    return (_cells(line) > 1) != (_cells(before) > 1) and not CAPTION_START.match(before.text)


def _cells(line: TextLine) -> int:
    """Return the number of pieces of a line, without the number of a heading in bold."""
    is_numbered = SECTION_NUMBER.match(line.text) is not None and line.share(bold=True) > MOSTLY_BOLD
    return line.cells - (is_numbered and line.cells > 1)


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
    bold = line.share(bold=True) > MOSTLY_BOLD, before.share(bold=True) > MOSTLY_BOLD
    if bold[0] != bold[1]:
        return min(line.share(bold=True), before.share(bold=True)) < 0.3
    return False


# Furniture of pages: running heads, page numbers and line numbers, which are not part of any sentence.

MARGIN = 0.07
"""Share of a page's height, at the top and at the bottom, that contains no text."""
OUTERMOST = 0.09
"""Share of a page's height, at the top and at the bottom, in which a line that begins or ends with the page number is a
running head, whatever its words.
"""
SAME_ROW = 2.0
"""Limit on the difference between the baselines of a running head's pieces [points]."""
MOST_HEAD_LINES = 3
HEAD_GAP = 16.0
"""Minimum distance between running heads and text, from baseline to baseline [points]."""
FEWEST_LINE_NUMBERS = 5
"""Minimum count of numbers one below the other on a page for them to be taken for line numbers."""

Place = tuple[str, int]
"""The words of a line, with its height on the page in steps of `_STEP`."""

_STEP = 4.0
"""Limit on the difference in height between running heads on different pages [points]."""
_OWN_NUMBER = re.compile(r"^\d{1,5}(?=\s|$)|(?<=page )\d{1,5}|(?<![.\d])\d{1,5}$", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"[\[(\-–— ]*(?:page )?(?:\d{1,5}|[ivxlc]{1,6})(?: of \d+)?[\])\-–— .]*", re.IGNORECASE)


def without_furniture(pages: Sequence[PdfPage]) -> tuple[PdfPage, ...]:
    """Return the pages without repeated lines, page numbers or line numbers."""
    repeated_places, offset = _repeated_places(pages), _offset(pages)
    is_numbered = 2 * sum(bool(_line_numbers(page, FEWEST_LINE_NUMBERS)) for page in pages) > len(pages)
    fewest = 2 if is_numbered else FEWEST_LINE_NUMBERS
    return tuple(replace(page, lines=_text_lines(page, repeated_places, offset, fewest)) for page in pages)


def _text_lines(
    page: PdfPage, repeated_places: frozenset[Place], offset: int | None, fewest: int
) -> tuple[TextLine, ...]:
    numbers = _line_numbers(page, fewest)
    marginal = _marginal(page)

    baselines = [line.baseline for line in page.lines]
    edges = min(baselines, default=0.0), max(baselines, default=0.0)
    heads = {line.baseline for line in page.lines if _is_outermost(page, line) and _offsets(line) == {offset}}

    def is_furniture(line: TextLine) -> bool:
        is_numbered = any(abs(height - line.baseline) < SAME_ROW for height in heads)
        return is_numbered or bool(repeated_places & set(_places(line))) or _is_page_number(page, line, edges)

    return tuple(
        line for line in page.lines if not (id(line) in marginal and is_furniture(line)) and id(line) not in numbers
    )


def _offset(pages: Sequence[PdfPage]) -> int | None:
    """Return the difference between the number printed on a page and its position in the file, if at least two pages
    agree on it.
    """
    counts: Counter[int] = Counter()
    for page in pages:
        marginal = _marginal(page)
        heads = (line for line in page.lines if id(line) in marginal and _is_outermost(page, line))
        counts.update({offset for line in heads for offset in _offsets(line)})
    offset, count = max(counts.items(), key=itemgetter(1), default=(0, 0))
    return offset if count > 1 else None


def _offsets(line: TextLine) -> set[int]:
    """Return the differences between the numbers at either end of a line and the position of its page; empty if there
    is no such number.
    """
    return {int(number) - line.page for number in _OWN_NUMBER.findall(line.text.strip())}


def _is_outermost(page: PdfPage, line: TextLine) -> bool:
    return not OUTERMOST * page.height < line.baseline < (1 - OUTERMOST) * page.height


def _marginal(page: PdfPage) -> set[int]:
    """Return the identities of the lines in the margins, and of the outermost lines that are set apart from the
    text.
    """
    heights = sorted({line.baseline for line in page.lines})
    top = max(MARGIN * page.height, _end_of_head(heights))
    bottom = min((1 - MARGIN) * page.height, -_end_of_head([-height for height in reversed(heights)]))
    return {id(line) for line in page.lines if line.baseline <= top or line.baseline >= bottom}


def _end_of_head(heights: Sequence[float]) -> float:
    """Return the height of the last line before the first wide gap; minus infinity if there is none."""
    for height, following in pairwise(heights[: MOST_HEAD_LINES + 1]):
        if following - height > HEAD_GAP:
            return height
    return -math.inf


def _places(line: TextLine) -> tuple[Place, Place]:
    """Return the words of a line without the page number, paired once with the line's height in steps of `_STEP` and
    once with the next step. A page number, unlike the number of a section or a figure, increases from page to page.
    """
    text = line.text.strip()
    number = _OWN_NUMBER.search(text)
    words = _OWN_NUMBER.sub("#", text) + (f" {int(number[0]) - line.page}" if number else "")
    step = int(line.baseline / _STEP)
    return (words, step), (words, step + 1)


def _repeated_places(pages: Sequence[PdfPage]) -> frozenset[Place]:
    """Return the marginal lines that occur on at least two pages: running heads may differ between left and right
    pages.
    """
    counts: Counter[Place] = Counter()
    for page in pages:
        marginal = _marginal(page)
        counts.update({place for line in page.lines if id(line) in marginal for place in _places(line)})
    return frozenset(place for place, count in counts.items() if count > 1)


def _is_page_number(page: PdfPage, line: TextLine, edges: tuple[float, float]) -> bool:
    """Return whether a line is a bare number above or below everything else on its page."""
    if line.baseline not in edges or not _PAGE_NUMBER.fullmatch(line.text):
        return False
    others = [other for other in page.lines if other is not line]
    above = all(other.box.top >= line.box.bottom for other in others)
    below = all(other.box.bottom <= line.box.top for other in others)
    return above or below


def _line_numbers(page: PdfPage, fewest: int) -> set[int]:
    """Return the identities of the lines that are bare, increasing numbers next to the text, if there are at least
    `fewest` of them.
    """
    columns: dict[int, list[TextLine]] = defaultdict(list)
    for line in page.lines:
        if line.text.isdecimal():
            columns[round(line.box.right / _STEP)].append(line)
    line_ids: set[int] = set()
    for place in sorted(columns):
        numbers = sorted(columns[place] + columns.get(place + 1, []), key=lambda line: line.baseline)
        values = [int(line.text) for line in numbers]
        growing = all(earlier < later <= earlier + 10 for earlier, later in pairwise(values))
        if len(numbers) >= fewest and growing and _stands_beside_text(page, numbers, fewest < FEWEST_LINE_NUMBERS):
            line_ids |= {id(line) for line in numbers}
    return line_ids


def _stands_beside_text(page: PdfPage, numbers: list[TextLine], is_numbered: bool) -> bool:
    """Return whether no text crosses the column of numbers, which then lies in a margin or in the gutter; if the paper
    has line numbers, only text between the first and the last of them counts, not an abstract above both columns.
    """
    left = min(line.box.left for line in numbers)
    right = max(line.box.right for line in numbers)
    identities = {id(line) for line in numbers}
    others = [line for line in page.lines if id(line) not in identities and not line.text.isdecimal()]
    if is_numbered:
        top, bottom = numbers[0].box.top, numbers[-1].box.bottom
        others = [line for line in others if top < line.baseline < bottom]
    crossing = sum(line.box.left < right and line.box.right > left for line in others)
    return crossing <= 0.1 * len(others)
