"""Finds the arguments of macros. Each text is scanned once, so that a file of nothing but braces costs no more."""

import re
from dataclasses import dataclass

_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_SPACE = re.compile(r"[ \t]*\n?[ \t]*")
_OPTION = re.compile(r"\[([^\[\]]{0,2000})\]")


@dataclass(frozen=True, slots=True)
class Braces:
    """A text, and where each of its groups ends."""

    text: str
    closing: dict[int, int]
    """Position of the closing brace by that of the opening one; a brace without a partner is not listed."""

    def group(self, position: int) -> tuple[str, int] | None:
        """Return the content of the group at `position`, after spaces, and the position behind it; `None` if there is
        none.
        """
        start = self.after_space(position)
        end = self.closing.get(start)
        return (self.text[start + 1 : end], end + 1) if end is not None else None

    def option(self, position: int) -> tuple[str, int] | None:
        """Return the same for an optional argument in brackets."""
        match = _OPTION.match(self.text, self.after_space(position))
        return (match[1], match.end()) if match else None

    def after_options(self, position: int) -> int:
        """Return the position behind up to four optional arguments."""
        for _ in range(4):
            option = self.option(position)
            if option is None:
                break
            position = option[1]
        return position

    def after_space(self, position: int) -> int:
        """Return the position of what follows, across spaces and at most one end of a line."""
        match = _SPACE.match(self.text, position)
        return match.end() if match else position


def find_braces(text: str) -> Braces:
    """Pair the braces of `text`; escaped ones are characters."""
    closing: dict[int, int] = {}
    open_braces: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            open_braces.append(match.start())
        elif match[0] == "}" and open_braces:
            closing[open_braces.pop()] = match.start()
    return Braces(text, closing)
