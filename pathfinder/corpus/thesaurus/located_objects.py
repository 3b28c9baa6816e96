"""JSON objects that record the line on which they begin."""

import re
from collections.abc import Iterator

from pathfinder.text.strict_json import parse_json

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\n]', re.DOTALL)


class LocatedObject(dict[str, object]):
    """A JSON object with its line number."""

    line: int = 1
    """Number of the first line of the object, counted from 1."""


def parse_with_lines(text: str) -> object:
    """Parse JSON, turning each of its objects into a `LocatedObject`.

    Raises `ValueError` or `RecursionError` for a text that is not JSON.
    """
    lines = _opening_lines(text)

    def with_line(pairs: list[tuple[str, object]]) -> LocatedObject:
        record = LocatedObject(pairs)
        # The parser finishes objects in the order of their closing braces, and the lines come in the same order.
        record.line = next(lines)
        return record

    return parse_json(text, with_line)


def _opening_lines(text: str) -> Iterator[int]:
    """Yield the line of each opening brace, in the order of the closing braces."""
    line, lines_opened = 1, []
    for token in _TOKEN.finditer(text):
        if token[0] == "{":
            lines_opened.append(line)
        elif token[0] == "}":
            yield lines_opened.pop()
        else:
            line += token[0].count("\n")
