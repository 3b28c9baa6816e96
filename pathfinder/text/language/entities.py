"""Named entities in a question: facilities, objects, catalogue entries, acronyms, people and places.

A name counts as an entity only if it refers to the thing itself, as in "Hubble images" and "Crab nebula". In "Hubble
constant", "Fermi bubbles" and "Kerr black holes" it is part of a concept: the phrase is a keyword, and the question is
not about Hubble. Distinguishing the two requires parts of speech. The checks of evidence and of rewrites use every
name, including those in concepts, and have their own code for finding names.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from pathfinder.text.english import words
from pathfinder.text.inflection import base_form
from pathfinder.text.language.lemmas import is_unspaced_name
from pathfinder.text.language.lexicon_tagger import NOUNS, is_in_capitals
from pathfinder.text.language.tagged_text import TaggedText
from pathfinder.text.spelling import without_possessive

Words = frozenset[str]


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """Names of a field, in lower case."""

    facilities: Words = frozenset()
    """Facilities, instruments, surveys, simulations and codes whose names have no other meaning."""
    ambiguous: Words = frozenset()
    """Facilities that share their name with a concept: "Hubble images", but "Hubble constant"."""
    objects: Words = frozenset()
    phrases: frozenset[tuple[str, ...]] = frozenset()
    """Names of more than one word, each as a tuple."""
    catalogues: Words = frozenset()
    """Catalogue names that precede a number: "ngc 1068"."""
    kinds: Words = frozenset()
    """Nouns that end the name of an object or a facility: "galaxy" in "Andromeda galaxy"."""
    uses: Words = frozenset()
    """Nouns next to which an ambiguous name means the facility."""
    classes: Words = frozenset()
    """Capitalised words that name a class of things, or something mentioned in every paper."""

    @property
    def longest(self) -> int:
        """Number of words in the longest name, at least 2."""
        return max(map(len, self.phrases), default=2)


_CATALOGUE_ENTRY = re.compile(r"[12]\w*j\d{4}\S*|j\d{4,6}(?:\.\d+)?[+-]\d\S*|(?:[a-z]{2,}|k2)-?\d+[a-z]?")
_ACRONYM = re.compile(r"[A-Z][A-Z0-9&/-]{0,60}[A-Z][A-Z0-9-]{0,60}s?|[a-z]{1,2}[A-Z]{2,}+\w*|[A-Z][a-z]*[A-Z]\w*")
_ROMAN = re.compile(r"[IVX]+[a-z]?|I[ab]")
_RELEASE = re.compile(r"e?dr\d+|\d")
_AMBIGUOUS_ADJECTIVES = words("swift roman")


class Entity(NamedTuple):
    """A named entity, given by the index of its first word and by its end (exclusive)."""

    start: int
    end: int
    is_separable: bool
    """True if it can be separated from its noun phrase: "JWST" from "JWST spectra", but not "AGN" from "AGN feedback".
    """


MOST_NAME_WORDS = 12
"""Maximum number of words in a row that are read as one name."""


def find_entities(text: TaggedText, names: Gazetteer) -> list[Entity]:
    """Return the named entities in `text`, in order and without overlap; `names` are those of the field."""
    entities: list[Entity] = []
    longest = names.longest
    for start, end in text.sentences:
        in_capitals = is_in_capitals(text.words[start:end])
        i = start
        while i < end:
            length_of_name = _listed_name_length(text, names, i, end, longest)
            length = length_of_name or (0 if in_capitals else _capitalised_name_length(text, names, i, end))
            if length:
                entities.append(Entity(i, i + length, bool(length_of_name) or not _ACRONYM.fullmatch(text.words[i])))
            i += max(length, 1)
    return entities


def _listed_name_length(text: TaggedText, names: Gazetteer, i: int, end: int, longest: int) -> int:
    """Count the words, starting at `i`, that form a name in the gazetteer or a catalogue entry; 0 if there are none."""
    lower = [without_possessive(word).lower() for word in text.words[i : min(i + longest, end)]]
    for length in range(len(lower), 1, -1):
        if tuple(lower[:length]) in names.phrases:
            return length + _is_object_kind(text, names, i + length, end)
    following = lower[1] if len(lower) > 1 else ""
    if following[:1].isdigit() and (lower[0] in names.catalogues or text.words[i] == "M"):
        return 2
    if lower[0] in names.facilities:
        return 2 if _RELEASE.fullmatch(following) else 1
    if lower[0] in names.objects:
        return 1 + _is_object_kind(text, names, i + 1, end)
    if _CATALOGUE_ENTRY.fullmatch(lower[0]) or is_unspaced_name(lower[0]):
        return 2 if following in ("b", "c", "d", "e", "f", "g", "h") else 1  # "TRAPPIST-1 e"
    return int(lower[0] in names.ambiguous and _stands_for_itself(text, names, i, end))


def _is_object_kind(text: TaggedText, names: Gazetteer, i: int, end: int) -> bool:
    """Return whether word `i` gives the class of the object named before it: "Andromeda galaxy"."""
    return i < end and text.tags[i] in ("NN", "NNP") and _base(text, i) in names.kinds


def _stands_for_itself(text: TaggedText, names: Gazetteer, i: int, end: int) -> bool:
    """Return whether word `i` refers to the facility, rather than to a concept named after the same person."""
    word = text.words[i]
    if word.islower() and word in _AMBIGUOUS_ADJECTIVES:
        return False
    return (
        not _modifies_noun(text, i + 1, end)
        or _base(text, i + 1) in names.uses
        or bool(_ACRONYM.fullmatch(text.words[i + 1]))
    )


def _capitalised_name_length(text: TaggedText, names: Gazetteer, i: int, end: int) -> int:
    """Count the words, starting at `i`, that look like a name; 0 if there are none."""
    word = without_possessive(text.words[i])
    is_class = len(word) == 2 and word.isupper() and i + 1 < end and _looks_like_a_name(text, names, i + 1)
    if _ACRONYM.fullmatch(word) and not is_class:
        return int(_is_acronym_entity(text, names, i, end))
    after = i + is_class  # "BL Lacertae objects"
    while after < min(end, i + MOST_NAME_WORDS) and (
        _looks_like_a_name(text, names, after) or (after > i and _is_name_suffix(text.words[after]))
    ):
        after += 1
    if after == i:
        return 0
    if (
        not _modifies_noun(text, after, end)
        or _base(text, after - 1) in names.kinds
        or _base(text, after) in names.uses
    ):
        return 0 if _is_kind_of_planet(text, i, after) else after - i
    return after - i + 1 if _is_object_kind(text, names, after, end) else 0


def _is_name_suffix(word: str) -> bool:
    """Return whether `word` can be the second word of a name, as in "Crater II" and "Leo T"."""
    return bool(_ROMAN.fullmatch(word)) or (len(word) == 1 and word.isupper())


def _is_acronym_entity(text: TaggedText, names: Gazetteer, i: int, end: int) -> bool:
    word = without_possessive(text.words[i])
    is_name = text.tags[i] in NOUNS and not _ROMAN.fullmatch(word) and word.lower() not in names.classes
    # Two letters before a noun denote a class: "OB stars", "CO lines".
    return is_name and (len(word) > 2 or not _modifies_noun(text, i + 1, end))


def _is_kind_of_planet(text: TaggedText, i: int, after: int) -> bool:
    """Return whether the name denotes a class of objects: "hot Jupiters" are not Jupiter."""
    return after - i == 1 and text.words[i].endswith("s") and i > 0 and text.tags[i - 1] == "JJ"


def _looks_like_a_name(text: TaggedText, names: Gazetteer, i: int) -> bool:
    word = without_possessive(text.words[i])
    is_name = text.tags[i] == "NNP" and word[0].isupper() and not _ACRONYM.fullmatch(word)
    is_kind = word.lower() in names.classes or word.endswith("ian") or "_" in word
    return is_name and not is_kind and len(word) > 2


def _modifies_noun(text: TaggedText, i: int, end: int) -> bool:
    """Return whether a noun, with or without adjectives, starts at word `i`, so that the preceding word modifies it."""
    while i < end and text.tags[i] in ("JJ", "VBN", "VBG"):
        i += 1
    return i < end and text.tags[i] in NOUNS


def _base(text: TaggedText, i: int) -> str:
    return base_form(without_possessive(text.words[i]).lower())
