"""Reference lists: finds the line at which each reference begins."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from pathfinder.fulltext.pdf.layout.blocks import Block
from pathfinder.fulltext.pdf.layout.page_model import TextLine

_BRACKETED_NUMBER = re.compile(r"\[\s?(\d{1,4})\s?\]")
_DOTTED_NUMBER = re.compile(r"(\d{1,4})\.\s")
_ROUND = re.compile(r"\((\d{1,4})\)\s")
_BARE = re.compile(r"(\d{1,4})\s+[A-Z]")
_LABEL = re.compile(r"\[[A-Z][\w+*]*\d{2}[a-z]?\]")
_AUTHOR = re.compile(r"[A-ZÀ-Þ][^\W\d_]+(?:[-' ][A-ZÀ-Þ][^\W\d_]+)*,? (?:[A-Z]\.|[A-Z][,;]|et al|and |& )")

FEWEST_BARE = 3
"""Minimum number of references in a list without a heading."""

LineInColumn = tuple[TextLine, float]
"""A line, and the left edge of its column [points]."""


def references_of(blocks: Sequence[Block]) -> tuple[tuple[TextLine, ...], ...]:
    """Return the lines of each reference in a list."""
    lines = [(line, block.left) for block in blocks for line in block.lines]
    begins = _beginnings(lines)
    references: list[list[TextLine]] = []
    for number, (line, _) in enumerate(lines):
        if number in begins or not references:
            references.append([line])
        else:
            references[-1].append(line)
    return tuple(tuple(reference) for reference in references)


def _beginnings(lines: Sequence[LineInColumn]) -> set[int]:
    """Return the indices of the lines that begin a reference, recognised by number, label, hanging indent or author."""
    by_number = max((_numbered_lines(lines, number) for number in _NUMBERS), key=len)
    if len(by_number) > 1 and len(by_number) > 0.15 * len(lines):
        return by_number
    by_label = _matching(lines, lambda line, _: bool(_LABEL.match(line.text)))
    if len(by_label) > 0.15 * len(lines):
        return by_label
    hanging = _matching(lines, lambda line, left: line.box.left < left + 0.4 * line.size)
    if len(hanging) < 0.85 * len(lines):
        return hanging
    return _matching(lines, lambda line, _: bool(_AUTHOR.match(line.text)))


def _printed(mark: re.Pattern[str]) -> Callable[[TextLine], int]:
    def number(line: TextLine) -> int:
        match = mark.match(line.text)
        return int(match[1]) if match else 0

    return number


def _raised(line: TextLine) -> int:
    """Return the raised number at the beginning of a line, as in "¹A. Maker"; 0 if there is none."""
    text = line.runs[0].text.strip()
    return int(text) if line.runs[0].raised and text.isdecimal() and len(text) < 5 else 0


_BRACKETED = _printed(_BRACKETED_NUMBER)
_NUMBERS = (_BRACKETED, *map(_printed, (_DOTTED_NUMBER, _ROUND, _BARE)), _raised)


def _numbered_lines(lines: Sequence[LineInColumn], number: Callable[[TextLine], int]) -> set[int]:
    """Return the indices of the lines that are numbered in sequence: 1, 2, 3. A number within a reference is not part
    of the sequence.
    """
    numbered_lines: set[int] = set()
    last = 0
    for index, (line, _) in enumerate(lines):
        value = number(line)
        if last < value <= last + 2:
            last = value
            numbered_lines.add(index)
    return numbered_lines


def _matching(lines: Sequence[LineInColumn], test: Callable[[TextLine, float], bool]) -> set[int]:
    return {index for index, (line, left) in enumerate(lines) if test(line, left)}


def split_bare_list(blocks: Sequence[Block]) -> tuple[int, tuple[Block, ...]]:
    """Return the position of the first block of a reference list without a heading, and the list's blocks; the number
    of blocks, and none, if there is no such list.

    The list begins with the last "[1]", or the last raised 1, from which the numbers go on to at least `FEWEST_BARE`.
    """
    for number, fewest in ((_BRACKETED, FEWEST_BARE), (_raised, 2 * FEWEST_BARE)):
        for place in range(len(blocks) - 1, -1, -1):
            first = next((at for at, line in enumerate(blocks[place].lines) if number(line) == 1), None)
            if first is None:
                continue
            listed = (replace(blocks[place], lines=blocks[place].lines[first:]), *blocks[place + 1 :])
            if len(_numbered_lines([(line, block.left) for block in listed for line in block.lines], number)) >= fewest:
                return place, listed
            break
    return len(blocks), ()
