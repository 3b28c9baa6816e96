"""Citations by number, such as [3], [2, 5-7] or superscript: galaxies²,⁵⁻⁷."""

import re
from collections.abc import Collection, Iterator

from pathfinder.fulltext.citing.cited_at import CitedAt

MOST_CITED = 30
"""Longest range of numbers that counts as a citation."""

_BRACKETS = re.compile(r"\[(\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*)\]")
_PART = re.compile(r"(\d{1,4})(?:\s*[–-]\s*(\d{1,4}))?")


_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_SUPERSCRIPT = re.compile(rf"(?<=[^\W\d_]|[.,;:!?)\]\"'’”%]) ?([{_DIGITS}]{{1,3}}(?:[,;⁻] ?[{_DIGITS}]{{1,3}})*)(?!\w)")
_PLAIN = str.maketrans(f"{_DIGITS}⁻", "0123456789-")
_LONGEST_WORD = 60
_WORD_BEFORE = re.compile(rf"([^\W\d_{_DIGITS}]{{1,{_LONGEST_WORD}}})$")
_LONGEST_SYMBOL, _LONGEST_UNIT = 2, 4
"""Longest symbol whose power looks like a citation (σT⁴), and longest unit whose square or cube does (km², kpc³)."""


def raised_citations(text: str, keys: Collection[str]) -> tuple[CitedAt, ...]:
    """Return the superscript numbers in a paragraph that cite the references whose numbers are `keys`.

    A single digit after a symbol, and a 2 or a 3 after a short word, may be an exponent, as in "km²", and does not
    count.
    """
    matches = (match for match in _SUPERSCRIPT.finditer(text) if not _may_be_power(text, match))
    cited_numbers = ((match, tuple(_numbers(match[1].translate(_PLAIN)))) for match in matches)
    return tuple(
        CitedAt(match.start(1), match.end(), numbers)
        for match, numbers in cited_numbers
        if numbers and set(keys) >= {*numbers}
    )


def _may_be_power(text: str, match: re.Match[str]) -> bool:
    word, number = (
        _WORD_BEFORE.search(text, max(0, match.start(1) - _LONGEST_WORD), match.start(1)),
        match[1].translate(_PLAIN),
    )
    longest = _LONGEST_UNIT if number in ("2", "3") else _LONGEST_SYMBOL if len(number) == 1 else 0
    return word is not None and len(word[1]) <= longest


def numbered_citations(text: str, keys: Collection[str]) -> tuple[CitedAt, ...]:
    """Return the citations in a paragraph that refer to the references whose numbers are `keys`."""
    matches = ((match, tuple(key for key in _numbers(match[1]) if key in keys)) for match in _BRACKETS.finditer(text))
    return tuple(CitedAt(match.start(), match.end(), numbers) for match, numbers in matches if numbers)


def _numbers(text: str) -> Iterator[str]:
    for part in _PART.finditer(text):
        first, last = int(part[1]), int(part[2] or part[1])
        yield from map(str, range(first, min(last, first + MOST_CITED) + 1))
