"""Escapes plain text for a Markdown file. People also read and edit such a file as text, so less is escaped than on a
page.
"""

import re

from pathfinder.text.latex.display import readable
from pathfinder.types import without_control_characters

_MARKUP = re.compile(r"[\\`*_\[\]{<|&$]|~(?=~)|^(?:[-+#=>:]|\d+(?=[.)](?:\s|$)))")
"""Characters that mean something in Markdown or HTML; those after the ^ do so only at the beginning of a line."""
_NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"


def as_typed(line: str) -> str:
    """Escape a line so that a Markdown file shows it character by character, with its leading spaces."""
    line = without_control_characters(line.expandtabs(4))
    text = line.lstrip()
    return _NO_BREAK_SPACE * (len(line) - len(text)) + _MARKUP.sub(_escape, text)


def in_markdown(text: str) -> str:
    """Write a paper's text for a Markdown file: without LaTeX, and as `as_typed` writes it."""
    return as_typed(readable(text))


def _escape(match: re.Match[str]) -> str:
    sign = match[0]
    return f"{sign}\\" if sign.isdecimal() else f"\\{sign}"
