"""JSON whose objects know the line that they begin on."""

import json
import re
from collections.abc import Iterator

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\n]', re.DOTALL)


class Located(dict[str, object]):
    """An object of a JSON text."""

    line: int = 1
    """Line that it begins on, counted from 1."""


def located(text: str) -> object:
    """`text` as JSON, its objects as `Located`. Raises `ValueError` or `RecursionError` where it is none."""
    lines = _opening_lines(text)

    def with_line(pairs: list[tuple[str, object]]) -> Located:
        found = Located(pairs)
        # The parser finishes objects in the order in which they close, and so are their lines told.
        found.line = next(lines)
        return found

    # Not strict, so that a control character inside a text is cleaned and does not cost the whole.
    return json.loads(text, object_pairs_hook=with_line, strict=False)


def _opening_lines(text: str) -> Iterator[int]:
    """Of each object, in the order in which they close, the line of its opening brace."""
    line, opened = 1, []
    for token in _TOKEN.finditer(text):
        if token[0] == "{":
            opened.append(line)
        elif token[0] == "}":
            yield opened.pop()
        else:
            line += token[0].count("\n")
