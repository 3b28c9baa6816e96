"""Words and symbols that ADS would misread: invisible characters, comparisons, parts of web addresses."""

import re
import unicodedata
from collections.abc import Iterator

from pathfinder.answering.ads_query.fields import FieldKind

_WITH_COLON = (FieldKind.IDENTIFIER, FieldKind.ARXIV, FieldKind.DOI)
"""Kinds of value that may contain a colon without being quoted: arXiv:1108.0669, and the DOIs of some journals."""
_COLON = re.compile(r"(?<!\\):")
_PARAMETER = re.compile(r"&?[A-Za-z.]+=.*|&.+")
_SINGLE_QUOTES = "'`´‘’‚‛′"


def foreign_word(kind: FieldKind, field: str | None, word: str, following: str) -> str | None:
    """Describe what is wrong with a word that ADS would misread; `following` is the text after the word."""
    if word[0] in _SINGLE_QUOTES:
        return f'{word[0]} is not a quotation mark in ADS: use straight double quotes, as in abs:"dark energy"'
    if field is None and _PARAMETER.fullmatch(word):
        return f"{word} belongs to a web address, not a query: write only the terms"
    if _COLON.search(word) and kind not in _WITH_COLON and word != "*:*":
        return (
            f'in {word}, a colon separates a field from its value: write one field and one colon, or put "{word}" in '
            "quotes"
        )
    return _word_without_field(word, following) if field is None else None


def unseen(query: str) -> Iterator[tuple[int, str]]:
    """Yield the position and description of each invisible character."""
    for place, sign in enumerate(query, start=1):
        if unicodedata.category(sign).startswith("C"):
            yield place, f"there is an invisible character here, U+{ord(sign):04X}: remove it"


def _word_without_field(word: str, following: str) -> str | None:
    if "<" in word or ">" in word:
        return f"ADS does not support comparisons such as {word}: write a range, as in citation_count:[101 TO *]"
    if word == "TO" or word.strip("~") == "":
        return (
            f"{word} cannot stand alone: write it inside a range, as in year:[2010 TO 2015], or directly after a phrase"
        )
    if word in ("SELECT", "WHERE") or (word.casefold() in ("sort", "order") and following.casefold() == "by"):
        return f'ADS queries have no {word}: write only terms; to sort, use topn(10, abs:"dark energy", date desc)'
    return None
