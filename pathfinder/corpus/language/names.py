"""Names in a question: telescopes, missions, objects, catalogue entries, acronyms, persons and places.

A name makes its phrase a name only where it stands for the thing itself. In "Hubble constant", "Fermi
bubbles" or "Kerr black holes" it has become part of a concept: the phrase is a keyword and no name, and
"Hubble" alone is not asked for. In "Hubble images" and "Crab nebula" it is the telescope and the nebula.
"""

import re
from typing import NamedTuple

from pathfinder.corpus.language.context import NOUNS
from pathfinder.corpus.language.inflection import base_form
from pathfinder.corpus.language.known_names import CATALOGUES, FACILITIES, LONG_NAMES, OBJECTS, PERSONS_TOO
from pathfinder.corpus.language.looks import is_in_capitals
from pathfinder.corpus.language.tagged import TaggedText
from pathfinder.corpus.language.wordlists import words

_MOST_WORDS = max(map(len, LONG_NAMES))
_ENTRY = re.compile(
    r"(?:gw|grb|frb)\d{6}\w*|(?:sn|at)\d{4}[a-z]+|m\d{1,3}\*?|[12]\w*j\d{4}\S*|j\d{4,6}(?:\.\d+)?[+-]\d\S*"
    r"|(?:[a-z]{2,}|k2)-?\d+[a-z]?"
)
_ACRONYM = re.compile(r"[A-Z][A-Z0-9&/-]*[A-Z][A-Z0-9-]*s?|[a-z]{1,2}[A-Z]{2,}\w*|[A-Z][a-z]*[A-Z]\w*")
_ROMAN = re.compile(r"[IVX]+[a-z]?|I[ab]")
_RELEASE = re.compile(r"e?dr\d+|\d")
_USES = words(
    "data observation image imaging spectrum spectroscopy photometry light lightcurve survey telescope mission "
    "satellite spacecraft instrument detector camera catalog sample target candidate source release map "
    "likelihood collaboration team era deep archive measurement"
)
"""What follows the name of a telescope, and never that of a concept."""
_THINGS = words(
    "nebula galaxy cluster cloud pulsar group stream comet asteroid supercluster moon crater rover remnant "
    "telescope observatory array survey explorer probe mission collaboration facility"
)
_NO_NAMES = words(
    "seyfert wolf-rayet herbig bok lyman kerr cepheid magnus type sun earth moon universe galaxy cosmos world "
    "solar galactic active cherenkov uv ir euv fuv nuv nir mir fir us usa ra phd ok"
)
"""Capitalised words that name a kind, or what every paper has."""
_ADJECTIVES_TOO = words("swift roman")


class Name(NamedTuple):
    """First word and end of a name."""

    start: int
    end: int
    is_apart: bool
    """Whether it is cut out of its phrase: "JWST" out of "JWST spectra", but not "AGN" out of "AGN feedback"."""


def names_in(text: TaggedText) -> list[Name]:
    """The names of `text`, in order; none overlaps another."""
    found: list[Name] = []
    for start, end in text.sentences:
        in_capitals = is_in_capitals(text.words[start:end])
        i = start
        while i < end:
            known = _known_name(text, i, end)
            length = known or (0 if in_capitals else _capitalised_name(text, i, end))
            if length:
                found.append(Name(i, i + length, bool(known) or not _ACRONYM.fullmatch(text.words[i])))
            i += max(length, 1)
    return found


def _known_name(text: TaggedText, i: int, end: int) -> int:
    """How many words from word `i` on are a name that the lists or a catalogue's pattern know."""
    lower = [_bare(word).lower() for word in text.words[i : min(i + _MOST_WORDS, end)]]
    for length in range(len(lower), 1, -1):
        if tuple(lower[:length]) in LONG_NAMES:
            return length + _is_thing(text, i + length, end)
    following = lower[1] if len(lower) > 1 else ""
    if following[:1].isdigit() and (lower[0] in CATALOGUES or text.words[i] == "M"):
        return 2
    if lower[0] in FACILITIES:
        return 2 if _RELEASE.fullmatch(following) else 1
    if lower[0] in OBJECTS:
        return 1 + _is_thing(text, i + 1, end)
    if _ENTRY.fullmatch(lower[0]):
        return 2 if following in ("b", "c", "d", "e", "f", "g", "h") else 1  # "TRAPPIST-1 e"
    return int(lower[0] in PERSONS_TOO and _stands_for_itself(text, i, end))


def _is_thing(text: TaggedText, i: int, end: int) -> bool:
    """Whether the next word says what the name names: "Andromeda galaxy"."""
    return i < end and text.tags[i] in ("NN", "NNP") and _base(text, i) in _THINGS


def _stands_for_itself(text: TaggedText, i: int, end: int) -> bool:
    """Whether the telescope is meant, and not the person whose name a concept bears."""
    word = text.words[i]
    if word.islower() and word in _ADJECTIVES_TOO:
        return False
    return (
        not _qualifies_a_noun(text, i + 1, end)
        or _base(text, i + 1) in _USES
        or bool(_ACRONYM.fullmatch(text.words[i + 1]))
    )


def _capitalised_name(text: TaggedText, i: int, end: int) -> int:
    """How many words from word `i` on are a name by the look of them."""
    word = _bare(text.words[i])
    is_class = len(word) == 2 and word.isupper() and i + 1 < end and _looks_like_a_name(text, i + 1)
    if _ACRONYM.fullmatch(word) and not is_class:
        return int(_is_name_of_letters(text, i, end))
    after = i + is_class  # "BL Lacertae objects"
    while after < end and (_looks_like_a_name(text, after) or (after > i and _is_number_of_name(text.words[after]))):
        after += 1
    if after == i:
        return 0
    if not _qualifies_a_noun(text, after, end) or _base(text, after - 1) in _THINGS or _base(text, after) in _USES:
        return 0 if _is_kind_of_planet(text, i, after) else after - i
    return after - i + 1 if _is_thing(text, after, end) else 0


def _is_number_of_name(word: str) -> bool:
    """ "Crater II", "Leo T"."""
    return bool(_ROMAN.fullmatch(word)) or (len(word) == 1 and word.isupper())


def _is_name_of_letters(text: TaggedText, i: int, end: int) -> bool:
    word = _bare(text.words[i])
    is_name = text.tags[i] in NOUNS and not _ROMAN.fullmatch(word) and word.lower() not in _NO_NAMES
    # "OB stars", "CO lines": with two letters, a kind.
    return is_name and (len(word) > 2 or not _qualifies_a_noun(text, i + 1, end))


def _is_kind_of_planet(text: TaggedText, i: int, after: int) -> bool:
    """ "Hot Jupiters" are not Jupiter."""
    return after - i == 1 and text.words[i].endswith("s") and i > 0 and text.tags[i - 1] == "JJ"


def _looks_like_a_name(text: TaggedText, i: int) -> bool:
    word = _bare(text.words[i])
    is_name = text.tags[i] == "NNP" and word[0].isupper() and not _ACRONYM.fullmatch(word)
    is_kind = word.lower() in _NO_NAMES or word.endswith("ian") or "_" in word
    return is_name and not is_kind and len(word) > 2


def _qualifies_a_noun(text: TaggedText, i: int, end: int) -> bool:
    """Whether a noun comes at word `i`, adjectives before it or not: what stands before it qualifies it."""
    while i < end and text.tags[i] in ("JJ", "VBN", "VBG"):
        i += 1
    return i < end and text.tags[i] in NOUNS


def _base(text: TaggedText, i: int) -> str:
    return base_form(_bare(text.words[i]).lower())


def _bare(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s")
