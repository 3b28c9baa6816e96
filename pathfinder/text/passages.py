"""Passages: an abstract divided into pieces of whole sentences, so that a search also reaches its end."""

from bisect import bisect_left
from collections.abc import Sequence

from pathfinder.text.sentences import sentence_spans

MAX_PASSAGE_CHARACTERS = 1000
"""Maximum length of a passage: about 200 tokens, which every embedder reads in full. Only a passage
that is a single sentence can be longer.
"""

Span = tuple[int, int]
"""Position in an abstract: `abstract[start:end]`."""


def cut_into_passages(abstract: str) -> tuple[Span, ...]:
    """Divide `abstract` into as few passages as possible, with lengths as equal as possible.

    Passages consist of whole sentences, in order, with only white space between them.
    """
    sentences = sentence_spans(abstract)
    fewest = len(_join(sentences, MAX_PASSAGE_CHARACTERS))
    limits = range(1, MAX_PASSAGE_CHARACTERS)
    even = bisect_left(limits, True, key=lambda limit: len(_join(sentences, limit)) <= fewest)
    return tuple(_join(sentences, even + 1))


def _join(sentences: Sequence[Span], limit: int) -> list[Span]:
    """Join neighbouring sentences while they stay within `limit` characters."""
    passages: list[Span] = []
    for start, end in sentences:
        if passages and end - passages[-1][0] <= limit:
            passages[-1] = (passages[-1][0], end)
        else:
            passages.append((start, end))
    return passages
