"""How many tokens an answer may need when it is told anew: enough for any reader, and for any script."""

import unicodedata

from pathfinder.types import Audience

LEAST, MOST = 2_000, 16_000
"""Of a reply: what every model of today can write, and what few go beyond. A model that thinks aloud spends of it."""

LONGER = {None: 1.3, Audience.EXPERT: 1.3, Audience.STUDENT: 2.0, Audience.TEN_YEAR_OLD: 2.5}
"""How many times as long the new text may be: terms of the trade are explained to those who do not know them."""

_LATIN, _TWO_BYTES, _THREE_BYTES = 0.4, 1.0, 2.0
"""Tokens for each sign of an English text, once it is told in a script whose letters take one byte, two, or three:
most tokenisers were made on English and cut other scripts into bytes."""
_OF_LATIN = frozenset(
    "english en spanish español es french français fr german deutsch de italian italiano it portuguese português pt "
    "dutch nederlands nl danish da swedish sv norwegian no finnish fi polish pl czech cs hungarian hu romanian ro "
    "turkish tr indonesian id malay ms catalan ca basque eu latin la swahili sw slovak sk slovenian sl".split()
)
_OF_TWO_BYTES = frozenset(
    "russian ru ukrainian uk bulgarian bg serbian sr greek el arabic ar persian fa urdu ur hebrew he armenian hy "
    "chinese zh 中文 汉语 漢語 mandarin japanese ja korean ko vietnamese vi".split()
)
"""Also Chinese, Japanese and Korean, which say with one sign what takes three in English."""
_DENSE = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")
SIGNS_OF_DENSE = 3


def tokens_for(original: str, audience: Audience | None, language: str | None) -> int:
    """The most tokens that `original` may take for those readers in that language; `None`: in its own."""
    per_sign = _of_language(language) if language else _of_text(original)
    return round(min(max(_length(original) * LONGER[audience] * per_sign, LEAST), MOST))


def _length(text: str) -> int:
    """In signs of English, about."""
    return sum(SIGNS_OF_DENSE if unicodedata.name(sign, "").startswith(_DENSE) else 1 for sign in text)


def _of_language(name: str) -> float:
    """A language that is not known here may be written in any script."""
    name = name.casefold()
    return _LATIN if name in _OF_LATIN else _TWO_BYTES if name in _OF_TWO_BYTES else _THREE_BYTES


def _of_text(text: str) -> float:
    """By its letters beyond ASCII: accents are few."""
    widths = [len(sign.encode("utf-8", "replace")) for sign in text if sign.isalpha()]
    n_wide, n_two = sum(width > 2 for width in widths), sum(width == 2 for width in widths)
    if n_wide > len(widths) / 4:
        return _TWO_BYTES if _length(text) > len(text) else _THREE_BYTES
    return _TWO_BYTES if n_two > len(widths) / 4 else _LATIN
