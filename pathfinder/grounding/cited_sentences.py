"""Splits a text into sentences, each with the names cited by its marks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pathfinder.text.sentences import split_sentences

_BULLET = re.compile(r"\s*(?:[-*•]\s+|\d+[.)]\s+|#+\s*)?")
_CLOSING = re.compile(r"\s*[.,;:!?]*\s*")


@dataclass(frozen=True, slots=True)
class CitationMark:
    """A citation mark and its position in a text."""

    start: int
    end: int
    names: tuple[str, ...]
    """Names that it cites, as written in the text: numbers, keys or ids."""


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence and its citations."""

    start: int
    """Start of its first word, after any marks that belong to the previous sentence."""
    end: int
    names: tuple[str, ...]
    """Names in its marks, in order, including repetitions."""


def cited_sentences(text: str, marks: Sequence[CitationMark]) -> tuple[CitedSentence, ...]:
    """Split a paragraph into its sentences, each with the names cited by its marks; `marks` must be in order.

    A mark after the full stop belongs to the sentence before it. A bullet or number that opens the paragraph, headings
    such as "Methods:" and sentences without a word are left out.
    """
    sentences: list[CitedSentence] = []
    bullet = _BULLET.match(text)
    at = bullet.end() if bullet else 0
    for sentence in split_sentences(text[at:]):
        start = text.index(sentence, at)
        at = start + len(sentence)
        within = [mark for mark in marks if start <= mark.start < at]
        leading = _leading(text, start, within) if sentences else []
        if leading:
            sentences[-1] = _citing(sentences[-1], leading)
            closing = _CLOSING.match(text, leading[-1].end)
            start = min(closing.end() if closing else start, at)
        rest = within[len(leading) :]
        if re.search(r"\w", without_marks(text, start, at, rest)):
            sentences.append(_citing(CitedSentence(start, at, ()), rest))
        elif sentences:
            sentences[-1] = _citing(sentences[-1], rest)
    return tuple(sentences)


def without_marks(text: str, start: int, end: int, marks: Sequence[CitationMark]) -> str:
    """Return the text from `start` to `end` without the `marks` in that range and the spaces before them."""
    rest, at = "", start
    for mark in marks:
        if start <= mark.start and mark.end <= end:
            rest += text[at : mark.start].rstrip()
            at = mark.end
    return rest + text[at:end]


def _leading(text: str, start: int, marks: Sequence[CitationMark]) -> list[CitationMark]:
    """Return the consecutive `marks` that open the sentence at `start`."""
    leading: list[CitationMark] = []
    for mark in marks:
        if text[start : mark.start].strip(" .,;:!?"):
            break
        leading.append(mark)
        start = mark.end
    return leading


def _citing(sentence: CitedSentence, marks: Sequence[CitationMark]) -> CitedSentence:
    return replace(sentence, names=(*sentence.names, *(name for mark in marks for name in mark.names)))
