"""Passages: an abstract cut into stretches of whole sentences, so that its end is searched too."""

from bisect import bisect_left
from collections.abc import Sequence

from pathfinder.corpus.sentences import sentence_spans

MAX_PASSAGE_CHARACTERS = 1000
"""About 200 tokens, which every embedder reads to the end. Only a longer sentence makes a longer passage."""

Span = tuple[int, int]
"""Where something lies in an abstract: `abstract[start:end]`."""


def cut(abstract: str) -> tuple[Span, ...]:
    """The passages of `abstract`: as few as there can be, and then as even as they can be.

    They are whole sentences, in order, with nothing but white space between them.
    """
    sentences = sentence_spans(abstract)
    fewest = len(_joined(sentences, MAX_PASSAGE_CHARACTERS))
    limits = range(1, MAX_PASSAGE_CHARACTERS)
    even = bisect_left(limits, True, key=lambda limit: len(_joined(sentences, limit)) <= fewest)
    return tuple(_joined(sentences, even + 1))


def _joined(sentences: Sequence[Span], limit: int) -> list[Span]:
    """Neighbouring sentences together, as long as they stay within `limit` characters."""
    passages: list[Span] = []
    for start, end in sentences:
        if passages and end - passages[-1][0] <= limit:
            passages[-1] = (passages[-1][0], end)
        else:
            passages.append((start, end))
    return passages
