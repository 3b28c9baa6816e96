"""Where a name stands in a text: beside which other names, and in which sentence."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

WORD = re.compile(r"[^\W_]+")
JOINT = r"[}$]*(?:\s*(?:/|,|&|\+)\s*|\s*,?\s+(?:and|or|plus|&)\s+|-)(?:the\s+)?(?:\$?\\\w+\{|\{\\\w+\s+)?"
"""What joins two names."""
_BEHIND_A_JOINT = re.compile(r"(?:[/,&+\-]|\b(?:and|or|plus))\s*(?:the\s+)?(?:\$?\\\w+\{|\{\\\w+\s+)?$")
_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z$\\])")
_LONGEST_JOINT, _LONGEST_NAME, _LONGEST_SENTENCE = 20, 60, 400

Span = tuple[int, int]


@dataclass(frozen=True)
class Context:
    """A name in a text."""

    text: str
    span: Span
    """Where it begins and ends."""
    chain: Span
    """Where the names begin and end that it is joined to, such as all of "Hubble, Humason and Mayall"."""

    @property
    def starts(self) -> set[int]:
        """Where something may stand before it."""
        return {self.span[0], self.chain[0]}

    @property
    def ends(self) -> set[int]:
        """Where something may stand behind it."""
        return {self.span[1], self.chain[1]}

    @property
    def company(self) -> str:
        """The names that it is joined to."""
        return f"{self.text[self.chain[0] : self.span[0]]} {self.text[self.span[1] : self.chain[1]]}"

    @cached_property
    def sentence(self) -> tuple[str, str]:
        """What stands before and behind these in their sentence."""
        first, last = self.chain
        begin, end = max(first - _LONGEST_SENTENCE, 0), last + _LONGEST_SENTENCE
        for sentence in _SENTENCE.finditer(self.text, begin, first):
            begin = sentence.end()
        following = _SENTENCE.search(self.text, last, end)
        return self.text[begin:first], self.text[last : following.start() if following else end]


class Chains:
    """Finds the names that a name is joined to."""

    def __init__(self, any_name: str) -> None:
        self._before = re.compile(rf"(?<!\w)(?:{any_name}){JOINT}$")
        self._behind = re.compile(rf"{JOINT}(?:{any_name})(?!\w)")

    def around(self, text: str, span: Span) -> Span:
        """Where the names begin and end that the one at `span` is joined to, with commas or "and"."""
        first, last = span
        while _BEHIND_A_JOINT.search(text, max(first - _LONGEST_JOINT, 0), first) and (
            before := self._before.search(text, max(first - _LONGEST_NAME, 0), first)
        ):
            first = before.start()
        while behind := self._behind.match(text, last):
            last = behind.end()
        return first, last


def starts_of(word: str, text: str) -> Iterator[int]:
    """Where `word` begins in `text`, and no longer word around it."""
    start = text.find(word)
    while start >= 0:
        if start == 0 or not text[start - 1].isalnum():
            yield start
        start = text.find(word, start + 1)
