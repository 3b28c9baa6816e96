"""What sources say of one sentence: a verdict, the sentences that it rests on, and why.

A sentence is *not found* where the sources hold too few of its words, or lack a number of it, or where another source
holds so many more that the citation leads to the wrong one; *contradicted* where a
sentence of theirs that is about the same thing has another number, unit or name, or denies what it says, or goes the
other way; *partly* where they hold only some of its words, or lack a name; else *supported*. The thresholds were
set on the tuning half of 108 expert answers (benchmarks/EVIDENCE.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pathfinder.assessment.evidence.names import Name, lacks, siblings
from pathfinder.assessment.evidence.overlap import Reading, ReadSource, share, support
from pathfinder.assessment.evidence.polarity import denial_conflict, direction_conflict
from pathfinder.assessment.evidence.quantities import Quantity, agrees, same_dimensions
from pathfinder.types import Evidence, Verdict

FOUND = 0.13
"""Below this `support` of a sentence, averaged with that of the sentence and its neighbours, it is not found: what
"this technique" is stands in the sentence before."""
WHOLE = 0.45
"""From this `support` on they hold the whole of it."""
ELSEWHERE = 0.45
"""A sentence is cited to the wrong source where one that it does not cite has so much more `support` for it."""
ALIGNED = 0.40
"""Share of its words that a sentence of the source must hold before what the two say is compared."""
CONTAINED = 0.60
"""Or the share of that sentence's words that it must have itself: where it says the same and more."""
FEWEST_WORDS = 3
"""Words with a meaning of their own that a sentence of the source must have for that."""
AS_GOOD = 0.8
"""Sentences that hold this share of what the best one holds are compared as well, and one that agrees is enough."""
MOST_EVIDENCE = 3
WORTH_SHOWING = 0.1
"""Least share of its words in a sentence that is shown as evidence."""

NOT_THERE: tuple[str, ...] = ("its words are not in the source",)

_YEARS = range(1800, 2100)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What sources say of a sentence."""

    verdict: Verdict
    support: float
    """In [0, 1]: how far they hold its words."""
    evidence: tuple[Evidence, ...]
    reasons: tuple[str, ...]

    @property
    def is_borne_out(self) -> bool:
        """Whether they bear the whole of it out."""
        return self.verdict is Verdict.SUPPORTED


@dataclass(frozen=True, slots=True)
class _Found:
    """A sentence of a source, and the share of the claim's words that it holds."""

    source_id: str
    reading: Reading
    share: float


def judge(
    claim: Reading,
    sources: Sequence[ReadSource],
    others: Sequence[ReadSource] = (),
    around: frozenset[str] = frozenset(),
) -> Judgement:
    """Judge `claim` by `sources` together.

    `others` are those that might have been cited and were not, `around` the stems of the neighbouring sentences.
    """
    near = _nearest(claim, sources)
    worth = support(claim.stems, sources)
    is_found = (worth + support(claim.stems | around, sources)) / 2 >= FOUND
    evidence = tuple(
        Evidence(found.source_id, found.reading.text, round(found.share, 3))
        for found in near[:MOST_EVIDENCE]
        if found.share >= WORTH_SHOWING
    )
    verdict, reasons = _verdict(claim, sources, near, worth) if is_found else (Verdict.NOT_FOUND, NOT_THERE)
    better = [other for other in others if support(claim.stems, [other]) >= worth + ELSEWHERE]
    if better and verdict in (Verdict.SUPPORTED, Verdict.PARTLY):
        verdict = Verdict.NOT_FOUND if worth < WHOLE else Verdict.PARTLY
        reasons = (*reasons, f"more of it is in {_named(better[0])}, which is not cited")
    return Judgement(verdict, worth, evidence, reasons)


def _nearest(claim: Reading, sources: Sequence[ReadSource]) -> list[_Found]:
    """The sentences of `sources`, those that hold most of the claim's words first."""
    found = [
        _Found(source.source.source_id, sentence, share(claim.stems, sentence.stems))
        for source in sources
        for sentence in source.sentences
    ]
    return sorted(found, key=lambda one: -one.share)


def _verdict(
    claim: Reading, sources: Sequence[ReadSource], near: Sequence[_Found], worth: float
) -> tuple[Verdict, tuple[str, ...]]:
    missing = _missing_numbers(claim, sources)
    lacking = [name for name in claim.names if all(lacks(name, source.folded) for source in sources)]
    against = (*_rival_numbers(claim, missing, near), *_rival_names(lacking, claim, near), *_opposed(claim, near))
    absent = [f"{_written(number)} is not in the source" for number in missing if _has_rival(number, claim, near)]
    weak = [f"{_written(number)} is not in the source" for number in missing if not _has_rival(number, claim, near)]
    weak += [f"{name.written} is not in the source" for name in lacking]
    weak += ["only some of its words are in the source"] if worth < WHOLE else []
    if against:
        return Verdict.CONTRADICTED, against
    if absent:
        return Verdict.NOT_FOUND, tuple(absent)
    return (Verdict.PARTLY, tuple(weak)) if weak else (Verdict.SUPPORTED, ())


def _missing_numbers(claim: Reading, sources: Sequence[ReadSource]) -> list[Quantity]:
    return [
        number
        for number in claim.quantities
        if not any(agrees(number, given) for source in sources for given in source.quantities)
    ]


def _has_rival(number: Quantity, claim: Reading, near: Sequence[_Found]) -> bool:
    """Whether the sources have a number of the same kind that the claim does not give."""
    return next(_rivals(number, claim, near), None) is not None


def _rival_numbers(claim: Reading, missing: Sequence[Quantity], near: Sequence[_Found]) -> Iterator[str]:
    """Of each number that is missing, one of the same kind that stands in its place."""
    for number in missing:
        rival = next(_rivals(number, claim, _aligned(claim, near)), None)
        if rival is not None:
            yield f"{_written(number)} in the text, {_written(rival)} in the source"


def _rivals(number: Quantity, claim: Reading, near: Sequence[_Found]) -> Iterator[Quantity]:
    for given in (given for found in near for given in found.reading.quantities):
        is_same_kind = same_dimensions(number, given) and _is_year(number) == _is_year(given)
        if (is_same_kind or number.value == given.value) and not any(
            agrees(other, given) for other in claim.quantities
        ):
            yield given


def _rival_names(lacking: Sequence[Name], claim: Reading, near: Sequence[_Found]) -> Iterator[str]:
    said = claim.plain.lower()
    for name in lacking:
        for found in _aligned(claim, near):
            rivals = [other for other in siblings(name, found.reading.names) if lacks(other, said)]
            if rivals:
                yield f"{name.written} in the text, {rivals[0].written} in the source"
                break


def _opposed(claim: Reading, near: Sequence[_Found]) -> Iterator[str]:
    """Denials and directions, where every sentence that is near enough goes against the claim."""
    compared = [found.reading.polarity for found in _aligned(claim, near)]
    for conflict in (denial_conflict, direction_conflict):
        conflicts = [conflict(claim.polarity, given) for given in compared]
        if conflicts and all(conflicts):
            yield str(conflicts[0])


def _aligned(claim: Reading, near: Sequence[_Found]) -> list[_Found]:
    """The sentences that are about the same thing as `claim`."""
    best = near[0].share if near else 0.0
    return [found for found in near if found.share >= AS_GOOD * best and _is_aligned(claim, found)]


def _is_aligned(claim: Reading, found: _Found) -> bool:
    given = found.reading.topic
    contained = share(given, claim.topic) if len(given) >= FEWEST_WORDS else 0.0
    return share(claim.topic, given) >= ALIGNED or contained >= CONTAINED


def _is_year(number: Quantity) -> bool:
    return number.unit is None and number.value in _YEARS and number.written.isdigit()


def _named(source: ReadSource) -> str:
    title = source.source.title.strip()
    return f'"{title}"' if title else f"source {source.source.source_id}"


def _written(number: Quantity) -> str:
    return " ".join(number.written.split())
