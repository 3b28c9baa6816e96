"""Limits the number of tokens in a rewritten answer, leaving enough for any audience and any script."""

import unicodedata

from pathfinder.text.languages import LANGUAGES
from pathfinder.types import Audience

LEAST, MOST = 2_000, 16_000
"""Smallest and largest limit on the tokens in a reply: every current model can write the lower number, and few can
write more than the upper. Tokens used for reasoning count too.
"""

LONGER = {None: 1.3, Audience.EXPERT: 1.3, Audience.STUDENT: 2.0, Audience.TEN_YEAR_OLD: 2.5}
"""Maximum ratio of the new text's length to the original's; high for readers to whom technical terms are explained."""

_LATIN, _TWO_BYTES, _THREE_BYTES = 0.4, 1.0, 2.0
"""Tokens per character of an English text after translation into a script whose letters take one, two or three bytes:
most tokenisers were trained on English and split other scripts into bytes.
"""
_KNOWN_BY_SCRIPT = {
    script: frozenset(name for language in LANGUAGES if language.script == script for name in language.names)
    for script in ("LATIN", "CJK")
}
_OF_LATIN = _KNOWN_BY_SCRIPT["LATIN"] | frozenset(
    "danish da swedish sv norwegian no finnish fi polish pl czech cs hungarian hu romanian ro turkish tr indonesian id "
    "malay ms catalan ca basque eu latin la swahili sw slovak sk slovenian sl".split()
)
_OF_TWO_BYTES = _KNOWN_BY_SCRIPT["CJK"] | frozenset(
    "russian ru ukrainian uk bulgarian bg serbian sr greek el arabic ar persian fa urdu ur hebrew he armenian hy "
    "japanese ja korean ko vietnamese vi".split()
)
"""Languages whose scripts use two bytes per letter; also Chinese, Japanese and Korean, in which one character does the
work of about three in English.
"""
_DENSE = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")
SIGNS_OF_DENSE = 3


def rewrite_token_limit(original: str, audience: Audience | None, language: str | None) -> int:
    """Return the maximum number of tokens for a rewrite of `original` for `audience` in `language`, or in the
    original's language if `language` is `None`.
    """
    per_sign = _of_language(language) if language else _of_text(original)
    return round(min(max(_length(original) * LONGER[audience] * per_sign, LEAST), MOST))


def _length(text: str) -> int:
    """Estimate how many characters the text would have in English."""
    return sum(SIGNS_OF_DENSE if unicodedata.name(sign, "").startswith(_DENSE) else 1 for sign in text)


def _of_language(name: str) -> float:
    """Return the tokens per character of a language; a language that is not listed may use any script."""
    name = name.casefold()
    return _LATIN if name in _OF_LATIN else _TWO_BYTES if name in _OF_TWO_BYTES else _THREE_BYTES


def _of_text(text: str) -> float:
    """Estimate the tokens per character from the share of letters beyond ASCII; accented letters are rare enough not to
    matter.
    """
    widths = [len(sign.encode("utf-8", "replace")) for sign in text if sign.isalpha()]
    n_wide, n_two = sum(width > 2 for width in widths), sum(width == 2 for width in widths)
    if n_wide > len(widths) / 4:
        return _TWO_BYTES if _length(text) > len(text) else _THREE_BYTES
    return _TWO_BYTES if n_two > len(widths) / 4 else _LATIN
