"""Numbers spelled out in words: "seven", "twenty-five", "two hundred fifty thousand"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pathfinder.text.english import any_of
from pathfinder.text.languages import ENGLISH, Language

SMALL_NUMBERS = tuple(word for word, value in ENGLISH.numbers.items() if value <= 10.0)
"""The English words for 1 to 10, in order."""
ROUGH_NUMBERS = ("dozen", "hundred", "thousand", "million")
"""English words that, also in the plural, count things roughly: "hundreds of", "millions of"."""

HINTS = frozenset({"single", "both", "first", "third"})
"""English words that imply a number: a source with "both" refers to two things, but in a claim these words are not read
as numbers.
"""

_MULTIPLES = {"twice": 2.0, "thrice": 3.0, "double": 2.0, "doubled": 2.0, "doubles": 2.0, "triple": 3.0, "half": 0.5}
_HINTS = {"single": 1.0, "both": 2.0, "first": 1.0, "third": 3.0}
_DIGIT = any_of(SMALL_NUMBERS[:-1])
_BELOW_HUNDRED = (
    rf"(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -]{_DIGIT})?|(?:{_DIGIT}[ -])?dozen"
    f"|{'|'.join(sorted((word for word, value in ENGLISH.numbers.items() if value < 20.0), key=len, reverse=True))})"
)
_BELOW_THOUSAND = (
    rf"(?:(?:{_BELOW_HUNDRED}[ -])?hundred(?:(?: and |[ -]){_BELOW_HUNDRED}(?![ -]hundred))?|{_BELOW_HUNDRED})"
)
_SCALE = any_of(word for word in ENGLISH.scales if word != "hundred")
_AND_A_HALF = rf"{_BELOW_HUNDRED} and a half(?:[ -]{_SCALE})*"
_A_MILLION = rf"(?:(?:half[ -])?an?[ -]|half[ -]){_SCALE}(?:[ -]{_SCALE})*|half a (?:dozen|hundred)"
_IN_ENGLISH = re.compile(
    rf"(?<![\w-])(?:{_AND_A_HALF}|{_A_MILLION}"
    rf"|{_BELOW_THOUSAND}(?:[ -]{_SCALE})*(?:(?<=thousand)(?: and | ){_BELOW_THOUSAND}(?![ -]{_SCALE}))?"
    rf"|{'|'.join(sorted(_MULTIPLES | _HINTS, key=len, reverse=True))})(?!\w)",
    re.IGNORECASE,
)
MOST_OF_PRONOUN = 5.0
"""Smallest number that is a count even after "the", as in "the five"; "the two" may refer to things named before."""
_TENTH = 0.1
_PRONOUN = re.compile(r"\b(?:the|these|those|all|other|last)\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NumberWords:
    """A number written in words, and its position in the text."""

    start: int
    end: int
    value: float
    step: float = 1.0
    """Value of one unit in the last digit: 0.1 for "half", and for "two and a half", which is 2.5."""
    is_hint: bool = False
    """True if the word is one of `HINTS`."""
    is_loose: bool = False
    """True if the word may not be meant as a number, unless a unit follows: "one", "double", or "two" in "the two"."""


def number_words(text: str, language: Language = ENGLISH) -> Iterator[NumberWords]:
    """Yield the numbers spelled out in `text` in the given language, in order."""
    for match in _pattern(language).finditer(text):
        words = match[0].casefold()
        if language is ENGLISH:
            parts = re.findall(r"[a-z]+", words)
            value, end = _value(parts), match.end()
            scale = _value([part for part in parts if part in ENGLISH.scales]) or 1.0
            step = _TENTH * scale if "half" in parts else 1.0
        else:
            step = 1.0
            factor, end = language.scale_at(text, match.end())
            value = factor * _foreign(language)[words]
        is_pronoun = value < MOST_OF_PRONOUN and _PRONOUN.search(text[: match.start()][-20:]) is not None
        is_loose = words in ("one", "double", "triple") or is_pronoun
        yield NumberWords(match.start(), end, value, step, words in HINTS, is_loose)


def _value(words: list[str]) -> float:
    """Return the value of "two hundred fifty thousand": "hundred" multiplies the word before it, larger words
    everything before them, and "and a half" adds to what it follows: "two and a half million".
    """
    total = current = 0.0
    for word in words:
        if word in ("dozen", "hundred"):
            current = (current or 1.0) * ENGLISH.numbers[word]
        elif word in ENGLISH.scales:
            total, current = (total + (current or 0.0) or 1.0) * ENGLISH.scales[word], 0.0
        elif word not in ("and", "a", "an"):
            current += {**ENGLISH.numbers, **_MULTIPLES, **_HINTS}[word]
    return total + current


@lru_cache(maxsize=16)
def _pattern_of(words: tuple[str, ...]) -> re.Pattern[str]:
    alternatives = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"(?<![\w-])(?:{alternatives})(?![\w'’]|-l)" if words else r"(?!)", re.IGNORECASE)


def _pattern(language: Language) -> re.Pattern[str]:
    return _IN_ENGLISH if language is ENGLISH else _pattern_of(tuple(_foreign(language)))


def _foreign(language: Language) -> dict[str, float]:
    """Return the value of each number word, with alternative spellings as separate entries.

    The word for thousand is a number by itself ("mil"), but larger words are numbers only after an article ("un
    millón").
    """
    numbers = {word.casefold(): value for words, value in language.numbers.items() for word in words.split("|")}
    thousand = {word: value for word, value in language.scales.items() if value == ENGLISH.scales["thousand"]}
    with_article = {
        f"{article} {word}": value
        for article in language.articles
        for word, value in language.scales.items()
        if word not in thousand
    }
    return {**numbers, **thousand, **with_article} if numbers else numbers
