"""Decimal commas, as in French and German, replaced by English decimal points without changing the length of a text."""

import re

from pathfinder.text.languages import LANGUAGES, languages_of

_HAS_MARKS = re.compile(r"\d(?:,|\{,\})\d|\d[ .\u00a0\u202f\u2009]\d{3}(?!\d)")
"""A number that would have a different value in a language with decimal commas."""
_DECIMAL_POINT = re.compile(r"(?<![\d.])\d+\.(?:\d{1,2}|\d{4,})(?![\d.])")
_DECIMAL_COMMA = re.compile(r"(?<![\d,])\d+(?:,|\{,\})(?:\d{1,2}|\d{4,})(?![\d,])")
"""A number in which the point or the comma cannot separate thousands."""
_NUMBER = re.compile(
    r"(?<![\w.,])(?:(?P<thousands>\d{1,3}(?:(?P<gap>[ .\u00a0\u202f\u2009])\d{3}(?:(?P=gap)\d{3})*))"
    r"(?:(?P<late>,|\{,\})(?P<late_decimals>\d+))?(?![\d.])"
    r"|(?P<whole>\d+)(?P<comma>,|\{,\})(?P<decimals>\d+)(?!\d|,\d))"
)
_GAPS = re.compile(r"[ .\u00a0\u202f\u2009]")


def with_decimal_points(text: str) -> str:
    """Return `text` with its numbers written as in English, if its language has a decimal comma: "67,4" becomes "67.4",
    and "16 659" and "16.659" become "16,659". The length stays the same: "67{,}4" becomes "67.400".

    The language is judged by the stop words of `text`. A text is left unchanged if its language might not use
    decimal commas, or if its decimals already have points.
    """
    if not _HAS_MARKS.search(text) or not _has_decimal_comma(text):
        return text
    if _DECIMAL_POINT.search(text) and not _DECIMAL_COMMA.search(text):
        return text
    return _NUMBER.sub(_in_english, text)


def _has_decimal_comma(text: str) -> bool:
    """Return whether all languages that `text` may be in have a decimal comma."""
    languages = languages_of([text])
    commas = {language.name for language in LANGUAGES if language.has_decimal_comma}
    return bool(languages) and all(name in commas for name in languages)


def _in_english(match: re.Match[str]) -> str:
    thousands = match["thousands"]
    whole = _GAPS.sub(",", thousands) if thousands else match["whole"]
    decimals = match["late_decimals"] if thousands else match["decimals"]
    # The braces of "67{,}4" leave room for two zeros.
    return f"{whole}.{decimals}".ljust(len(match[0]), "0") if decimals else whole
