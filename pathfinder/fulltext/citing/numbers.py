"""Citations by number, such as [3] or [2, 5-7]."""

import re
from collections.abc import Collection, Iterator

from pathfinder.fulltext.citing.cited_at import CitedAt

MOST_CITED = 30
"""Longest range of numbers that counts as a citation."""

_BRACKETS = re.compile(r"\[(\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*)\]")
_PART = re.compile(r"(\d{1,4})(?:\s*[–-]\s*(\d{1,4}))?")


def numbered_citations(text: str, keys: Collection[str]) -> tuple[CitedAt, ...]:
    """Return the citations of a paragraph to the references whose numbers are `keys`."""
    matches = ((match, tuple(key for key in _numbers(match[1]) if key in keys)) for match in _BRACKETS.finditer(text))
    return tuple(CitedAt(match.start(), match.end(), cited) for match, cited in matches if cited)


def _numbers(text: str) -> Iterator[str]:
    for part in _PART.finditer(text):
        first, last = int(part[1]), int(part[2] or part[1])
        yield from map(str, range(first, min(last, first + MOST_CITED) + 1))
