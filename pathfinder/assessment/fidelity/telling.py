"""A text as sentences with their places and citations."""

import re
from dataclasses import dataclass
from itertools import pairwise

from pathfinder.assessment.fidelity.plain_signs import MARK, plain_signs, without_marks
from pathfinder.corpus.sentences import sentence_spans

_FULL_STOP = re.compile(r"[。！？।]\s*|\n+")
"""Ends of sentences that need no space behind them."""
_BULLET = re.compile(r"(?:[-*•]\s+|\d+[.)]\s+|#+\s*)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and what it cites."""

    start: int
    end: int
    citations: frozenset[int]


@dataclass(frozen=True, slots=True)
class Telling:
    """A text taken apart; every place in it is a place in the text as it was given."""

    text: str
    plain: str
    """In plain signs, blanks for its marks; as long as `text`."""
    sentences: tuple[Sentence, ...]
    """Those with a letter or a digit."""

    def citations_at(self, place: int) -> frozenset[int]:
        """What the sentence around `place` cites."""
        return next((one.citations for one in self.sentences if one.start <= place < one.end), frozenset())


def take_apart(text: str) -> Telling:
    """The sentences of `text`; a mark behind a full stop belongs to the sentence before it."""
    signs = plain_signs(text)
    plain = without_marks(signs)
    # The marks stay while sentences are told apart: "star A [1]." ends one, and "star A." might be an initial.
    found = (span for line in _lines(plain) for span in _spans_of_line(signs, *line))
    spans = [(_behind_marks(plain, *span), span[1]) for span in found if re.search(r"\w", plain[slice(*span)])]
    following = [*(start for start, _ in spans[1:]), len(text)]
    sentences = (
        Sentence(start, end, numbers_of(text[start : max(end, until)]))
        for (start, end), until in zip(spans, following, strict=False)  # without sentences, there is one too many
    )
    return Telling(text, plain, tuple(sentences))


def marks_of(text: str) -> list[re.Match[str]]:
    """The citation marks of `text`, in order."""
    return list(MARK.finditer(text))


def _lines(plain: str) -> list[tuple[int, int]]:
    cuts = [0, *(match.end() for match in _FULL_STOP.finditer(plain)), len(plain)]
    return [(start, end) for start, end in pairwise(cuts) if plain[start:end].strip()]


def _spans_of_line(signs: str, first: int, last: int) -> list[tuple[int, int]]:
    bullet = _BULLET.match(signs, first, last)
    first = bullet.end() if bullet else first
    spans = ((first + start, first + end) for start, end in sentence_spans(signs[first:last]))
    return list(spans)


def _behind_marks(plain: str, start: int, end: int) -> int:
    """Where the words of a sentence begin that marks of the sentence before lead."""
    return end - len(plain[start:end].lstrip(" .,;"))


def numbers_of(text: str) -> frozenset[int]:
    """The papers that the marks in `text` name, in whatever digits; one with a question mark names none."""
    found = (number for mark in marks_of(text) for number in re.findall(r"(?<![\w])\d+(?![\w?])", mark[0]))
    return frozenset(map(int, found))
