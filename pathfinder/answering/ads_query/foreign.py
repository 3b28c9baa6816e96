"""Words of a query that ADS reads otherwise than they are meant: signs of other languages and of addresses."""

import re
import unicodedata
from collections.abc import Iterator

from pathfinder.answering.ads_query.fields import Kind
from pathfinder.answering.ads_query.tokens import Token

_WITH_COLON = (Kind.IDENTIFIER, Kind.ARXIV, Kind.DOI)
"""What may hold a colon without quotes: arXiv:1108.0669, and DOIs of some journals."""
_COLON = re.compile(r"(?<!\\):")
_PARAMETER = re.compile(r"&?[A-Za-z.]+=.*|&.+")
_SINGLE_QUOTES = "'`´‘’‚‛′"


def foreign(kind: Kind, field: str | None, word: str, behind: Token) -> str | None:
    """What is wrong with a word that ADS does not read as it is meant; `behind` is what comes next."""
    if word[0] in _SINGLE_QUOTES:
        return f'{word[0]} quotes nothing: write straight double quotes, as in abs:"dark energy"'
    if field is None and _PARAMETER.fullmatch(word):
        return f"{word} is no part of a query, but of an address: write the terms alone"
    if _COLON.search(word) and kind not in _WITH_COLON and word != "*:*":
        return f'in {word} a colon parts a field from its value: write one field and one colon, or "{word}" in quotes'
    return _without_field(word, behind.text) if field is None else None


def unseen(query: str) -> Iterator[tuple[int, str]]:
    """Place and words of each sign that is not seen."""
    for place, sign in enumerate(query, start=1):
        if unicodedata.category(sign).startswith("C"):
            yield place, f"an unseen sign, U+{ord(sign):04X}, stands here: take it out"


def _without_field(word: str, behind: str) -> str | None:
    if "<" in word or ">" in word:
        return f"ADS compares nothing by {word}: write a range, as in citation_count:[101 TO *]"
    if word == "TO" or word.strip("~") == "":
        return f"{word} stands alone: write it within a range, year:[2010 TO 2015], or right behind a phrase"
    if word in ("SELECT", "WHERE") or (word.casefold() in ("sort", "order") and behind.casefold() == "by"):
        return f'a query of ADS has no {word}: write terms, and topn(10, abs:"dark energy", date desc) for an order'
    return None
