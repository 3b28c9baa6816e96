"""The verdict on one sentence, from its sources, with the evidence and the reasons.

A sentence is *not found* if the sources contain too few of its words, have another number in place of one of its own,
count the same things differently or name a different catalogue entry, or if another source has so many more of its
words that the citation must be wrong. It is *contradicted* if a sentence about the same thing in the sources gives
another number, unit or name, denies what it says, or states the opposite direction. It is *partly* supported if the
sources have only some of its words, or lack one of its names or numbers; otherwise it is *supported*. The thresholds
were set on the tuning half of 108 expert answers (benchmarks/EVIDENCE.md).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.answering.assessment.evidence.parsed_sentences import (
    ClaimName,
    ParsedSentence,
    ParsedSource,
    SentenceMatch,
    agrees,
    lacks,
    n_common,
    numbers_in_words,
    same_dimensions,
    share,
    siblings,
    support,
)
from pathfinder.answering.assessment.evidence.polarity import denial_conflict, direction_conflict
from pathfinder.models.ports import Embedder
from pathfinder.text.author_names import YEARS_IN_TEXT
from pathfinder.text.quantities.written_numbers import Quantity
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
_EMBEDDED_AT_ONCE = 16
"""Number of sentences after which it is seen whether one is close enough."""
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


class SentenceVectors:
    """Unit vectors of claims, and of the source sentences that may be closest to them, embedded when first needed.

    Most sentences in an answer repeat the words of their sources, and count as found whatever the cosine; embedding
    them would be half the work of answering a question. At most `most` sentences are embedded, if it is given.
    """

    def __init__(self, embedder: Embedder, most: int | None = None) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._most = most
        self.n_left_out = 0
        """Number of comparisons that were not made, because too many sentences had been embedded."""

    def are_close(self, claim: ParsedSentence, near: Sequence[SentenceMatch], least: float) -> bool | None:
        """Return whether the cosine between `claim` and one of the best two sentences in each source is at least
        `least`; without a source, it counts as 0. `None` if that cannot be said without embedding too many.

        `near` holds the sentences in its sources, best first.
        """
        n_taken: Counter[str] = Counter()
        best = []
        for match in near:
            if n_taken[match.source_id] < MOST_OF_A_SOURCE:
                n_taken[match.source_id] += 1
                best.append(match.reading)
        for start in range(0, len(best), _EMBEDDED_AT_ONCE):
            texts = [" ".join(each.text.split()) for each in (claim, *best[start : start + _EMBEDDED_AT_ONCE])]
            new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
            if self._most is not None and len(self._vectors) + len(new) > self._most:
                self.n_left_out += 1
                return None
            if new:
                self._vectors.update(zip(new, self._embedder.embed(new, "document"), strict=True))
            own, *others = (self._vectors[text] for text in texts)
            if max(float(own @ other) for other in others) >= least:
                return True
        return not best and least <= 0


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
    is_found = coverage >= (FOUND_BY_WORDS if vectors is None else FOUND_WHATEVER_THE_MEANING)
    if vectors is not None and not is_found:
        are_close = vectors.are_close(claim, near, (FOUND_WITH_MEANING - coverage) / OF_MEANING)
        is_found = coverage >= FOUND_BY_WORDS if are_close is None else are_close
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
    # The sentences that are about the same thing as the claim, best first.
    best = near[0].share if near else 0.0
    same = [match for match in near if match.share >= AS_GOOD * best and _is_aligned(claim, match)]
    missing = missing_numbers(claim.quantities, sources)
    lacking = [name for name in claim.names if all(lacks(name, source.lowercase_text) for source in sources)]
    # "Three years", "half of", "doubled": amounts written in words, with a known unit, that no source gives.
    unsaid = (*missing, *missing_numbers([number for number in claim.amounts_in_words if number.unit], sources))
    numbers = dict.fromkeys([*conflicting_numbers(claim, unsaid, same), *conflicting_counts(claim, sources, same)])
    against = (*numbers, *conflicting_names(claim, lacking, same), *_oppositions(claim, same))
    source_numbers = _numbers_beyond(claim, near) if missing else []
    with_counterpart = [
        number
        for number in missing
        if any(
            _is_counterpart(number, candidate) and _is_about_as_large(number, candidate) for candidate in source_numbers
        )
    ]
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
    """Yield a denial in the sentence closest to the claim, and an opposite direction in any that is close enough."""
    polarities = [match.reading.polarity for match in same]
    denials = (denial_conflict(claim.polarity, polarity) for polarity in polarities[:1])
    directions = (direction_conflict(claim.polarity, polarity, polarities) for polarity in polarities)
    yield from filter(None, (*denials, next(filter(None, directions), None)))


def _name(source: ParsedSource) -> str:
    title = source.source.title.strip()
    return f'"{title}"' if title else f"source {source.source.source_id}"


# Finds numbers and names in a claim that its sources lack, and those that the sources have instead.

ABOUT_AS_LARGE = 10.0
"""Factor beyond which two numbers count as unrelated if their sentences are not about the same thing: a 2 in the source
is not evidence against 1000.
"""

_NO_COUNTS = frozenset({"one", "first", "single", "both", "twice", "half", "third"})


def missing_numbers(numbers: Iterable[Quantity], sources: Sequence[ParsedSource]) -> list[Quantity]:
    """Return those of `numbers`, each once, that no source has."""
    claim_numbers = dict.fromkeys(numbers)
    if not claim_numbers:
        return []  # here already, because reading the numbers in the sources takes most of the time
    source_numbers = dict.fromkeys(source_number for source in sources for source_number in source.quantities)
    missing = {
        number: not any(agrees(number, source_number) for source_number in source_numbers) for number in claim_numbers
    }
    return [number for number, is_missing in missing.items() if is_missing]


def conflicting_numbers(
    claim: ParsedSentence, missing: Sequence[Quantity], same: Sequence[SentenceMatch]
) -> Iterator[str]:
    """For each missing number, describe a number of the same kind that the sources have instead.

    `same` holds the sentences from the sources that are about the same thing.
    """
    source_numbers = _numbers_beyond(claim, same) if missing else []
    for number in missing:
        is_power_or_measured = number.unit is not None or number.value == number.step
        rivals = (each for each in source_numbers if _is_counterpart(number, each))
        rival = next((each for each in rivals if is_power_or_measured or _is_about_as_large(number, each)), None)
        if rival is not None:
            yield _describe(number, rival)


def conflicting_counts(
    claim: ParsedSentence, sources: Sequence[ParsedSource], same: Sequence[SentenceMatch]
) -> Iterator[str]:
    """Describe the sources' number wherever they count the same things differently from the claim."""
    numbers = dict.fromkeys(number for number in (*claim.quantities, *claim.amounts_in_words) if number.counts)
    if not numbers:
        return
    source_numbers = dict.fromkeys(other for source in sources for other in source.quantities if other.counts)
    claim_values = {other.value for other in (*claim.quantities, *claim.amounts_in_words)}
    for number in numbers:
        alike = [other for other in source_numbers if _counts_the_same(number, other)]
        if not alike or any(number.value == other.value for other in alike):
            continue
        readings = (match.reading for match in same)
        counting = (other for each in readings for other in (*each.quantities, *numbers_in_words(each.plain)))
        rivals = (other for other in counting if other.value not in claim_values and _counts_the_same(number, other))
        if (rival := next(rivals, None)) is not None:
            yield _describe(number, rival)


def _counts_the_same(number: Quantity, rival: Quantity) -> bool:
    return not set(number.counts).isdisjoint(rival.counts) and as_written(rival).lower() not in _NO_COUNTS


def _is_about_as_large(number: Quantity, rival: Quantity) -> bool:
    size, other = (abs(quantity.value) * (quantity.unit.size if quantity.unit else 1.0) for quantity in (number, rival))
    return max(size, other) < ABOUT_AS_LARGE * min(size, other)


def _is_counterpart(number: Quantity, rival: Quantity) -> bool:
    if number.is_error is False and rival.is_error is True:
        return False  # an error bar is no counterpart of a value
    is_same_kind = same_dimensions(number, rival) and is_year(number) == is_year(rival)
    return is_same_kind or number.value == rival.value


def _numbers_beyond(claim: ParsedSentence, near: Sequence[SentenceMatch]) -> list[Quantity]:
    """Return the numbers in the matched sentences that the claim does not contain, each once, in order."""
    claim_numbers = dict.fromkeys((*claim.quantities, *claim.amounts_in_words))
    # Amounts in words count if they have a unit.
    source_numbers = dict.fromkeys(
        number
        for match in near
        for number in (*match.reading.quantities, *(each for each in match.reading.amounts_in_words if each.unit))
    )
    return [
        number
        for number in source_numbers
        if not any(agrees(other, number) or (number.is_in_words and agrees(number, other)) for other in claim_numbers)
    ]


def _describe(number: Quantity, rival: Quantity) -> str:
    if number.bound * rival.bound < 0:
        ours, theirs = (("at least", "at most")[:: quantity.bound][0] for quantity in (number, rival))
        return f"{ours} {as_written(number)} in the text, {theirs} {as_written(rival)} in the source"
    return f"{as_written(number)} in the text, {as_written(rival)} in the source"


def conflicting_names(
    claim: ParsedSentence, lacking: Sequence[ClaimName], same: Sequence[SentenceMatch]
) -> Iterator[str]:
    """For each missing name, describe a name of the same kind that the sources have instead."""
    claim_text = claim.plain.lower()
    for name in lacking:
        for match in same:
            rivals = [other for other in siblings(name, match.reading.names) if lacks(other, claim_text)]
            if rivals:
                yield f"{name.text} in the text, {rivals[0].text} in the source"
                break


def has_sibling(name: ClaimName, claim: ParsedSentence, near: Sequence[SentenceMatch]) -> bool:
    """Return whether the sources name another catalogue entry or version that is not in the claim."""
    claim_text = claim.plain.lower()
    return any(lacks(other, claim_text) for match in near for other in siblings(name, match.reading.names))


def is_year(number: Quantity) -> bool:
    """Return whether a number could be a year."""
    return number.unit is None and number.value in YEARS_IN_TEXT and number.text.isdigit()


def as_written(number: Quantity) -> str:
    """Return a number as written in its text, on a single line."""
    return " ".join(number.text.split())


# Finds the sentences in the sources that are closest to a claim, and those that are about the same thing.

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


def nearest(claim: ParsedSentence, sources: Sequence[ParsedSource]) -> list[SentenceMatch]:
    """Return the sentences in `sources`, each once, sorted by how many of the claim's words they contain."""
    matches: list[SentenceMatch] = []
    without: list[SentenceMatch] = []
    for source in sources:
        common = n_common(claim.stems, source.places)
        for number, match in enumerate(source.matches):
            if number in common:
                matches.append(match._replace(share=common[number] / len(claim.stems)))
            else:
                without.append(match)
    return sorted(matches, key=lambda match: -match.share) + without


def _is_aligned(claim: ParsedSentence, match: SentenceMatch) -> bool:
    topic = match.reading.topic
    share_contained = share(topic, claim.topic) if len(topic) >= FEWEST_WORDS else 0.0
    return share(claim.topic, topic) >= LEAST_ALIGNMENT or share_contained >= LEAST_CONTAINMENT


# Similarity in meaning between a claim and the sentences in its sources, measured by a local embedder.

MOST_OF_A_SOURCE = 2
"""Number of sentences from each source that are compared, starting with those that contain the most words of the claim.
On the tuning half of the expert answers (benchmarks/EVIDENCE.md), comparing two sentences separates true citations from
others better than comparing one, three, five or eight.
"""
