"""What sources say of one sentence: a verdict, the sentences that it rests on, and why.

A sentence is *not found* where the sources hold too few of its words, or lack a number of it, or count the same things
otherwise, or have another entry of a catalogue than it names, or where another source
holds so many more that the citation leads to the wrong one; *contradicted* where a
sentence of theirs that is about the same thing has another number, unit or name, or denies what it says, or goes the
other way; *partly* where they hold only some of its words, or lack a name; else *supported*. The thresholds were
set on the tuning half of 108 expert answers (benchmarks/EVIDENCE.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pathfinder.assessment.evidence.meaning import Meaning
from pathfinder.assessment.evidence.names import lacks
from pathfinder.assessment.evidence.nearness import Found, aligned, nearest
from pathfinder.assessment.evidence.overlap import Reading, ReadSource, support
from pathfinder.assessment.evidence.polarity import denial_conflict, direction_conflict
from pathfinder.assessment.evidence.rivals import (
    has_sibling,
    missing_amounts,
    missing_numbers,
    other_counts,
    rival_names,
    rival_numbers,
    with_rivals,
    written,
)
from pathfinder.types import Evidence, Verdict

FOUND = 0.15
"""Below this `support` of a sentence, averaged with that of the sentence and its neighbours, it is not found: what
"this technique" is stands in the sentence before."""
OF_MEANING = 0.5
"""What the `closeness` in meaning counts for beside that, where it is known: on the tuning half more tells true
citations from others less well."""
FOUND_WITH_MEANING = 0.35
"""Below this sum it is not found."""
WHOLE = 0.45
"""From this `support` on they hold the whole of it."""
ELSEWHERE = 0.45
"""A sentence is cited to the wrong source where one that it does not cite has so much more `support` for it."""
MOST_EVIDENCE = 3
WORTH_SHOWING = 0.1
"""Least share of its words in a sentence that is shown as evidence."""

NOT_THERE: tuple[str, ...] = ("its words are not in the source",)


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


def judge(
    claim: Reading,
    sources: Sequence[ReadSource],
    others: Sequence[ReadSource] = (),
    around: frozenset[str] = frozenset(),
    meaning: Meaning | None = None,
) -> Judgement:
    """Judge `claim` by `sources` together.

    `others` are those that might have been cited and were not, `around` the stems of the neighbouring sentences.
    Where `meaning` has the claim and the nearest sentences of `sources`, they are compared by it, too.
    """
    near = nearest(claim, sources)
    worth = support(claim.stems, sources)
    held = (worth + support(claim.stems | around, sources)) / 2
    if meaning is None:
        is_found = held >= FOUND
    else:
        is_found = held + OF_MEANING * meaning.closeness(claim, near) >= FOUND_WITH_MEANING
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


def _verdict(
    claim: Reading, sources: Sequence[ReadSource], near: Sequence[Found], worth: float
) -> tuple[Verdict, tuple[str, ...]]:
    same = aligned(claim, near)
    missing = missing_numbers(claim, sources)
    lacking = [name for name in claim.names if all(lacks(name, source.folded) for source in sources)]
    unsaid = (*missing, *missing_amounts(claim, sources))
    numbers = dict.fromkeys([*rival_numbers(claim, unsaid, same), *other_counts(claim, sources, same)])
    against = (*numbers, *rival_names(claim, lacking, same), *_opposed(claim, same))
    rivalled = with_rivals(missing, claim, near)
    twins = [name for name in lacking if has_sibling(name, claim, near)]
    absent = [f"{written(number)} is not in the source" for number in rivalled]
    absent += [f"{name.written} is not in the source" for name in twins]
    absent += other_counts(claim, sources, near)
    weak = [f"{written(number)} is not in the source" for number in missing if number not in rivalled]
    weak += [f"{name.written} is not in the source" for name in lacking if name not in twins]
    weak += ["only some of its words are in the source"] if worth < WHOLE else []
    if against:
        return Verdict.CONTRADICTED, against
    if absent:
        return Verdict.NOT_FOUND, tuple(absent)
    return (Verdict.PARTLY, tuple(weak)) if weak else (Verdict.SUPPORTED, ())


def _opposed(claim: Reading, same: Sequence[Found]) -> Iterator[str]:
    """Denials and directions, where every sentence that is near enough goes against the claim."""
    compared = [found.reading.polarity for found in same]
    for conflict in (denial_conflict, direction_conflict):
        conflicts = [conflict(claim.polarity, given) for given in compared]
        if conflicts and all(conflicts):
            yield str(conflicts[0])


def _named(source: ReadSource) -> str:
    title = source.source.title.strip()
    return f'"{title}"' if title else f"source {source.source.source_id}"
