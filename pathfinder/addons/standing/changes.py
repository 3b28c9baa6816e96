"""Differences between two runs of a standing question: papers that are new, moved or gone, and findings that are now
contested.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pathfinder.addons.standing.question import (
    AgreementBasis,
    Contest,
    ContestKind,
    PaperStance,
    RankedPaper,
    StandingRun,
)
from pathfinder.types import ConsensusLevel, StanceLabel

MOVED_PLACES = 3
"""Minimum number of places by which a paper must move, among the papers on both lists, to count as moved. Smaller
shifts are noise: every added paper changes the rarity of words, and so changes all scores a little.
"""


class Arrival(StrEnum):
    """Earlier place of a newly listed paper."""

    ADDED = "added"
    IN_CORPUS = "in corpus"
    LIVE = "live"
    UNKNOWN = "unknown"


ARRIVAL_LABELS = {
    Arrival.ADDED: "newly added to the library",
    Arrival.IN_CORPUS: "already in the library, but not on the list before",
    Arrival.LIVE: "from a live source",
    Arrival.UNKNOWN: (
        "new on the list; whether it was in the library before is unknown, because papers have been removed from it"
    ),
}


class Departure(StrEnum):
    """Reason why a paper is no longer on the list, or should no longer be relied on."""

    REMOVED = "removed"
    RETRACTED = "retracted"
    WITHDRAWN = "withdrawn"
    UNLISTED = "unlisted"


DEPARTURE_LABELS = {
    Departure.REMOVED: "removed from the library",
    Departure.RETRACTED: "retracted",
    Departure.WITHDRAWN: "withdrawn",
    Departure.UNLISTED: "still in the library, but no longer on the list",
}


@dataclass(frozen=True, slots=True)
class NewlyListed:
    """A paper that was not on the list before."""

    paper: RankedPaper
    rank: int
    arrival: Arrival

    @property
    def words(self) -> str:
        """What became of the paper."""
        return f"number {self.rank}; {ARRIVAL_LABELS[self.arrival]}"


@dataclass(frozen=True, slots=True)
class MovedPaper:
    """A paper whose rank has changed by more than noise."""

    paper: RankedPaper
    rank_before: int
    rank: int

    @property
    def words(self) -> str:
        """What became of the paper."""
        return f"{'up' if self.rank < self.rank_before else 'down'} from {self.rank_before} to {self.rank}"


@dataclass(frozen=True, slots=True)
class GonePaper:
    """A paper that has left the list, or was retracted or withdrawn."""

    paper: RankedPaper
    rank_before: int
    departure: Departure

    @property
    def words(self) -> str:
        """What became of the paper."""
        return f"was number {self.rank_before}; {DEPARTURE_LABELS[self.departure]}"


@dataclass(frozen=True, slots=True)
class Levels:
    """Levels of consensus in two runs."""

    before: ConsensusLevel
    now: ConsensusLevel


@dataclass(frozen=True, slots=True)
class StandingChanges:
    """The differences between two runs."""

    before: StandingRun
    now: StandingRun
    new: tuple[NewlyListed, ...]
    moved: tuple[MovedPaper, ...]
    gone: tuple[GonePaper, ...]
    contested: tuple[Contest, ...]
    """Contradictions that were not there before."""
    notes: tuple[str, ...] = ()
    is_first: bool = False
    """True if there is only one run, which the reader has not seen: everything in it is new to them."""
    is_seen: bool = False
    """True if the reader has seen the run `before`."""

    @property
    def papers(self) -> dict[str, Sequence[NewlyListed | MovedPaper | GonePaper]]:
        """The papers that are new, moved or gone, by that word."""
        return {"new": self.new, "moved": self.moved, "gone": self.gone}

    @property
    def n_changes(self) -> int:
        """Number of changes: papers that are new, moved or gone, contradictions that are new, and any change in the
        level of consensus.
        """
        return sum(map(len, self.papers.values())) + len(self.contested) + (self.levels is not None)

    @property
    def levels(self) -> Levels | None:
        """The level of consensus before and now, if both were measured and they differ."""
        before, now = self.before.agreement.level, self.now.agreement.level
        return None if before is None or now is None or before is now else Levels(before, now)


def changes_between(before: StandingRun, now: StandingRun, earlier: Sequence[StandingRun] = ()) -> StandingChanges:
    """Compare two runs of one question; `earlier` holds all its runs up to `now`, which show how the corpus grew."""
    return StandingChanges(
        before,
        now,
        tuple(_new(before, now, earlier)),
        tuple(_moved_papers(before, now)),
        tuple(_gone_papers(before, now)),
        tuple(_new_contests(before, now)),
        tuple(_notes(before, now)),
    )


def _new(before: StandingRun, now: StandingRun, earlier: Sequence[StandingRun]) -> Iterator[NewlyListed]:
    # As after a rollback: the corpus of `before` begins with all the papers in that of `now`.
    is_smaller = any(run.ids_digest == now.ids_digest and run.at in before.extends for run in earlier)
    for rank, paper in enumerate(now.papers, start=1):
        if before.rank_of(paper.paper_id) is not None:
            continue
        if paper.row is None:
            arrival = Arrival.LIVE
        elif before.at in now.extends:
            arrival = Arrival.IN_CORPUS if paper.row < before.n_papers else Arrival.ADDED
        else:
            arrival = Arrival.IN_CORPUS if is_smaller else Arrival.UNKNOWN
        yield NewlyListed(paper, rank, arrival)


def _moved_papers(before: StandingRun, now: StandingRun) -> Iterator[MovedPaper]:
    """Yield the papers whose place among the papers on both lists has changed by `MOVED_PLACES` or more."""
    ids_before = [paper.paper_id for paper in before.papers]
    both = [paper for paper in now.papers if paper.paper_id in ids_before]
    ids_now = [paper.paper_id for paper in both]
    common = [paper_id for paper_id in ids_before if paper_id in ids_now]
    for place, paper in enumerate(both):
        if abs(common.index(paper.paper_id) - place) >= MOVED_PLACES:
            rank = now.rank_of(paper.paper_id) or 0
            yield MovedPaper(paper, ids_before.index(paper.paper_id) + 1, rank)


def _gone_papers(before: StandingRun, now: StandingRun) -> Iterator[GonePaper]:
    statuses = dict(now.marked)
    for rank, paper in enumerate(before.papers, start=1):
        status = statuses.get(paper.paper_id)
        if paper.paper_id in now.absent:
            yield GonePaper(paper, rank, Departure.REMOVED)
        elif status is not None and status != paper.status:
            yield GonePaper(paper, rank, Departure(status))
        elif now.rank_of(paper.paper_id) is None:
            yield GonePaper(paper, rank, Departure.UNLISTED)


def _new_contests(before: StandingRun, now: StandingRun) -> Iterator[Contest]:
    if before.agreement.n_compared:  # otherwise tensions were not looked for, and none is known to be new
        keys = {contest.key for contest in before.agreement.contests}
        yield from (contest for contest in now.agreement.contests if contest.key not in keys)
    first, second = before.agreement, now.agreement
    are_comparable = first.basis is second.basis and first.statement == second.statement and first.stances
    if not are_comparable or _opposites(first.stances):
        return
    if opposites := _opposites(now.agreement.stances):
        is_guess = now.agreement.basis is AgreementBasis.GUESSED
        kind = ContestKind.GUESSED_STANCES if is_guess else ContestKind.STANCES
        means = "guessed by rules" if is_guess else "judged by the chat model"
        earlier = "in the earlier run, no two listed papers had opposite stances"
        reason = f"the first paper supports it, and the second refutes it ({means}); {earlier}"
        yield Contest(kind, now.agreement.statement, reason, (opposites[0].paper, opposites[1].paper))


def _opposites(stances: Sequence[PaperStance]) -> tuple[PaperStance, PaperStance] | None:
    supporting = next((stance for stance in stances if stance.label is StanceLabel.SUPPORTS), None)
    refuting = next((stance for stance in stances if stance.label is StanceLabel.REFUTES), None)
    return None if supporting is None or refuting is None else (supporting, refuting)


def _notes(before: StandingRun, now: StandingRun) -> Iterator[str]:
    yield from now.notes
    if now.agreement.contests and not before.agreement.n_compared:
        yield "no papers were compared for tensions in the earlier run, so the tensions found now are not called new"
    if before.agreement.basis is not now.agreement.basis:
        yield (
            f"agreement was assessed by {now.agreement.basis} this time and by {before.agreement.basis} before, so "
            "stances are not compared"
        )
