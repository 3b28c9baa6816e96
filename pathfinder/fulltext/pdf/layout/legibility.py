"""Legibility of a page: whether it has text, and whether that text is language rather than codes from a font that does
not map to letters.
"""

import math
import re
import unicodedata
from collections import Counter
from enum import StrEnum

from pathfinder.text.wordlists import words

FEWEST_CHARACTERS = 20
"""Number of letters and digits below which a page counts as having no text."""
FEWEST_LETTERS = 500
"""Number of letters below which their statistics are meaningless."""

_LATIN_SHARES = dict(
    zip(
        "etaoinsrhldcumfpgwybvkxjqz",
        (
            12.5,
            8.8,
            8.2,
            7.0,
            7.5,
            7.2,
            6.9,
            6.4,
            4.2,
            4.4,
            3.9,
            3.4,
            3.1,
            2.7,
            2.0,
            2.2,
            1.8,
            1.5,
            1.3,
            1.4,
            1.1,
            0.8,
            0.2,
            0.2,
            0.4,
            0.3,
        ),
        strict=True,
    )
)
"""Frequencies of letters [per cent], roughly the mean for English, French, German, Spanish and Italian."""
_MOST_ODD = 0.25
_LOWEST_LIKENESS = 0.75
_FEWEST_COMMON = 0.05
_CAPITAL_WITHIN = re.compile("[a-z][A-Z]")
_MOST_MIXED = 0.2
"""Maximum share, in a legible text, of words with a capital letter after a lower-case one."""
_COMMON = words(
    "the of and to in a is that for with as are by we this from on an be at which it not was have "
    "der die und das von den mit im zu des ist ein für auf dem nicht eine wird "
    "le la les des et en un une du que pour dans est qui par sur au plus "
    "el los las del y por con para se una como al il di che per della è sono gli dei"
)


class Legibility(StrEnum):
    """State of a page's text."""

    LEGIBLE = "legible"
    EMPTY = "empty"
    GARBLED = "garbled"


def legibility(text: str) -> Legibility:
    """Judge the text of a page by its letters and its most common words."""
    characters = [letter for letter in text if not letter.isspace()]
    if sum(letter.isalnum() for letter in characters) < FEWEST_CHARACTERS:
        return Legibility.EMPTY if len(characters) < FEWEST_CHARACTERS else Legibility.GARBLED
    odd = sum(unicodedata.category(letter) in {"Co", "Cn", "Cc", "Cs"} or letter == "\ufffd" for letter in characters)
    if odd > _MOST_ODD * len(characters):
        return Legibility.GARBLED
    letters = Counter(letter for letter in text.lower() if "a" <= letter <= "z")
    alphabetic = sum(letter.isalpha() for letter in characters)
    if alphabetic < FEWEST_LETTERS or letters.total() < 0.5 * alphabetic:
        return Legibility.LEGIBLE  # A table, or a script other than Latin.
    tokens = text.split()
    common = sum(token.lower() in _COMMON for token in tokens) / len(tokens)
    mixed_share = sum(_CAPITAL_WITHIN.search(token) is not None for token in tokens) / len(tokens)
    is_writing = mixed_share <= _MOST_MIXED and (common >= _FEWEST_COMMON or _likeness(letters) >= _LOWEST_LIKENESS)
    return Legibility.LEGIBLE if is_writing else Legibility.GARBLED


def _likeness(letters: Counter[str]) -> float:
    """Return the cosine between the letter frequencies of a text and those of European languages, [0, 1]."""
    product = sum(letters[letter] * share for letter, share in _LATIN_SHARES.items())
    lengths = math.hypot(*letters.values()) * math.hypot(*_LATIN_SHARES.values())
    return product / lengths
