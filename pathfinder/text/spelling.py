"""Differences in spelling that do not make a different name: case, accents and the possessive s."""

import unicodedata

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
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(word, start=1):
        before, above, row = row, before, [i]
        for j, sign in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != sign))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == sign:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return row[-1]
