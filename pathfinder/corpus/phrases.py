"""The noun phrases of a tagged sentence, less the words that every paper has."""

from collections.abc import Iterator, Sequence

from pathfinder.corpus.context import NOUNS
from pathfinder.corpus.empty_words import CLOSING_THINGS, EMPTY_QUALIFIERS, EMPTY_THINGS, TECHNICAL_PAIRS
from pathfinder.corpus.inflection import base_form
from pathfinder.corpus.wordlists import words

MAX_PHRASE_WORDS = 5

_QUALIFIERS = words("JJ VBN VBG")
_LETTERED = words(
    "mode modes process band bands dwarf dwarfs star stars giant giants type asteroid asteroids ring rings"
)


def noun_phrases(sentence: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First word and end of each noun phrase: one to five words, none of them empty at its edges."""
    start = 0
    for end in range(len(sentence) + 1):
        if end == len(sentence) or not _belongs(end, sentence, tags):
            if end > start:
                yield from _trimmed(start, end, sentence, tags)
            start = end + 1


def _belongs(i: int, sentence: Sequence[str], tags: Sequence[str]) -> bool:
    if tags[i] == "RB":
        is_qualified = i + 1 < len(tags) and tags[i + 1] in _QUALIFIERS
        return is_qualified and sentence[i].endswith("ly") and sentence[i].lower() not in EMPTY_QUALIFIERS
    if tags[i] == "CD":
        return i > 0 and tags[i - 1] == "NNP" and sentence[i].isdigit()
    if len(sentence[i]) == 1 and sentence[i].isascii():
        return i + 1 < len(sentence) and sentence[i + 1].lower() in _LETTERED
    return tags[i] in NOUNS or tags[i] in _QUALIFIERS


def _trimmed(start: int, end: int, sentence: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[int, int]]:
    while start < end and not _can_end(end - 1, start, sentence, tags):
        end -= 1
    start = max(start, end - MAX_PHRASE_WORDS)
    while start < end and _is_empty_start(start, end, sentence, tags):
        start += 1
    if start < end and any(word.lower() not in EMPTY_THINGS for word in sentence[start:end]):
        yield start, end


def _can_end(i: int, start: int, sentence: Sequence[str], tags: Sequence[str]) -> bool:
    word = sentence[i].lower()
    if word in CLOSING_THINGS or word.endswith(("'s", "’s")):
        return False
    if tags[i] == "CD":
        return i > start
    return tags[i] in NOUNS


def _is_empty_start(start: int, end: int, sentence: Sequence[str], tags: Sequence[str]) -> bool:
    word = sentence[start].lower()
    if tags[start] in ("CD", "RB") and end - start == 1:
        return True
    if word not in EMPTY_QUALIFIERS or tags[start] == "NNP":
        return False
    return start + 1 == end or (word, base_form(sentence[start + 1].lower())) not in TECHNICAL_PAIRS
