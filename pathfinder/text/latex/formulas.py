"""Finds mathematics in a line of an answer, whether complete or still arriving."""

import re
from collections.abc import Iterator

from pathfinder.text.latex.mathematics import is_settable, spans

_OPENS = re.compile(r"\$|\\[(\[]")


def formulas(line: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of mathematics in `line`, including the dollar signs; $[0, 1]$ is an interval."""
    start = 0
    for span in spans(line):
        width = 0 if not span.is_mathematics else 2 if line.startswith(("$$", "\\"), start) else 1
        end = start + len(span.text) + 2 * width
        if span.is_mathematics and is_settable(span.text.strip()):
            yield start, end
        start = end


def opening_of(line: str) -> int | None:
    """Return the position where `line` opens mathematics that is not yet closed; `None` if it does not."""
    position = 0
    for start, end in [*formulas(line), (len(line), 0)]:
        if opening := _OPENS.search(line, position, start):
            return opening.start()
        position = end
    return None
