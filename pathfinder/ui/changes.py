"""A text with some places of it marked by a colour, whatever stands in it."""

import re
from collections.abc import Callable, Sequence

from pathfinder.types import Change

_MATHEMATICS = re.compile(r"\$[^$]{1,300}\$|\[[\w?, ;–-]{1,80}\]")
"""What is set as a whole: a formula, a citation. A colour holds all of it or nothing."""


def marked(text: str, changes: Sequence[Change], colour: str, set_text: Callable[[str], str]) -> str:
    """Markdown of `text`, made by `set_text` piece by piece, with a background of `colour` where `changes` lie."""
    pieces, position = [], 0
    for start, end in _apart(text, changes):
        pieces.append(_set(text[position:start], set_text))
        pieces.append(f":{colour}-background[{set_text(text[start:end]).strip()}]")
        position = end
    return "".join([*pieces, _set(text[position:], set_text)])


def _set(text: str, set_text: Callable[[str], str]) -> str:
    """`text` set, with the white space around it that setting takes away."""
    inner = text.strip()
    if not inner:
        return text
    before, after = text[: text.index(inner)], text[text.index(inner) + len(inner) :]
    return f"{before}{set_text(inner)}{after}"


def _apart(text: str, changes: Sequence[Change]) -> list[tuple[int, int]]:
    """The places of `changes` in order, widened to whole formulas; those that overlap are one."""
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
