"""Reading order: the lines of a page, column by column, with lines that span both columns in between."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from statistics import median

from pathfinder.fulltext.pdf.layout.lines import merge_pieces
from pathfinder.fulltext.pdf.layout.page_model import PdfPage, TextLine

FEWEST_LINES = 4
"""Minimum number of lines on each side of a gutter."""
FEWEST_PAIRS = 2
"""The same where each of these lines is nearly as wide as its column."""
MOST_GUTTERS = 4
"""Number of the commonest gutters of a document that a page may share: left and right pages may differ."""
WIDE = 0.7
"""Share of the width of a column that a line of running text fills."""
OVERHANG = 6.0
"""Distance by which a line that spans both columns extends beyond the gutter on either side [points]."""

_STEP = 2.0


@dataclass(frozen=True, slots=True)
class TextColumn:
    """Lines one below the other, and the edges between which they are set [points]."""

    lines: tuple[TextLine, ...]
    left: float
    right: float


def columns_of(pages: Sequence[PdfPage]) -> tuple[TextColumn, ...]:
    """Return the columns of pages in the order in which they are read.

    A page that does not show by itself where its columns are divided, because they are short or a figure stands beside
    the text, is divided as another page of the document is, if its lines allow it.
    """
    gutters = {page.number: _gutter(page.lines) for page in pages}
    counts = Counter(round(gutter) for gutter in gutters.values() if gutter is not None)
    known = [float(gutter) for gutter, _ in counts.most_common(MOST_GUTTERS)]
    return tuple(
        column for page in pages for column in _columns(page, gutters[page.number] or _shared_gutter(page.lines, known))
    )


def _columns(page: PdfPage, gutter: float | None) -> Iterator[TextColumn]:
    lines = sorted(page.lines, key=lambda line: line.baseline)
    if not lines:
        return
    bands = [(0, lines)] if gutter is None else list(_bands(lines, gutter))
    edges = {side: _edges([line for place, band in bands if place == side for line in band]) for side, _ in bands}
    if gutter is not None:
        edges[0] = min(line.box.left for line in lines), max(line.box.right for line in lines)
    for side, band in bands:
        yield TextColumn(tuple(_rows(band)), *edges[side])


def _shared_gutter(lines: Sequence[TextLine], known: Sequence[float]) -> float | None:
    """Return which of the gutters of other pages divides a page; `None` if too many lines cross all of them, or if
    either side is empty or holds only cells of a table.
    """
    if not lines or not known:
        return None
    gutter = min(known, key=lambda place: sum(_side(line, place) == 0 for line in lines))
    start, end = min(line.box.left for line in lines), max(line.box.right for line in lines)
    sides = {side: [line for line in lines if _side(line, gutter) == side] for side in (-1, 0, 1)}
    if 2 * len(sides[0]) > len(lines) or not sides[-1] or not sides[1]:
        return None
    has_text = (
        any(line.box.width > WIDE * width for line in sides[side])
        for side, width in ((-1, gutter - start), (1, end - gutter))
    )
    return gutter if all(has_text) and _stand_side_by_side(sides[-1], sides[1]) else None


def _edges(lines: Sequence[TextLine]) -> tuple[float, float]:
    """Return the edges between which most wide lines are set."""
    widest = max(line.box.width for line in lines)
    wide = [line for line in lines if line.box.width >= 0.6 * widest]
    return min(line.box.left for line in wide), median(line.box.right for line in wide)


def _gutter(lines: Sequence[TextLine]) -> float | None:
    """Return the position that divides a page into two columns, or `None` if it has only one."""
    if len(lines) < 2 * FEWEST_PAIRS:
        return None
    start, end = min(line.box.left for line in lines), max(line.box.right for line in lines)
    width = end - start
    places = [start + 0.3 * width + _STEP * step for step in range(int(0.4 * width / _STEP) + 1)]
    crossings = {place: sum(line.box.left < place < line.box.right for line in lines) for place in places}
    fewest = min(crossings.values())
    middle = median([place for place, count in crossings.items() if count == fewest])
    gutter = min((place for place in places if crossings[place] == fewest), key=lambda place: abs(place - middle))
    left = [line for line in lines if line.box.right <= gutter]
    right = [line for line in lines if line.box.left >= gutter]
    if _is_column(left, gutter - start) and _is_column(right, end - gutter) and _stand_side_by_side(left, right):
        return gutter
    return _gutter_of_pairs(lines, width)


def _gutter_of_pairs(lines: Sequence[TextLine], width: float) -> float | None:
    """Return the middle of the white space between lines of text that stand side by side, each of them nearly as wide
    as half of the page: columns of a few lines, above or below a figure or table.
    """
    wide = sorted(
        (line for line in lines if 0.3 * width < line.box.width < 0.5 * width), key=lambda line: line.baseline
    )
    pairs = [
        (left, right)
        for left, right in chain(pairwise(wide), ((right, left) for left, right in pairwise(wide)))
        if abs(left.baseline - right.baseline) < 0.6 * left.size and 0 < right.box.left - left.box.right < 0.15 * width
    ]
    if len(pairs) < FEWEST_PAIRS:
        return None
    edge = max(left.box.right for left, _ in pairs)
    start = min(right.box.left for _, right in pairs)
    return (edge + start) / 2 if edge < start else None


def _is_column(lines: Sequence[TextLine], width: float) -> bool:
    """Return whether the lines are text rather than the cells of a table: enough of them are about as wide as a
    column.
    """
    wide = [line for line in lines if line.box.width > WIDE * width]
    return len(wide) >= FEWEST_LINES and len(wide) >= 0.25 * len(lines)


def _stand_side_by_side(left: Sequence[TextLine], right: Sequence[TextLine]) -> bool:
    top = max(min(line.box.top for line in left), min(line.box.top for line in right))
    bottom = min(max(line.box.bottom for line in left), max(line.box.bottom for line in right))
    return bottom > top


def _bands(lines: Sequence[TextLine], gutter: float) -> Iterator[tuple[int, list[TextLine]]]:
    """Yield the lines that span both columns (0), and those in the left (-1) and right (1) columns, from the top of the
    page down.
    """
    sides: dict[int, list[TextLine]] = {0: [], -1: [], 1: []}
    small_print = _start_of_small_print(lines, gutter)
    for line in lines:
        side = _side(line, gutter)
        if line is small_print:
            yield from ((place, band) for place, band in sides.items() if band)
            sides = {0: [], -1: [], 1: []}
        if side == -1 and sides[0] and _ends_spanning(line, sides[0][-1], lines):
            side = 0
        others = (-1, 1) if side == 0 else (0,)
        for other in others:
            if sides[other]:
                yield other, sides[other]
                sides[other] = []
        sides[side].append(line)
    yield from ((side, band) for side, band in sides.items() if band)


def _start_of_small_print(lines: Sequence[TextLine], gutter: float) -> TextLine | None:
    """Return the first line of smaller print that follows white space in both columns: the start of a list with columns
    of its own.
    """
    largest_below = lines[-1].size
    for place in range(len(lines) - 1, 0, -1):
        before, line = lines[place - 1], lines[place]
        largest_below = max(largest_below, line.size)
        if before.size > largest_below + 0.4:
            last = {side: above for above in lines[:place] if (side := _side(above, gutter))}
            both = len(last) == 2 and min(above.size for above in last.values()) > largest_below + 0.4
            return line if both and line.baseline - before.baseline > 1.5 * line.size else None
    return None


def _side(line: TextLine, gutter: float) -> int:
    if line.box.left < gutter - OVERHANG and line.box.right > gutter + OVERHANG:
        return 0
    return -1 if (line.box.left + line.box.right) / 2 < gutter else 1


def _ends_spanning(line: TextLine, before: TextLine, lines: Sequence[TextLine]) -> bool:
    """Return whether a line in the left half is the short last line of a text that spans both columns."""
    same = abs(line.size - before.size) < 0.4 and abs(line.box.left - before.box.left) < 2 * line.size
    near = 0 < line.baseline - before.baseline < 1.5 * line.size
    return (
        same
        and near
        and not any(
            other.box.left > line.box.right and abs(other.baseline - line.baseline) < 0.6 * line.size for other in lines
        )
    )


def _rows(lines: Sequence[TextLine]) -> list[TextLine]:
    """Join the pieces that lie on the same baseline."""
    rows: list[list[TextLine]] = []
    for line in lines:
        beside = bool(rows) and abs(line.baseline - rows[-1][-1].baseline) < 0.35 * min(line.size, rows[-1][-1].size)
        if beside and all(_apart(line, other) for other in rows[-1]):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [merge_pieces(row) if len(row) > 1 else row[0] for row in rows]


def _apart(line: TextLine, other: TextLine) -> bool:
    return line.box.left >= other.box.right - 1 or other.box.left >= line.box.right - 1
