"""The noun phrases of a tagged sentence, less the words that every paper has."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pathfinder.corpus.language.context import NOUNS
from pathfinder.corpus.language.empty_words import (
    CLOSING_THINGS,
    EMPTY_QUALIFIERS,
    EMPTY_THINGS,
    GENERIC_QUALIFIERS,
    TECHNICAL_PAIRS,
)
from pathfinder.corpus.language.inflection import base_form
from pathfinder.corpus.language.looks import DASH, is_symbol
from pathfinder.corpus.language.wordlists import words

MAX_PHRASE_WORDS = 5

_QUALIFIERS = words("JJ VBN VBG")
_TECHNICAL_ADVERBS = words("linearly circularly randomly densely doubly singly freely slowly rapidly weakly optically")
_EMPTY_ADVERBS = words(
    "actually additionally automatically basically conventionally critically dramatically drastically equally "
    "especially essentially eventually exceptionally finally fundamentally generally historically ideally "
    "initially marginally naturally occasionally originally potentially practically previously principally really "
    "substantially theoretically totally traditionally typically unusually usually virtually"
)
_POSSESSIVES = ("'s", "’s")
_LETTERED = words(
    "mode modes process band bands dwarf dwarfs star stars giant giants supergiant supergiants subgiant subgiants "
    "subdwarf subdwarfs corona type asteroid asteroids ring rings"
)


def noun_runs(sentence: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First word and end of each run of nouns and what qualifies them."""
    start = 0
    for end in range(len(sentence) + 1):
        if end == len(sentence) or not _belongs(end, sentence, tags):
            if end > start:
                yield start, end
            start = end + 1


def _belongs(i: int, sentence: Sequence[str], tags: Sequence[str]) -> bool:
    if tags[i] == "RB":
        return i + 1 < len(tags) and tags[i + 1] in _QUALIFIERS and _is_technical_adverb(sentence[i].lower())
    if tags[i] == "CD":
        return i > 0 and tags[i - 1] == "NNP" and sentence[i].isdigit()
    if len(sentence[i]) == 1 and sentence[i].isascii() and sentence[i].isalpha():
        is_name = sentence[i].isupper() and tags[i] in NOUNS and tags[i + 1 : i + 2] == ["NNP"]
        is_kind = tags[i] not in ("DT", "PRP") and i + 1 < len(sentence) and sentence[i + 1].lower() in _LETTERED
        return is_name or is_kind
    return tags[i] in NOUNS or tags[i] in _QUALIFIERS


def _is_technical_adverb(word: str) -> bool:
    """ "tidally locked", "spatially resolved", "rapidly rotating"; not "typically found"."""
    return word in _TECHNICAL_ADVERBS or (word.endswith("ally") and word not in _EMPTY_ADVERBS)


def _parted(start: int, end: int, sentence: Sequence[str]) -> Iterator[tuple[int, int]]:
    """A long phrase is two at its possessive: "Milky Way's | star formation history"."""
    for i in range(start, end - 1):
        if end - start > 3 and sentence[i].endswith(_POSSESSIVES):
            yield start, i + 1
            start = i + 1
    yield start, end


def noun_phrases(start: int, end: int, sentence: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The noun phrases in the run from `start` to `end`: one to five words each, none empty at its edges."""
    for part_start, part_end in _parted(start, end, sentence):
        yield from _without_edges(part_start, part_end, sentence, tags)


def _without_edges(start: int, end: int, sentence: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[int, int]]:
    while start < end and not _can_end(end - 1, start, sentence, tags):
        end -= 1
    while end - start > 1 and is_symbol(sentence[end - 1]):
        end -= 1  # "Hubble constant H_0"
    start = max(start, end - MAX_PHRASE_WORDS)
    while start < end and _is_empty_start(start, end, sentence, tags):
        start += 1
    if start < end and not _is_empty([word.lower() for word in sentence[start:end]]):
        yield start, end


def _is_empty(phrase: Sequence[str]) -> bool:
    empty = all(word in EMPTY_THINGS or word in EMPTY_QUALIFIERS or word in GENERIC_QUALIFIERS for word in phrase)
    return empty and not any((first, base_form(second)) in TECHNICAL_PAIRS for first, second in pairwise(phrase))


def _can_end(i: int, start: int, sentence: Sequence[str], tags: Sequence[str]) -> bool:
    if tags[i] == "CD":
        return i > start
    return tags[i] in NOUNS and not (sentence[i].lower() in CLOSING_THINGS and tags[i] != "NNP")


def _is_empty_start(start: int, end: int, sentence: Sequence[str], tags: Sequence[str]) -> bool:
    word = sentence[start].lower()
    if tags[start] in ("CD", "RB") and end - start == 1:
        return True
    if tags[start] == "RB" and sentence[start + 1].lower() in EMPTY_QUALIFIERS:
        return True
    if tags[start] == "VBN" and start > 0 and tags[start - 1] == "RB":
        return True  # "uniformly distributed": without its adverb the participle says something else
    if word not in EMPTY_QUALIFIERS or tags[start] == "NNP":
        return False
    return start + 1 == end or (word, _first_part(sentence[start + 1])) not in TECHNICAL_PAIRS


def _first_part(word: str) -> str:
    """ "gamma" of "gamma-ray"."""
    return base_form(DASH.split(word.lower())[0])
