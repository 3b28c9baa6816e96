"""Where a line of an answer has mathematics, and where it may be about to have some."""

import re
from collections.abc import Iterator

from pathfinder.export.mathematics import is_settable, spans

_OPENS = re.compile(r"\$|\\[(\[]")


def formulas(line: str) -> Iterator[tuple[int, int]]:
    """Where `line` has mathematics that is set as such, its signs included: $[0, 1]$ is an interval."""
    start = 0
    for span in spans(line):
        width = 0 if not span.is_mathematics else 2 if line.startswith(("$$", "\\"), start) else 1
        end = start + len(span.text) + 2 * width
        if span.is_mathematics and is_settable(span.text.strip()):
            yield start, end
        start = end


def opening_of(line: str) -> int | None:
    """Where `line` opens mathematics that it has not closed yet, if it does."""
    position = 0
    for start, end in [*formulas(line), (len(line), 0)]:
        if opening := _OPENS.search(line, position, start):
            return opening.start()
        position = end
    return None
