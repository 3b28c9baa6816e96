"""Highlights stretches of a text with a background colour, whatever they contain."""

import re
from collections.abc import Callable, Sequence

from pathfinder.types import Change

_MATHEMATICS = re.compile(r"\$[^$]{1,300}\$|\[[\w?, ;–-]{1,80}\]")
"""Parts that are kept together, such as a formula or a citation: a colour covers either the whole part or none of it.
"""


def marked(text: str, changes: Sequence[Change], colour: str, set_text: Callable[[str], str]) -> str:
    """Write `text` as Markdown with a background of `colour` behind each of the `changes`. `set_text` converts the text
    between them and within them, piece by piece.
    """
    pieces, position = [], 0
    for start, end in _apart(text, changes):
        pieces.append(_set(text[position:start], set_text))
        pieces.append(f":{colour}-background[{set_text(text[start:end]).strip()}]")
        position = end
    return "".join([*pieces, _set(text[position:], set_text)])


def _set(text: str, set_text: Callable[[str], str]) -> str:
    """Convert `text` with `set_text`, but keep the white space around it, which the conversion would strip."""
    inner = text.strip()
    if not inner:
        return text
    before, after = text[: text.index(inner)], text[text.index(inner) + len(inner) :]
    return f"{before}{set_text(inner)}{after}"


def _apart(text: str, changes: Sequence[Change]) -> list[tuple[int, int]]:
    """Return the spans of `changes` in order, widened to include whole formulas; overlapping spans are merged."""
    wholes = [match.span() for match in _MATHEMATICS.finditer(text)]
    apart: list[tuple[int, int]] = []
    for change in sorted(changes, key=lambda change: change.start):
        start, end = change.start, change.end
        for first, last in wholes:
            if first < end and start < last:
                start, end = min(start, first), max(end, last)
        if apart and start < apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        elif start < end:
            apart.append((start, end))
    return apart
