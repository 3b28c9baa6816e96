"""Similarity in meaning between a claim and the sentences in its sources, measured by a local embedder."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pathfinder.assessment.evidence.nearest_sentences import SentenceMatch
from pathfinder.assessment.evidence.parsed_sentences import ParsedSentence
from pathfinder.models.ports import Embedder

MOST_OF_A_SOURCE = 2
"""Number of sentences from each source that are compared, starting with those that contain the most words of the claim.
On the tuning half of the expert answers (benchmarks/EVIDENCE.md), comparing two sentences separates true citations from
others better than comparing one, three, five or eight.
"""


class SentenceVectors:
    """Unit vectors of claims, and of the source sentences that may be closest to them, embedded when first needed.

    Most sentences in an answer repeat the words of their sources, and count as found whatever the cosine; embedding
    them would be half the work of answering a question.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def closeness(self, claim: ParsedSentence, near: Sequence[SentenceMatch]) -> float:
        """Return the highest cosine between `claim` and the best two sentences in each source; 0 if there are none.

        `near` holds the sentences in its sources, best first.
        """
        best = _best(near)
        if not best:
            return 0.0
        own, *others = self._of([_one_line(sentence) for sentence in (claim, *best)])
        return max(float(own @ other) for other in others)

    def _of(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Return the vectors of `texts`; those that are new are embedded in one batch."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, self._embedder.embed(new, "document"), strict=True))
        return [self._vectors[text] for text in texts]


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
