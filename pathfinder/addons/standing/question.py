"""A standing question: a search with all its settings, stored under a name."""

import datetime
import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from pathfinder.errors import UsageError
from pathfinder.retrieval.request_records import (
    check_form,
    record_of_request,
    request_of_record,
    unknown_settings,
    without_settings,
)
from pathfinder.text.latex.display import readable
from pathfinder.types import Consensus, ConsensusLevel, Paper, SearchRequest, StanceLabel, Weighting
from pathfinder.types.settings import settings_of

_UNKNOWN = " (unknown to this version, not used)"
MAX_NAME, MAX_STATEMENT = 80, 500
"""Maximum lengths of a name and of a statement, in characters."""


@dataclass(frozen=True, slots=True)
class StandingQuestion:
    """A question that is asked again whenever its corpus changes."""

    id: str
    """Id that stays the same when the question is renamed."""
    name: str
    record: dict[str, Any]
    """The question's search, as `record_of_request` writes it, including any settings from a later version."""
    added_at: datetime.datetime
    statement: str = ""
    """Statement on which the stances of papers are guessed; empty if no stances are guessed."""
    uses_chat: bool = False
    """True if each run measures the consensus with the chat model."""

    def __post_init__(self) -> None:
        """Raise `UsageError` for an empty name, for a name or a statement that is too long or not a single line, and
        for a record that does not describe a search.
        """
        check_form(self.record)
        _check_line(self.name, "name of a standing question", MAX_NAME)
        if self.statement:
            _check_line(self.statement, "statement", MAX_STATEMENT)

    @property
    def query(self) -> str:
        """The question as written."""
        return str(self.record["query"])

    @property
    def settings(self) -> dict[str, Any]:
        """Settings of its search that are not the defaults."""
        return {name: value for name, value in self.record.items() if name != "query"}

    def request(self) -> tuple[SearchRequest, tuple[str, ...]]:
        """Return the question's search, and a note on each setting that this version does not know and leaves out.

        Raises `UsageError` for a value that is no longer valid.
        """
        unknown = unknown_settings(self.record)
        notes = tuple(f"this version does not know the setting {name!r}: it is kept, but not used" for name in unknown)
        return request_of_record(without_settings(self.record, unknown)), notes


def describe_settings(question: StandingQuestion) -> str:
    """Write the settings that differ from the defaults, and those unknown to this version; empty if there are none."""
    labels = {setting.name: setting.label for part in (SearchRequest, Weighting) for setting in settings_of(part)}
    unknown = unknown_settings(question.record)
    parts = [
        f"{labels.get(name, name)}{'' if name == 'region' else f': {_value_text(value)}'}{_UNKNOWN * (name in unknown)}"
        for name, value in question.record.items()
        if name not in ("query", "weights")
    ]
    for name, strength in question.record.get("weights", {}).items():
        parts.append(f"weight of {name}: {strength:g}{_UNKNOWN if f'weights.{name}' in unknown else ''}")
    if question.statement:
        parts.append(f"statement: {question.statement}")
    if question.uses_chat:
        parts.append("consensus measured by the chat model")
    return "; ".join(parts)


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def storable_record(request: SearchRequest) -> dict[str, Any]:
    """Return the record of a search for a standing question. Raises `UsageError` for a search that a record cannot
    hold, such as one for similar papers.
    """
    if request.likeness is not None or request.excluded_ids:
        raise UsageError(
            f"the search {request.query[:60]!r} starts from papers or leaves some out, which a standing question "
            "cannot store: watch a question in words instead"
        )
    if request.as_of is not None:
        raise UsageError(
            f"a search as of {request.as_of} never finds anything new, so there is nothing to watch: leave out as_of "
            "(--as-of)"
        )
    return record_of_request(request)


def default_name(query: str) -> str:
    """Return a name for a question: its beginning, on one line."""
    words = " ".join(query.split())
    return words if len(words) <= MAX_NAME else f"{words[: MAX_NAME - 1].rstrip()}…"


def _check_line(text: str, noun: str, most: int) -> None:
    if text != text.strip() or not text or len(text) > most or not text.isprintable():
        raise UsageError(f"{text[:most]!r} cannot be the {noun}: write 1 to {most} characters on one line")


# A run of a standing question: its ranked papers and the state of their agreement, as frozen values.


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
class PaperAtRank:
    """A paper on the list of a run, with its rank there, counted from 1."""

    paper: RankedPaper
    rank: int


@dataclass(frozen=True, slots=True)
class QuotedPaper:
    """A paper and one of its sentences, or one of a summary of it, verbatim."""

    paper_id: str
    title: str
    year: int | None
    quotation: str
    is_summary: bool | None = None
    """Whether somebody else wrote the sentence; `None` in runs stored before this was."""

    @property
    def quoted(self) -> str:
        """The sentence: in quotation marks if the paper says it, or else with what it is from."""
        if self.is_summary is None:
            return f"{readable(self.quotation)} (abstract or summary)"
        return f"{readable(self.quotation)} (summary)" if self.is_summary else f"“{readable(self.quotation)}”"


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

    @property
    def ranked(self) -> tuple[PaperAtRank, ...]:
        """The papers, each with its rank."""
        return tuple(PaperAtRank(paper, rank) for rank, paper in enumerate(self.papers, start=1))

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


def quote(paper: Paper, sentence: str) -> QuotedPaper:
    """Quote a sentence of the abstract of a paper, or of the summary in its place."""
    return QuotedPaper(paper.paper_id, paper.title, paper.year, sentence, paper.is_summary)


def contests_of(tensions: Any) -> Iterator[Contest]:
    """Yield tensions, as the method `tensions` of an open corpus returns them, as contests."""
    for tension in tensions.tensions:
        first, second = (quote(side.paper, side.quotation) for side in tension.sides)
        yield Contest(ContestKind(tension.kind.value), tension.subject, tension.reason, (first, second))


def stances_of(consensus: Consensus) -> tuple[PaperStance, ...]:
    """Return the stances that a consensus counts."""
    return tuple(
        PaperStance(
            stance.label, replace(quote(paper, stance.quote), is_summary=not stance.passage and paper.is_summary)
        )
        for stance, paper in zip(consensus.stances, consensus.papers, strict=True)
        if stance.is_counted
    )
