"""Finds the arguments of macros. Each text is scanned only once, so even a file with nothing but braces is read
quickly.
"""

import re
from dataclasses import dataclass

_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_SPACE = re.compile(r"[ \t]*\n?[ \t]*")
_OPTION = re.compile(r"\[([^\[\]]{0,2000})\]")


@dataclass(frozen=True, slots=True)
class Braces:
    """A text, and the end of each of its groups."""

    text: str
    closing: dict[int, int]
    """Position of each closing brace, by that of its opening brace; unmatched braces are not listed."""

    def group(self, position: int) -> tuple[str, int] | None:
        """Return the content of the group at `position`, after any spaces, and the position after it; `None` if there
        is no group.
        """
        start = self.after_space(position)
        end = self.closing.get(start)
        return (self.text[start + 1 : end], end + 1) if end is not None else None

    def option(self, position: int) -> tuple[str, int] | None:
        """Return the content of the optional argument in brackets at `position`, after any spaces, and the position
        after it; `None` if there is none.
        """
        match = _OPTION.match(self.text, self.after_space(position))
        return (match[1], match.end()) if match else None

    def after_options(self, position: int) -> int:
        """Return the position after up to four optional arguments."""
        for _ in range(4):
            option = self.option(position)
            if option is None:
                break
            position = option[1]
        return position

    def after_space(self, position: int) -> int:
        """Return the position of the next character, skipping spaces and at most one line break."""
        match = _SPACE.match(self.text, position)
        return match.end() if match else position


def find_braces(text: str) -> Braces:
    """Pair the braces of `text`; escaped braces are ordinary characters."""
    closing: dict[int, int] = {}
    open_braces: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            open_braces.append(match.start())
        elif match[0] == "}" and open_braces:
            closing[open_braces.pop()] = match.start()
    return Braces(text, closing)
