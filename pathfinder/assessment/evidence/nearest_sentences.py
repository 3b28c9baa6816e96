"""The sentences of the sources that are closest to a claim, and those about the same thing."""

from collections.abc import Sequence
from dataclasses import dataclass

from pathfinder.assessment.evidence.parsed_sentences import ParsedSentence, ParsedSource, share

ALIGNED = 0.40
"""Share of the claim's words that a sentence of the source must contain for their contents to be compared."""
CONTAINED = 0.60
"""Alternatively, the share of that sentence's words that the claim must contain, in case the claim says the same and
more.
"""
FEWEST_WORDS = 3
"""Minimum number of content words in such a sentence of the source."""
AS_GOOD = 0.8
"""Fraction of the best sentence's share at and above which other sentences are compared as well; one that agrees is
enough.
"""


@dataclass(frozen=True, slots=True)
class SentenceMatch:
    """A sentence of a source, and the share of the claim's words that it contains."""

    source_id: str
    reading: ParsedSentence
    share: float


def nearest(claim: ParsedSentence, sources: Sequence[ParsedSource]) -> list[SentenceMatch]:
    """Return the sentences of `sources`, sorted by how many of the claim's words they contain."""
    matches = [
        SentenceMatch(source.source.source_id, sentence, share(claim.stems, sentence.stems))
        for source in sources
        for sentence in source.sentences
    ]
    return sorted(matches, key=lambda match: -match.share)


def aligned(claim: ParsedSentence, near: Sequence[SentenceMatch]) -> list[SentenceMatch]:
    """Return those of `near` that are about the same thing as `claim`, best first."""
    best = near[0].share if near else 0.0
    return [match for match in near if match.share >= AS_GOOD * best and _is_aligned(claim, match)]


def _is_aligned(claim: ParsedSentence, match: SentenceMatch) -> bool:
    topic = match.reading.topic
    contained = share(topic, claim.topic) if len(topic) >= FEWEST_WORDS else 0.0
    return share(claim.topic, topic) >= ALIGNED or contained >= CONTAINED
