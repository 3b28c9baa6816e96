"""How near a claim is in meaning to the sentences of its sources, by an embedder on this machine."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.assessment.evidence.nearness import Found, nearest
from pathfinder.assessment.evidence.overlap import Reading, ReadSource
from pathfinder.models.ports import Embedder

MOST_OF_A_SOURCE = 2
"""Sentences of each source that are compared: those that hold most of the claim's words. On the tuning half two tell
true citations from others better than one, three, five or eight."""


@dataclass(frozen=True, eq=False)
class Meaning:
    """The vectors of some claims and of those sentences that may be nearest to them, all of length 1."""

    vectors: Mapping[str, NDArray[np.float32]]

    def closeness(self, claim: Reading, near: Sequence[Found]) -> float:
        """The largest cosine of `claim` with a sentence among the best two of each source, in [-1, 1]; 0 without one.

        `near` are the sentences of its sources, the best first. A claim that was not embedded is a `KeyError`.
        """
        own = self.vectors[_one_line(claim)]
        return max((float(own @ self.vectors[_one_line(one)]) for one in _best(near)), default=0.0)


def meaning_of(claims: Iterable[tuple[Reading, Sequence[ReadSource]]], embedder: Embedder) -> Meaning:
    """What `closeness` needs for each claim and the sources that it is judged by, embedded in one batch."""
    texts: dict[str, None] = {}
    for claim, sources in claims:
        texts |= dict.fromkeys([_one_line(claim), *map(_one_line, _best(nearest(claim, sources)))])
    if not texts:
        return Meaning({})
    return Meaning(dict(zip(texts, embedder.embed(list(texts), "document"), strict=True)))


def _best(near: Sequence[Found]) -> list[Reading]:
    n_taken: Counter[str] = Counter()
    best = []
    for found in near:
        if n_taken[found.source_id] < MOST_OF_A_SOURCE:
            n_taken[found.source_id] += 1
            best.append(found.reading)
    return best


def _one_line(reading: Reading) -> str:
    return " ".join(reading.text.split())
