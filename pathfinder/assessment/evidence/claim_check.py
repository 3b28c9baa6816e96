"""The verdict on one sentence, from its sources, with the evidence and the reasons.

A sentence is *not found* if the sources contain too few of its words, have another number in place of one of its own,
count the same things differently or name a different catalogue entry, or if another source has so many more of its
words that the citation must be wrong. It is *contradicted* if a sentence about the same thing in the sources gives
another number, unit or name, denies what it says, or states the opposite direction. It is *partly* supported if the
sources have only some of its words, or lack one of its names or numbers; otherwise it is *supported*. The thresholds
were set on the tuning half of 108 expert answers (benchmarks/EVIDENCE.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pathfinder.assessment.evidence.conflicts import (
    as_written,
    conflicting_counts,
    conflicting_names,
    conflicting_numbers,
    has_sibling,
    missing_amounts,
    missing_numbers,
    with_counterparts,
)
from pathfinder.assessment.evidence.meaning import SentenceVectors
from pathfinder.assessment.evidence.names import lacks
from pathfinder.assessment.evidence.nearest_sentences import SentenceMatch, aligned_sentences, nearest
from pathfinder.assessment.evidence.parsed_sentences import ParsedSentence, ParsedSource, support
from pathfinder.assessment.evidence.polarity import denial_conflict, direction_conflict
from pathfinder.types import Evidence, Verdict

FOUND_BY_WORDS = 0.15
"""Mean of two values below which a sentence is not found: its own `support`, and its `support` when joined with its
neighbours, since "this technique" may be explained in the previous sentence.
"""
OF_MEANING = 0.5
"""Weight with which the `closeness` in meaning, if known, is added to the mean described under `FOUND_BY_WORDS`: on the
tuning half of the expert answers, a larger weight separates true citations from others less well.
"""
FOUND_WITH_MEANING = 0.35
"""Sum of that mean and the weighted `closeness`, below which a sentence is not found."""
LOWEST_COSINE = -0.3
"""Cosine that no two sentences fall below: the lowest of 2.4 million pairs, from four collections, is -0.27."""
FOUND_WHATEVER_THE_MEANING = FOUND_WITH_MEANING - OF_MEANING * LOWEST_COSINE
"""Mean at or above which a sentence counts as found even at the lowest cosine, so that its meaning need not be
compared.
"""
WHOLE = 0.45
"""Minimum `support` of a sentence that counts as fully supported."""
ELSEWHERE = 0.45
"""Amount by which the `support` from an uncited source must exceed that from the cited ones for the
citations to count as wrong.
"""
MOST_EVIDENCE = 3
WORTH_SHOWING = 0.1
"""Minimum share of the claim's words that a sentence in a source must contain to be shown as evidence."""

NOT_THERE: tuple[str, ...] = ("its words are not in the source",)


@dataclass(frozen=True, slots=True)
class EvidenceCheck:
    """Verdict of the local checker on a sentence, from its sources."""

    verdict: Verdict
    support: float
    """Share of the sentence's words that are in the sources, in [0, 1]."""
    evidence: tuple[Evidence, ...]
    reasons: tuple[str, ...]

    @property
    def is_supported(self) -> bool:
        """True if the sources support the whole sentence."""
        return self.verdict is Verdict.SUPPORTED


def check_claim(
    claim: ParsedSentence,
    sources: Sequence[ParsedSource],
    others: Sequence[ParsedSource] = (),
    context_stems: frozenset[str] = frozenset(),
    vectors: SentenceVectors | None = None,
) -> EvidenceCheck:
    """Check `claim` against all `sources` together.

    `others` are the sources that it does not cite, and `context_stems` are the stems of the neighbouring sentences. If
    `vectors` is given, the claim and the nearest sentences in `sources` are compared by meaning too.
    """
    near = nearest(claim, sources)
    support_score = support(claim.stems, sources)
    coverage = (support_score + support(claim.stems | context_stems, sources)) / 2
    if vectors is None:
        is_found = coverage >= FOUND_BY_WORDS
    else:
        is_found = coverage >= FOUND_WHATEVER_THE_MEANING or (
            coverage + OF_MEANING * vectors.closeness(claim, near) >= FOUND_WITH_MEANING
        )
    evidence = tuple(
        Evidence(match.source_id, match.reading.text, round(match.share, 3))
        for match in near[:MOST_EVIDENCE]
        if match.share >= WORTH_SHOWING
    )
    verdict, reasons = _verdict(claim, sources, near, support_score) if is_found else (Verdict.NOT_FOUND, NOT_THERE)
    least = support_score + ELSEWHERE
    better = [other for other in others if support(claim.stems, [other]) >= least] if least <= 1 else []
    if better and verdict in (Verdict.SUPPORTED, Verdict.PARTLY):
        verdict = Verdict.NOT_FOUND if support_score < WHOLE else Verdict.PARTLY
        reasons = (*reasons, f"{_name(better[0])}, which is not cited, contains more of its words")
    return EvidenceCheck(verdict, support_score, evidence, reasons)


def _verdict(
    claim: ParsedSentence, sources: Sequence[ParsedSource], near: Sequence[SentenceMatch], support_score: float
) -> tuple[Verdict, tuple[str, ...]]:
    same = aligned_sentences(claim, near)
    missing = missing_numbers(claim, sources)
    lacking = [name for name in claim.names if all(lacks(name, source.lowercase_text) for source in sources)]
    unsaid = (*missing, *missing_amounts(claim, sources))
    numbers = dict.fromkeys([*conflicting_numbers(claim, unsaid, same), *conflicting_counts(claim, sources, same)])
    against = (*numbers, *conflicting_names(claim, lacking, same), *_oppositions(claim, same))
    with_counterpart = with_counterparts(missing, claim, near)
    with_sibling = [name for name in lacking if has_sibling(name, claim, near)]
    absent = [f"{as_written(number)} is not in the source" for number in with_counterpart]
    absent += [f"{name.text} is not in the source" for name in with_sibling]
    absent += conflicting_counts(claim, sources, near)
    weak = [f"{as_written(number)} is not in the source" for number in missing if number not in with_counterpart]
    weak += [f"{name.text} is not in the source" for name in lacking if name not in with_sibling]
    weak += ["only some of its words are in the source"] if support_score < WHOLE else []
    if against:
        return Verdict.CONTRADICTED, against
    if absent:
        return Verdict.NOT_FOUND, tuple(absent)
    return (Verdict.PARTLY, tuple(weak)) if weak else (Verdict.SUPPORTED, ())


def _oppositions(claim: ParsedSentence, same: Sequence[SentenceMatch]) -> Iterator[str]:
    """Yield conflicting denials and directions if every sentence that is close enough contradicts the claim."""
    polarities = [match.reading.polarity for match in same]
    for conflict in (denial_conflict, direction_conflict):
        conflicts = [conflict(claim.polarity, polarity) for polarity in polarities]
        if conflicts and all(conflicts):
            yield str(conflicts[0])


def _name(source: ParsedSource) -> str:
    title = source.source.title.strip()
    return f'"{title}"' if title else f"source {source.source.source_id}"
