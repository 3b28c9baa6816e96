"""Differences in spelling that do not make a different name: case, accents and the possessive s."""

import unicodedata
from collections.abc import Sequence

_WITH_STROKES = str.maketrans(
    dict(zip("øØđĐðÐłŁħĦŧŦıȷŋŊ", "ooddddllhhttijnn", strict=True))
    | {"æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "þ": "th", "Þ": "th"}
)
"""Letters that Unicode does not take apart, as people without them write them."""
_LAST_LATIN_MARK = "\u036f"
"""Last of the combining marks that are accents; those beyond it are vowels and consonants of other scripts."""


def fold(text: str) -> str:
    """Return `text` in lower case and without accents, for comparison: "Öpik" and "opik" are equal, as are "Ørsted" and
    "orsted".
    """
    if text.isascii():
        return text.casefold()
    apart = unicodedata.normalize("NFKD", text.translate(_WITH_STROKES))
    return "".join(sign for sign in apart if sign > _LAST_LATIN_MARK or not unicodedata.combining(sign)).casefold()


def without_possessive(word: str) -> str:
    """Return `word` without its possessive s: "Jupiter" for "Jupiter's"."""
    return word.removesuffix("'s").removesuffix("’s")


def typing_errors(word: str, other: str) -> int:
    """Count the typing errors that turn `word` into `other`: a letter missing, added or wrong, or two swapped.

    This is the optimal string alignment distance: Damerau 1964, Communications of the ACM 7, 171.
    """
    from rapidfuzz.distance import OSA  # here, because many modules fold names, and few correct words

    return OSA.distance(word, other)


def words_near(word: str, others: Sequence[str], most_errors: int) -> list[tuple[str, int]]:
    """Return those of `others` that at most `most_errors` typing errors turn `word` into, each with their number."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    near = process.extract(word, others, scorer=OSA.distance, score_cutoff=most_errors, limit=None)
    return [(other, int(n_errors)) for other, n_errors, _ in near]
