"""A text split into sentences, with their positions and citations."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from pathfinder.grounding.cited_sentences import CitationMark, cited_sentences
from pathfinder.grounding.marks import numbered_marks, numbers_cited
from pathfinder.text.latex.same_length import plain_signs

_FULL_STOP = re.compile(r"[。！？।]\s*|\n+")
"""Sentence endings that are not necessarily followed by a space."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its citations."""

    start: int
    end: int
    citations: frozenset[int]


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A text with its sentences; all positions refer to the text as written."""

    text: str
    plain: str
    """Text without LaTeX, with blanks in place of citation marks; it has the same length as `text`."""
    sentences: tuple[Sentence, ...]
    """Sentences that contain a letter or a digit."""

    def citations_at(self, place: int) -> frozenset[int]:
        """Return the citations of the sentence around `place`."""
        around = (sentence for sentence in self.sentences if sentence.start <= place < sentence.end)
        return next((sentence.citations for sentence in around), frozenset())


def parse_text(text: str) -> ParsedText:
    """Split `text` into sentences; a citation mark after a full stop belongs to the sentence before it."""
    # Split before removing the marks: "star A [1]." ends a sentence, but the A in "star A." might be an initial.
    signs = plain_signs(text)
    marks = [CitationMark(*mark.span(), numbers_cited(mark[0])) for mark in numbered_marks(signs)]
    plain = signs
    for mark in marks:
        plain = f"{plain[: mark.start]}{' ' * (mark.end - mark.start)}{plain[mark.end :]}"
    return ParsedText(text, plain, tuple(_sentences(signs, marks)))


def _sentences(signs: str, marks: list[CitationMark]) -> Iterator[Sentence]:
    cuts = [0, *(match.end() for match in _FULL_STOP.finditer(signs)), len(signs)]
    for first, last in pairwise(cuts):
        here = [
            CitationMark(mark.start - first, mark.end - first, mark.names)
            for mark in marks
            if first <= mark.start < last
        ]
        for sentence in cited_sentences(signs[first:last], here):
            yield Sentence(first + sentence.start, first + sentence.end, frozenset(map(int, sentence.names)))
