"""Reference lists: finds the line at which each reference begins."""

import re
from collections.abc import Callable, Sequence

from pathfinder.fulltext.pdf.layout.blocks import Block
from pathfinder.fulltext.pdf.layout.page_model import TextLine

_BRACKETED_NUMBER = re.compile(r"\[(\d{1,4})\]")
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
    by_number = max(
        (_numbered_lines(lines, mark) for mark in (_BRACKETED_NUMBER, _DOTTED_NUMBER, _ROUND, _BARE)), key=len
    )
    if len(by_number) > 1 and len(by_number) > 0.15 * len(lines):
        return by_number
    by_label = _matching(lines, lambda line, _: bool(_LABEL.match(line.text)))
    if len(by_label) > 0.15 * len(lines):
        return by_label
    hanging = _matching(lines, lambda line, left: line.box.left < left + 0.4 * line.size)
    if len(hanging) < 0.85 * len(lines):
        return hanging
    return _matching(lines, lambda line, _: bool(_AUTHOR.match(line.text)))


def _numbered_lines(lines: Sequence[LineInColumn], mark: re.Pattern[str]) -> set[int]:
    """Return the indices of the lines that are numbered in sequence: 1, 2, 3. A number within a reference is not part
    of the sequence.
    """
    numbered_lines: set[int] = set()
    last = 0
    for index, (line, _) in enumerate(lines):
        match = mark.match(line.text)
        if match and last < int(match[1]) <= last + 2:
            last = int(match[1])
            numbered_lines.add(index)
    return numbered_lines


def _matching(lines: Sequence[LineInColumn], test: Callable[[TextLine, float], bool]) -> set[int]:
    return {index for index, (line, left) in enumerate(lines) if test(line, left)}


def bare_list_start(blocks: Sequence[Block]) -> int:
    """Return the position of the first block of a reference list without a heading, which begins with the last "[1]"
    and continues to at least "[3]"; the number of blocks if there is no such list.
    """
    starts = [place for place, block in enumerate(blocks) if block.text.startswith("[1]")]
    if starts:
        lines = [(line, block.left) for block in blocks[starts[-1] :] for line in block.lines]
        if len(_numbered_lines(lines, _BRACKETED_NUMBER)) >= FEWEST_BARE:
            return starts[-1]
    return len(blocks)
