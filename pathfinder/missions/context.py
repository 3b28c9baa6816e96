"""The context of a name in a text: the names joined to it, and its sentence."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

WORD = re.compile(r"[^\W_]+")
JOINT = r"[}$]*(?:\s*(?:/|,|&|\+)\s*|\s*,?\s+(?:and|or|plus|&)\s+|-)(?:the\s+)?(?:\$?\\\w+\{|\{\\\w+\s+)?"
"""Pattern for the text that joins two names, such as a comma or "and"."""
_BEHIND_A_JOINT = re.compile(r"(?:[/,&+\-]|\b(?:and|or|plus))\s*(?:the\s+)?(?:\$?\\\w+\{|\{\\\w+\s+)?$")
_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z$\\])")
_LONGEST_JOINT, _LONGEST_NAME, _LONGEST_SENTENCE = 20, 60, 400

Span = tuple[int, int]


@dataclass(frozen=True)
class NameContext:
    """A name and its surroundings in a text."""

    text: str
    span: Span
    """Start and end of the name."""
    chain: Span
    """Start and end of the run of names that the name is part of, such as all of "Hubble, Humason and Mayall"."""

    @property
    def starts(self) -> set[int]:
        """Positions where text that immediately precedes the name must end."""
        return {self.span[0], self.chain[0]}

    @property
    def ends(self) -> set[int]:
        """Positions where text that immediately follows the name must begin."""
        return {self.span[1], self.chain[1]}

    @property
    def joined_names(self) -> str:
        """The other names in the run that the name is part of."""
        return f"{self.text[self.chain[0] : self.span[0]]} {self.text[self.span[1] : self.chain[1]]}"

    @cached_property
    def sentence(self) -> tuple[str, str]:
        """The text before and after the joined names in their sentence."""
        first, last = self.chain
        begin, end = max(first - _LONGEST_SENTENCE, 0), last + _LONGEST_SENTENCE
        for sentence in _SENTENCE.finditer(self.text, begin, first):
            begin = sentence.end()
        following = _SENTENCE.search(self.text, last, end)
        return self.text[begin:first], self.text[last : following.start() if following else end]


class Chains:
    """Finds the names that are joined to a given name."""

    def __init__(self, any_name: str) -> None:
        self._before = re.compile(rf"(?<!\w)(?:{any_name}){JOINT}$")
        self._behind = re.compile(rf"{JOINT}(?:{any_name})(?!\w)")

    def around(self, text: str, span: Span) -> Span:
        """Find the start and end of the run of names, joined by commas or "and", that includes the one at `span`."""
        first, last = span
        while _BEHIND_A_JOINT.search(text, max(first - _LONGEST_JOINT, 0), first) and (
            before := self._before.search(text, max(first - _LONGEST_NAME, 0), first)
        ):
            first = before.start()
        while behind := self._behind.match(text, last):
            last = behind.end()
        return first, last


def starts_of(word: str, text: str) -> Iterator[int]:
    """Find the positions of `word` in `text` that are not within a longer word."""
    start = text.find(word)
    while start >= 0:
        if start == 0 or not text[start - 1].isalnum():
            yield start
        start = text.find(word, start + 1)
