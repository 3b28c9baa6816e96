"""Similarity in meaning between a claim and the sentences of its sources, measured by a local embedder."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.assessment.evidence.nearest_sentences import SentenceMatch, nearest
from pathfinder.assessment.evidence.parsed_sentences import ParsedSentence, ParsedSource
from pathfinder.models.ports import Embedder

MOST_OF_A_SOURCE = 2
"""Number of sentences of each source that are compared, starting with those that contain the most words of the claim.
On the tuning half, comparing two sentences separates true citations from others better than comparing one, three, five
or eight.
"""


@dataclass(frozen=True, eq=False)
class Meaning:
    """Unit vectors of claims, and of the source sentences that may be closest to them."""

    vectors: Mapping[str, NDArray[np.float32]]

    def closeness(self, claim: ParsedSentence, near: Sequence[SentenceMatch]) -> float:
        """Return the highest cosine between `claim` and the best two sentences of each source; 0 if there are none.

        `near` holds the sentences of its sources, best first. Raises `KeyError` for a claim that was not embedded.
        """
        own = self.vectors[_one_line(claim)]
        return max((float(own @ self.vectors[_one_line(sentence)]) for sentence in _best(near)), default=0.0)


def meaning_of(claims: Iterable[tuple[ParsedSentence, Sequence[ParsedSource]]], embedder: Embedder) -> Meaning:
    """Embed, in one batch, everything that `closeness` needs for each claim and the sources against which it is
    judged.
    """
    texts: dict[str, None] = {}
    for claim, sources in claims:
        texts |= dict.fromkeys([_one_line(claim), *map(_one_line, _best(nearest(claim, sources)))])
    if not texts:
        return Meaning({})
    return Meaning(dict(zip(texts, embedder.embed(list(texts), "document"), strict=True)))


def _best(near: Sequence[SentenceMatch]) -> list[ParsedSentence]:
    n_taken: Counter[str] = Counter()
    best = []
    for match in near:
        if n_taken[match.source_id] < MOST_OF_A_SOURCE:
            n_taken[match.source_id] += 1
            best.append(match.reading)
    return best


def _one_line(reading: ParsedSentence) -> str:
    return " ".join(reading.text.split())
