"""Differences in spelling that do not make a different name: case, accents and the possessive s."""

import unicodedata

_LAST_LATIN_MARK = "\u036f"
"""Last of the combining marks that are accents; those beyond it are vowels and consonants of other scripts."""


def fold(text: str) -> str:
    """Return `text` in lower case and without accents, for comparison: "Öpik" and "opik" are equal."""
    if text.isascii():
        return text.casefold()
    apart = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in apart if sign > _LAST_LATIN_MARK or not unicodedata.combining(sign)).casefold()


def without_possessive(word: str) -> str:
    """Return `word` without its possessive s: "Jupiter" for "Jupiter's"."""
    return word.removesuffix("'s").removesuffix("’s")
