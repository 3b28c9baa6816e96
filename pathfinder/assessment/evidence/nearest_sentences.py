"""Finds the sentences in the sources that are closest to a claim, and those that are about the same thing."""

from collections.abc import Sequence
from dataclasses import dataclass

from pathfinder.assessment.evidence.parsed_sentences import ParsedSentence, ParsedSource, share

LEAST_ALIGNMENT = 0.40
"""Minimum share of the claim's words that a sentence in the source must contain for the two to be compared."""
LEAST_CONTAINMENT = 0.60
"""Alternative to `LEAST_ALIGNMENT`: minimum share of the source sentence's words that the claim must contain; the
claim may say more.
"""
FEWEST_WORDS = 3
"""Minimum number of content words that a source sentence must have for `LEAST_CONTAINMENT` to apply."""
AS_GOOD = 0.8
"""Fraction of the best sentence's share that another sentence must reach to be compared too; it is enough if one of
them agrees with the claim.
"""


@dataclass(frozen=True, slots=True)
class SentenceMatch:
    """A sentence in a source, and the share of the claim's words that it contains."""

    source_id: str
    reading: ParsedSentence
    share: float


def nearest(claim: ParsedSentence, sources: Sequence[ParsedSource]) -> list[SentenceMatch]:
    """Return the sentences in `sources`, each once, sorted by how many of the claim's words they contain."""
    matches = [
        SentenceMatch(source.source.source_id, sentence, share(claim.stems, sentence.stems))
        for source in sources
        for sentence in dict.fromkeys(source.sentences)
    ]
    return sorted(matches, key=lambda match: -match.share)


def aligned_sentences(claim: ParsedSentence, near: Sequence[SentenceMatch]) -> list[SentenceMatch]:
    """Return the sentences in `near` that are about the same thing as `claim`, best first."""
    best = near[0].share if near else 0.0
    return [match for match in near if match.share >= AS_GOOD * best and _is_aligned(claim, match)]


def _is_aligned(claim: ParsedSentence, match: SentenceMatch) -> bool:
    topic = match.reading.topic
    share_contained = share(topic, claim.topic) if len(topic) >= FEWEST_WORDS else 0.0
    return share(claim.topic, topic) >= LEAST_ALIGNMENT or share_contained >= LEAST_CONTAINMENT
