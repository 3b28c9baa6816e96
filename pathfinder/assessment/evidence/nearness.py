"""Which sentences of the sources are near a claim, and which speak of the same thing."""

from collections.abc import Sequence
from dataclasses import dataclass

from pathfinder.assessment.evidence.overlap import Reading, ReadSource, share

ALIGNED = 0.40
"""Share of its words that a sentence of the source must hold before what the two say is compared."""
CONTAINED = 0.60
"""Or the share of that sentence's words that it must have itself: where it says the same and more."""
FEWEST_WORDS = 3
"""Words with a meaning of their own that a sentence of the source must have for that."""
AS_GOOD = 0.8
"""Sentences that hold this share of what the best one holds are compared as well, and one that agrees is enough."""


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence of a source, and the share of the claim's words that it holds."""

    source_id: str
    reading: Reading
    share: float


def nearest(claim: Reading, sources: Sequence[ReadSource]) -> list[Found]:
    """The sentences of `sources`, those that hold most of the claim's words first."""
    found = [
        Found(source.source.source_id, sentence, share(claim.stems, sentence.stems))
        for source in sources
        for sentence in source.sentences
    ]
    return sorted(found, key=lambda one: -one.share)


def aligned(claim: Reading, near: Sequence[Found]) -> list[Found]:
    """Those of `near`, the best first, that are about the same thing as `claim`."""
    best = near[0].share if near else 0.0
    return [found for found in near if found.share >= AS_GOOD * best and _is_aligned(claim, found)]


def _is_aligned(claim: Reading, found: Found) -> bool:
    given = found.reading.topic
    contained = share(given, claim.topic) if len(given) >= FEWEST_WORDS else 0.0
    return share(claim.topic, given) >= ALIGNED or contained >= CONTAINED
