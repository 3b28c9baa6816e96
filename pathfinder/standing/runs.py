"""A run of a standing question: its ranked papers and the state of their agreement, as frozen values."""

import datetime
import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pathfinder.types import Consensus, ConsensusLevel, StanceLabel, Tension, Tensions


class AgreementBasis(StrEnum):
    """Means by which the state of agreement was assessed."""

    TENSIONS = "tensions"
    GUESSED = "tensions and guessed stances"
    CONSENSUS = "tensions and consensus"


BASIS_LABELS = {
    AgreementBasis.TENSIONS: "assessed by rules, without a chat model: tensions only",
    AgreementBasis.GUESSED: "assessed by rules, without a chat model: tensions, and guessed stances",
    AgreementBasis.CONSENSUS: "assessed by rules for tensions, and by the chat model for the consensus",
}


class ContestKind(StrEnum):
    """Kind of contradiction between two papers."""

    VALUES = "values"
    STATEMENTS = "statements"
    GUESSED_STANCES = "guessed stances"
    STANCES = "stances"


@dataclass(frozen=True, slots=True)
class RankedPaper:
    """A paper on the list of a run; its rank is its place there."""

    paper_id: str
    title: str
    year: int | None
    score: float
    row: int | None
    """Position in the corpus; `None` for a paper that a live source found."""
    url: str | None = None
    """Address derived from an identifier; `None` without one."""
    status: str | None = None
    """"withdrawn" or "retracted"; `None` if no source says so."""


@dataclass(frozen=True, slots=True)
class QuotedPaper:
    """A paper and one of its sentences, verbatim."""

    paper_id: str
    title: str
    year: int | None
    quotation: str


@dataclass(frozen=True, slots=True)
class PaperStance:
    """The stance of a paper on the statement, measured or guessed."""

    label: StanceLabel
    paper: QuotedPaper


@dataclass(frozen=True, slots=True)
class Contest:
    """Two papers that contradict each other, each with its sentence."""

    kind: ContestKind
    subject: str
    reason: str
    sides: tuple[QuotedPaper, QuotedPaper]

    @property
    def key(self) -> tuple[str, ...]:
        """The kind and the two papers, by which a contest is recognised in a later run."""
        return (self.kind.value, *sorted(side.paper_id for side in self.sides))


@dataclass(frozen=True, slots=True)
class AgreementState:
    """The agreement among the papers of a run, and the means by which it was assessed."""

    basis: AgreementBasis
    n_compared: int
    """Number of best matches that were compared for tensions."""
    contests: tuple[Contest, ...]
    """Tensions among the matches compared."""
    stances: tuple[PaperStance, ...] = ()
    statement: str = ""
    """Statement on which the papers have these stances."""
    level: ConsensusLevel | None = None
    """Level of consensus; `None` without a chat model or with too little evidence."""


@dataclass(frozen=True, slots=True)
class StandingRun:
    """The result of one run. The runs of a question are identified by their times."""

    at: datetime.datetime
    version: str
    """Version of the corpus."""
    n_papers: int
    """Number of papers in the corpus."""
    ids_digest: str
    """Digest of the ids of all papers in the corpus, in their order (`prefix_digests`)."""
    papers: tuple[RankedPaper, ...]
    agreement: AgreementState
    absent: tuple[str, ...] = ()
    """Papers that earlier runs listed and that were no longer in the corpus."""
    marked: tuple[tuple[str, str], ...] = ()
    """Papers that earlier runs listed and that the corpus marks as withdrawn or retracted, each with its status."""
    extends: tuple[datetime.datetime, ...] = ()
    """Earlier runs whose corpus is the beginning of this run's, so that no paper has been removed or moved since."""
    notes: tuple[str, ...] = ()

    def rank_of(self, paper_id: str) -> int | None:
        """Return the rank of a paper on the list, counted from 1; `None` if it is not listed."""
        return next((rank for rank, paper in enumerate(self.papers, start=1) if paper.paper_id == paper_id), None)


@dataclass(frozen=True, slots=True)
class FailedRun:
    """A run that failed; the result of the run before it is kept."""

    at: datetime.datetime
    version: str
    message: str


def prefix_digests(paper_ids: Sequence[str], lengths: Collection[int]) -> dict[int, str]:
    """Return the SHA-256 of the first n of `paper_ids`, for each n in `lengths` that does not exceed their number."""
    digests, hash_so_far = {}, hashlib.sha256()
    for n in range(len(paper_ids) + 1):
        if n in lengths:
            digests[n] = hash_so_far.copy().hexdigest()
        if n < len(paper_ids):
            hash_so_far.update(f"{paper_ids[n]}\n".encode())
    return digests


def contests_of(tensions: Tensions) -> tuple[Contest, ...]:
    """Return tensions as contests."""
    return tuple(map(_contest, tensions.tensions))


def _contest(tension: Tension) -> Contest:
    first, second = (
        QuotedPaper(side.paper.paper_id, side.paper.title, side.paper.year, side.quotation) for side in tension.sides
    )
    return Contest(ContestKind(tension.kind.value), tension.subject, tension.reason, (first, second))


def stances_of(consensus: Consensus) -> tuple[PaperStance, ...]:
    """Return the stances that a consensus counts."""
    return tuple(
        PaperStance(stance.label, QuotedPaper(stance.paper_id, stance.title, stance.year, stance.quote))
        for stance in consensus.stances
        if stance.is_counted
    )
