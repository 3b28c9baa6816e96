"""Lines: glyphs side by side in one column, on the same baseline."""

import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from pathfinder.fulltext.pdf.layout.page_model import Glyph, Run, Style, TextLine

COLUMN_GAP = 1.1
"""White space within a line, in font sizes, beyond which a new piece begins: a gutter, or the next cell of a table."""
NUMBER_GAP = 0.75
"""The same limit after a bare number, which may be a line number in the margin."""
LEAST_NUMBER_GAP = 6.0
"""Minimum white space after a bare number [points]; a footnote mark is closer."""
MOST_DIGITS = 5
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
    return gap <= (max(NUMBER_GAP * last.style.size, LEAST_NUMBER_GAP) if _is_number(piece) else COLUMN_GAP * size)


def _is_number(piece: list[Glyph]) -> bool:
    return len(piece) <= MOST_DIGITS + 1 and "".join(glyph.text for glyph in piece).strip().isdecimal()


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
