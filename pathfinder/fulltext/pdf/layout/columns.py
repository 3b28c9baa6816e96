"""Reading order: the lines of a page, column by column, with lines that span both columns in between."""

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from statistics import median

from pathfinder.fulltext.pdf.layout.page_model import Glyph, PdfPage, Run, Style, TextLine

# Lines: glyphs side by side in one column, on the same baseline.

COLUMN_GAP = 1.1
"""White space within a line, in font sizes, beyond which a new piece begins: a gutter, or the next cell of a table."""
NUMBER_GAP = 0.75
"""The same limit after a bare number, which may be a line number in the margin."""
LEAST_NUMBER_GAP = 6.0
"""Minimum white space after a bare number [points]; a footnote mark is closer."""
MOST_DIGITS = 5
WORD_SPACE = 0.22
"""Minimum white space between words, in font sizes."""
LEAST_SPACE = 0.2
"""Minimum white space between a raised glyph and a separate word, in font sizes."""

_SPACING_ACCENTS = dict(
    zip(
        "`´¨^ˆ˜~¯˘˙˚˝ˇ¸˛",
        "\u0300\u0301\u0308\u0302\u0302\u0303\u0303\u0304\u0306\u0307\u030a\u030b\u030c\u0327\u0328",
        strict=True,
    )
)

_CELL = 8.0
"""Side of the squares into which a page is divided to find the letter that belongs to an accent [points]."""
_MOST_IN_CELL = 12


def lines_of(glyphs: Iterable[Glyph], page: int) -> tuple[TextLine, ...]:
    """Return the lines that `glyphs` form, in the order in which the file draws them; blank ones are left out."""
    pieces: list[list[Glyph]] = []
    for glyph in attach_accents(glyphs):
        if pieces and (glyph.text == " " or _continues(pieces[-1], glyph)):
            pieces[-1].append(glyph)
        elif len(pieces) > 1 and _is_aside(pieces[-1], pieces[-2], glyph) and _continues(pieces[-2], glyph):
            # AASTeX draws the number of a line in the midst of it, before or after a formula.
            number, line = pieces[-1], pieces[-2]
            is_word = glyph.box.left - line[-1].box.right > WORD_SPACE * glyph.style.size
            pieces[-2:] = [number, [*line, *(each for each in number[-1:] if is_word and each.text == " "), glyph]]
        else:
            pieces.append([glyph])
    lines = (_line(piece, page) for piece in pieces)
    return tuple(line for line in lines if line is not None)


def attach_accents(glyphs: Iterable[Glyph]) -> list[Glyph]:
    """Return glyphs in which every accent above or below a letter is part of that letter, in whatever order the two
    were drawn.
    """
    all_glyphs = list(glyphs)
    accents = [place for place, glyph in enumerate(all_glyphs) if glyph.text in _SPACING_ACCENTS]
    letters: dict[tuple[int, int], list[int]] = {}
    if accents:
        for place, glyph in enumerate(all_glyphs):
            if glyph.text.isalpha():
                letters.setdefault(_cell(glyph), []).append(place)
    accents_to_drop = set()
    for place in accents:
        below = _letter_below(all_glyphs, letters, all_glyphs[place])
        if below is not None:
            letter = with_accents(all_glyphs[place].text + all_glyphs[below].text)
            if len(letter) == 1:
                all_glyphs[below] = replace(all_glyphs[below], text=letter)
                accents_to_drop.add(place)
    return [glyph for place, glyph in enumerate(all_glyphs) if place not in accents_to_drop]


def _cell(glyph: Glyph) -> tuple[int, int]:
    return int((glyph.box.left + glyph.box.right) / 2 / _CELL), int(glyph.baseline / _CELL)


def _letter_below(glyphs: list[Glyph], letters: dict[tuple[int, int], list[int]], accent: Glyph) -> int | None:
    """Return the position of the letter on which an accent is centred."""
    column, row = _cell(accent)
    middle = (accent.box.left + accent.box.right) / 2
    for across in (column, column - 1, column + 1):
        for down in (row, row + 1, row - 1):
            for place in letters.get((across, down), ())[:_MOST_IN_CELL]:
                box = glyphs[place].box
                is_near = abs(glyphs[place].baseline - accent.baseline) < 0.5 * glyphs[place].style.size
                if is_near and abs(middle - (box.left + box.right) / 2) < 0.25 * glyphs[place].style.size:
                    return place
    return None


def _continues(piece: list[Glyph], glyph: Glyph) -> bool:
    """Return whether a glyph belongs to the line that begins with `piece`."""
    visible = [earlier for earlier in piece[-3:] if earlier.text != " "]
    if not visible:
        return False
    last = visible[-1]
    size = max(last.style.size, glyph.style.size, 1.0)
    gap = glyph.box.left - last.box.right
    if abs(glyph.baseline - last.baseline) > 0.6 * size or gap < -size:
        return False
    if not _is_number(piece):
        return gap <= COLUMN_GAP * size
    # A small number on the baseline is no footnote mark: AASTeX sets line numbers close to the text.
    is_small = last.style.size < 0.8 * glyph.style.size and abs(glyph.baseline - last.baseline) < 0.1 * size
    return gap <= max(NUMBER_GAP * last.style.size, 0.0 if is_small else LEAST_NUMBER_GAP)


def _is_number(piece: list[Glyph]) -> bool:
    return len(piece) <= MOST_DIGITS + 1 and "".join(glyph.text for glyph in piece).strip().isdecimal()


def _is_aside(piece: list[Glyph], line: list[Glyph], glyph: Glyph) -> bool:
    """Return whether a piece is a number to the left of `line`, or to the right of `glyph`: no index in a formula."""
    number = piece[0].box
    is_beside = number.left < line[0].box.left - LEAST_NUMBER_GAP or number.left > glyph.box.right + LEAST_NUMBER_GAP
    return is_beside and _is_number(piece)


def _line(piece: list[Glyph], page: int) -> TextLine | None:
    visible = [glyph for glyph in piece if glyph.text != " "]
    if not visible:
        return None
    box = visible[0].box
    for glyph in visible[1:]:
        box = box.union(glyph.box)
    largest = max(glyph.style.size for glyph in visible)
    baseline = next(glyph.baseline for glyph in visible if glyph.style.size >= largest)
    return TextLine(page, _runs(piece, baseline, largest), box, baseline)


def _runs(piece: list[Glyph], baseline: float, size: float) -> tuple[Run, ...]:
    """Return the runs of a piece, with single spaces between words and none at the ends, and accents on their
    letters.
    """
    runs: list[tuple[Style, bool, list[str]]] = []
    space = False
    last: Glyph | None = None
    for glyph in piece:
        if glyph.text == " ":
            space = bool(runs)
            continue
        is_raised = glyph.style.size < 0.9 * size and glyph.baseline < baseline - 0.15 * size
        if last is not None and is_raised != runs[-1][1]:
            # The file has spaces between words only; those that PDFium adds next to raised glyphs are often misplaced.
            space = glyph.box.left - last.box.right > LEAST_SPACE * size
        text = f" {glyph.text}" if space else glyph.text
        space, last = False, glyph
        if runs and runs[-1][:2] == (glyph.style, is_raised):
            runs[-1][2].append(text)
        else:
            runs.append((glyph.style, is_raised, [text]))
    return tuple(Run(with_accents("".join(texts)), style, is_raised) for style, is_raised, texts in runs)


def with_accents(text: str) -> str:
    """Return text in which an accent that precedes its letter, as in TeX's older fonts, is part of the letter.

    For example, "caf´e" becomes "café".
    """
    if not any(mark in text for mark in _SPACING_ACCENTS):
        return text
    letters: list[str] = []
    for letter in text:
        mark = _SPACING_ACCENTS.get(letters[-1]) if letters else None
        base = {"ı": "i", "ȷ": "j"}.get(letter, letter)
        joined_letter = unicodedata.normalize("NFC", base + mark) if mark and letter.isalpha() else ""
        if len(joined_letter) == 1:
            letters[-1] = joined_letter
        else:
            letters.append(letter)
    return "".join(letters)


def merge_pieces(lines: list[TextLine]) -> TextLine:
    """Return pieces on one baseline as a single line, from left to right."""
    sorted_lines = sorted(lines, key=lambda line: line.box.left)
    runs = list(sorted_lines[0].runs)
    box = sorted_lines[0].box
    for line in sorted_lines[1:]:
        runs.append(replace(line.runs[0], text=" " + line.runs[0].text))
        runs.extend(line.runs[1:])
        box = box.union(line.box)
    widest = max(sorted_lines, key=lambda line: line.box.width)
    gaps = (later.box.left - earlier.box.right for earlier, later in pairwise(sorted_lines))
    cells = 1 + sum(gap > COLUMN_GAP * widest.size for gap in gaps)
    return TextLine(sorted_lines[0].page, tuple(runs), box, widest.baseline, cells)


FEWEST_LINES = 4
"""Minimum number of lines on each side of a gutter."""
FEWEST_PAIRS = 2
"""The same where each of these lines is nearly as wide as its column."""
MOST_GUTTERS = 4
"""Number of the commonest gutters of a document that a page may share: left and right pages may differ."""
WIDE = 0.7
"""Share of the width of a column that a line of running text fills."""
TITLE_TYPE = 0.95
"""Least size of the lines of a title as a share of the largest; the text is smaller than that."""
TITLE_GAP = 2.5
"""Distance between the baselines of two lines, in font sizes, below which both may belong to a title."""
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
        column
        for page in pages
        for column in _columns(
            page, gutters[page.number] or _shared_gutter(page.lines, known), is_first=page is pages[0]
        )
    )


def _columns(page: PdfPage, gutter: float | None, *, is_first: bool) -> Iterator[TextColumn]:
    lines = sorted(page.lines, key=lambda line: line.baseline)
    if not lines:
        return
    above, title, below = _around_title(lines, gutter) if is_first else ([], [], lines)
    bands = [*_bands(above, gutter, is_front=True), *[(0, title)][: len(title)]]
    bands += _bands(below, gutter, is_front=is_first)
    edges = {side: _edges([line for place, band in bands if place == side for line in band]) for side, _ in bands}
    if gutter is not None:
        edges[0] = min(line.box.left for line in lines), max(line.box.right for line in lines)
    for side, band in bands:
        yield TextColumn(tuple(_rows(band)), *edges[side])


def _around_title(lines: list[TextLine], gutter: float | None) -> tuple[list[TextLine], list[TextLine], list[TextLine]]:
    """Return the lines above those in the largest type, which are read as whole lines, whatever stands beside them,
    these lines, and all others; if the largest type is no larger than that of the text, or stands in a column of the
    text, all lines are others.
    """
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    usual = max(sizes, key=lambda size: sizes[size])
    largest = max((line.size for line in lines if sum(map(str.isalpha, line.text)) > 3), default=usual)
    if usual >= TITLE_TYPE * largest:
        return [], [], lines
    title: list[TextLine] = []
    for line in lines:
        is_near = not title or line.baseline - title[-1].baseline < TITLE_GAP * largest
        if is_near and TITLE_TYPE * largest <= line.size <= largest:
            title.append(line)
    in_title = set(map(id, title))
    others = [line for line in lines if id(line) not in in_title]
    above = [line for line in others if line.baseline < title[0].baseline]
    left, right = min(line.box.left for line in lines), max(line.box.right for line in lines)
    if gutter is not None:
        widths = {-1: gutter - left, 0: math.inf, 1: right - gutter}
        if any(line.box.width > WIDE * widths[_side(line, gutter)] for line in above):
            return [], [], lines
    return above, title, others[len(above) :]


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
    # Columns of a few lines, above or below a figure or table, stand side by side, each nearly half a page wide.
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


def _bands(lines: Sequence[TextLine], gutter: float | None, *, is_front: bool) -> Iterator[tuple[int, list[TextLine]]]:
    """Yield the lines that span both columns (0), and those in the left (-1) and right (1) columns, from the top of the
    page down. If it `is_front`, authors may stand in both columns above the text.
    """
    if gutter is None or not lines:
        yield from [(0, list(lines))][: len(lines)]
        return
    sides: dict[int, list[TextLine]] = {0: [], -1: [], 1: []}
    small_print = _start_of_small_print(lines, gutter)
    edges = {-1: min(line.box.left for line in lines), 1: max(line.box.right for line in lines)}
    for line in lines:
        side = _side(line, gutter)
        if line is small_print or (is_front and _follows_authors(line, sides)):
            yield from ((place, band) for place, band in sides.items() if band)
            sides = {0: [], -1: [], 1: []}
        is_front &= side == 0 or line.box.width < WIDE * abs(edges[side] - gutter)
        if side == -1 and sides[0] and _ends_spanning(line, sides[0][-1], lines):
            side = 0
        others = (-1, 1) if side == 0 else (0,)
        for other in others:
            if sides[other]:
                yield other, sides[other]
                sides[other] = []
        sides[side].append(line)
    yield from ((side, band) for side, band in sides.items() if band)


def _follows_authors(line: TextLine, sides: Mapping[int, Sequence[TextLine]]) -> bool:
    """Return whether white space separates a line from lines in both columns, such as authors with their addresses."""
    lowest = max((above.box.bottom for above in (*sides[-1], *sides[1])), default=0.0)
    return min(len(sides[-1]), len(sides[1])) > 1 and line.box.top - lowest > line.size


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
