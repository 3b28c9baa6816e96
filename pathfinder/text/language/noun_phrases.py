"""Noun phrases in a tagged sentence, without stop words at the beginning or the end."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pathfinder.text.inflection import base_form
from pathfinder.text.language.contextual_rules import NOUNS
from pathfinder.text.language.stop_words import (
    GENERIC_MODIFIERS,
    STOP_MODIFIERS,
    STOP_NOUNS,
    TECHNICAL_BIGRAMS,
    TRAILING_STOP_NOUNS,
)
from pathfinder.text.language.word_shape import DASH, is_symbol
from pathfinder.text.wordlists import words

MAX_PHRASE_WORDS = 5

_MODIFIER_TAGS = words("JJ VBN VBG")
_TECHNICAL_ADVERBS = words("linearly circularly randomly densely doubly singly freely slowly rapidly weakly optically")
_STOP_ADVERBS = words(
    "actually additionally automatically basically conventionally critically dramatically drastically equally "
    "especially essentially eventually exceptionally finally fundamentally generally historically ideally "
    "initially marginally naturally occasionally originally potentially practically previously principally really "
    "substantially theoretically totally traditionally typically unusually usually virtually"
)
_POSSESSIVES = ("'s", "’s")
_AFTER_LETTER = words("mode modes process band bands type")
"""Nouns, in any field, that form one term with the letter before them: "B mode"."""


@dataclass(frozen=True, slots=True)
class FieldTerms:
    """Terms of a field whose first part would otherwise be left out of noun phrases."""

    lettered_nouns: frozenset[str] = frozenset()
    """Nouns, in the singular, that form one term with the letter before them: "M dwarfs"."""
    bigrams: frozenset[str] = frozenset()
    """A stop modifier and a noun, in the singular, that form one term: "main sequence"."""

    def is_term(self, modifier: str, noun: str) -> bool:
        """Return whether a stop modifier and a noun, in the singular, form a term, either of this field or of every
        field.
        """
        return (modifier, noun) in TECHNICAL_BIGRAMS or f"{modifier} {noun}" in self.bigrams


NO_TERMS = FieldTerms()


def noun_runs(sentence: Sequence[str], tags: Sequence[str], terms: FieldTerms = NO_TERMS) -> Iterator[tuple[int, int]]:
    """Yield the index of the first word and the end (exclusive) of each run of nouns and their modifiers."""
    start = 0
    for end in range(len(sentence) + 1):
        if end == len(sentence) or not _is_in_run(end, sentence, tags, terms.lettered_nouns):
            if end > start:
                yield start, end
            start = end + 1


def _is_in_run(i: int, sentence: Sequence[str], tags: Sequence[str], lettered_nouns: Container[str]) -> bool:
    if tags[i] == "RB":
        return i + 1 < len(tags) and tags[i + 1] in _MODIFIER_TAGS and _is_technical_adverb(sentence[i].lower())
    if tags[i] == "CD":
        return i > 0 and tags[i - 1] == "NNP" and sentence[i].isdigit()
    if len(sentence[i]) == 1 and sentence[i].isascii() and sentence[i].isalpha():
        is_name = sentence[i].isupper() and tags[i] in NOUNS and tags[i + 1 : i + 2] == ["NNP"]
        following = sentence[i + 1].lower() if i + 1 < len(sentence) else ""
        is_kind = following in _AFTER_LETTER or following.removesuffix("s") in lettered_nouns
        return is_name or (is_kind and tags[i] not in ("DT", "PRP"))
    return tags[i] in NOUNS or tags[i] in _MODIFIER_TAGS


def _is_technical_adverb(word: str) -> bool:
    """Return whether an adverb is part of a technical term: "tidally locked", "spatially resolved" and "rapidly
    rotating", but not "typically found".
    """
    return word in _TECHNICAL_ADVERBS or (word.endswith("ally") and word not in _STOP_ADVERBS)


def _split_at_possessive(start: int, end: int, sentence: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Split a long phrase after its possessive: "Milky Way's | star formation history"."""
    for i in range(start, end - 1):
        if end - start > 3 and sentence[i].endswith(_POSSESSIVES):
            yield start, i + 1
            start = i + 1
    yield start, end


def noun_phrases(
    start: int, end: int, sentence: Sequence[str], tags: Sequence[str], terms: FieldTerms = NO_TERMS
) -> Iterator[tuple[int, int]]:
    """Yield the noun phrases in the run from `start` to `end`: one to five words, with no stop word at either end."""
    for part_start, part_end in _split_at_possessive(start, end, sentence):
        yield from _trim(part_start, part_end, sentence, tags, terms)


def _trim(
    start: int, end: int, sentence: Sequence[str], tags: Sequence[str], terms: FieldTerms
) -> Iterator[tuple[int, int]]:
    while start < end and not _can_close(end - 1, start, sentence, tags):
        end -= 1
    while end - start > 1 and is_symbol(sentence[end - 1]):
        end -= 1  # "Hubble constant H_0"
    start = max(start, end - MAX_PHRASE_WORDS)
    while start < end and _is_stop_opening(start, end, sentence, tags, terms):
        start += 1
    if start < end and not _is_generic([word.lower() for word in sentence[start:end]], terms):
        yield start, end


def _is_generic(phrase: Sequence[str], terms: FieldTerms) -> bool:
    is_stop = all(word in STOP_NOUNS or word in STOP_MODIFIERS or word in GENERIC_MODIFIERS for word in phrase)
    return is_stop and not any(terms.is_term(first, base_form(second)) for first, second in pairwise(phrase))


def _can_close(i: int, start: int, sentence: Sequence[str], tags: Sequence[str]) -> bool:
    if tags[i] == "CD":
        return i > start
    return tags[i] in NOUNS and not (sentence[i].lower() in TRAILING_STOP_NOUNS and tags[i] != "NNP")


def _is_stop_opening(start: int, end: int, sentence: Sequence[str], tags: Sequence[str], terms: FieldTerms) -> bool:
    word = sentence[start].lower()
    if tags[start] in ("CD", "RB") and end - start == 1:
        return True
    if tags[start] == "RB" and sentence[start + 1].lower() in STOP_MODIFIERS:
        return True
    if tags[start] == "VBN" and start > 0 and tags[start - 1] == "RB":
        return True  # "uniformly distributed": the participle has a different meaning without its adverb
    if word not in STOP_MODIFIERS or tags[start] == "NNP":
        return False
    return start + 1 == end or not terms.is_term(word, _first_part(sentence[start + 1]))


def _first_part(word: str) -> str:
    """Return the base form of the part before a hyphen: "gamma" for "gamma-ray"."""
    return base_form(DASH.split(word.lower())[0])
