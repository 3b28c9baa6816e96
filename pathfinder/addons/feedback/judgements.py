"""A reader's judgement of an answer, of one of its sentences or of a paper, with the list that the reader saw."""

import datetime
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import TypeAdapter

from pathfinder.errors import UsageError
from pathfinder.retrieval.factors import MATCH, factors_of
from pathfinder.retrieval.weighting import known_weights, neutral_where_unknown
from pathfinder.types import CorpusName, SearchResult
from pathfinder.user_data import Database, Kind, Visit, database_in, oldest

_CODE_BYTES = 8
"""Number of random bytes in a code, which therefore has sixteen hex digits and cannot be guessed."""


class Target(StrEnum):
    """Kinds of thing that a reader can judge."""

    ANSWER = "answer"
    SENTENCE = "sentence"
    PAPER = "paper"


class Thumb(StrEnum):
    """A judgement made with one click."""

    UP = "up"
    DOWN = "down"


class Remark(StrEnum):
    """Reasons for a judgement."""

    SHOULD_BE_HIGHER = "should be higher"
    OFF_TOPIC = "off topic"
    WRONG = "wrong"
    NOT_SUPPORTED = "not supported by its source"
    UNCLEAR = "hard to understand"
    INCOMPLETE = "something is missing"


REMARKS = {
    Target.PAPER: (Remark.SHOULD_BE_HIGHER, Remark.OFF_TOPIC),
    Target.SENTENCE: (Remark.WRONG, Remark.NOT_SUPPORTED, Remark.UNCLEAR),
    Target.ANSWER: (Remark.WRONG, Remark.INCOMPLETE, Remark.UNCLEAR),
}
"""Reasons from which a reader may choose, by target."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A reader's clicks, before they are stored."""

    target: Target
    thumb: Thumb
    remark: Remark | None = None
    paper_id: str | None = None
    """The paper that is judged, or that the judged sentence cites first."""
    sentence: int | None = None
    """Number of the judged sentence in the answer, counted from 1."""
    with_question: bool = False
    """True if the reader allows the question to be stored."""


@dataclass(frozen=True, slots=True)
class ListedPaper:
    """A hit in the list that the reader saw; its rank is its position, counted from 1."""

    paper_id: str
    factors: tuple[tuple[str, float], ...]
    """Weights in [0, 1] of all factors that were measured, on or off, and of "match", by the names of their settings.
    """


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judgement. It holds the question only if the reader allowed that."""

    code: str
    """Random code that is shown to the reader, who can use it to withdraw the judgement."""
    day: datetime.date
    corpus: CorpusName
    search_id: str
    """Random name of the search, the same for all judgements of one list."""
    target: Target
    thumb: Thumb
    listed: tuple[ListedPaper, ...]
    strengths: tuple[tuple[str, float], ...]
    """Strength of each factor when the list was made."""
    preset: str
    made_with: tuple[tuple[str, str], ...]
    """Stages and the models that ran in them, and the version of Pathfinder."""
    paper_id: str | None = None
    """The paper that is judged, or that the judged sentence cites first."""
    sentence: int | None = None
    """Number of the judged sentence in the answer, counted from 1."""
    relevance: float | None = None
    """Relevance of the corpus to the question, [0, 1], as the search estimated it."""
    remark: Remark | None = None
    question: str | None = None

    def __post_init__(self) -> None:
        if self.remark is not None and self.remark not in REMARKS[self.target]:
            choices = ", ".join(REMARKS[self.target])
            raise UsageError(
                f"{self.remark.value!r} is no reason for judging this {self.target.value}: choose {choices}"
            )
        if self.target is Target.PAPER and self.paper_id not in {each.paper_id for each in self.listed}:
            raise UsageError(f"the judged paper must be among the papers listed, got {self.paper_id!r}")


JUDGEMENT = TypeAdapter(Judgement)


def judgement_of(
    result: SearchResult, opinion: Opinion, *, search_id: str, day: datetime.date, version: str
) -> Judgement:
    """Make the judgement of a reader who sees the hits of `result`; `version` is Pathfinder's."""
    models = {entry.name: entry.model for entry in result.stage_status if entry.model is not None}
    return Judgement(
        code=new_code(),
        day=day,
        corpus=result.corpus,
        search_id=search_id,
        target=opinion.target,
        thumb=opinion.thumb,
        listed=listed_papers(result),
        strengths=tuple(sorted(result.request.weighting.strengths.items())),
        preset=result.request.weighting.preset.value,
        made_with=(*sorted(models.items()), ("pathfinder", version)),
        paper_id=opinion.paper_id,
        sentence=opinion.sentence,
        relevance=None if result.assessment is None else result.assessment.relevance,
        remark=opinion.remark,
        question=result.request.query if opinion.with_question else None,
    )


def new_code() -> str:
    """Return a random code."""
    return secrets.token_hex(_CODE_BYTES)


def listed_papers(result: SearchResult) -> tuple[ListedPaper, ...]:
    """List the hits with the weights of all factors that were measured, including those that are off."""
    places = {row: place for place, row in enumerate(result.candidates.rows.tolist())}
    columns = {MATCH: result.candidates.fused}
    for factor in factors_of(result.request.weighting):
        weights = known_weights(factor, result.candidates, result.request.weighting)
        if weights is not None:
            columns[factor.setting] = neutral_where_unknown(weights)
    return tuple(
        ListedPaper(
            hit.paper.paper_id,
            tuple((name, round(float(values[places[hit.row]]), 6)) for name, values in columns.items()),
        )
        for hit in result.hits
    )


# Stores judgements: those of all readers in the owner's file, a visitor's own in their browser as well.

FEEDBACK = Kind(
    "feedback.sqlite3",
    "judgements",
    "code text not null, day text not null, record text not null",
    "judgements",
    f"delete from judgements where number in ({oldest('judgements', 'true')})",  # noqa: S608
    lambda _: (),  # until 0.3.0, browsers stored none
)
_OWNERS_TABLE = """
create table judgements (
    code text primary key,
    day text not null,
    corpus text not null,
    record text not null
) strict
"""
"""As in 0.1.0: a copy in another form would still hold what is withdrawn later."""


class FeedbackStore:
    """Judgements, by the id of their corpus. Processes and threads may share the owner's file.

    Each method opens the file again. A judgement is on disk when `add` returns, so it is not lost if the
    process is killed.
    """

    def __init__(self, place: Path | Visit) -> None:
        """`place` is the owner's folder, created with the first judgement, or the visit of another."""
        self.database = database_in(place, FEEDBACK)
        if isinstance(place, Path):
            self.database = Database(place / FEEDBACK.file, _OWNERS_TABLE)

    def add(self, judgement: Judgement) -> None:
        """Store a judgement. Raises `StoreError` if the disk is full or the folder cannot be written to."""
        record = JUDGEMENT.dump_json(judgement).decode()
        row = (judgement.code, judgement.day.isoformat(), judgement.corpus.ids[0], record)
        with self.database.transaction() as database:
            database.execute("insert into judgements (code, day, corpus, record) values (?, ?, ?, ?)", row)

    def withdraw(self, code: str) -> bool:
        """Delete the judgement with this code; return whether there was one."""
        return self.database.change("delete from judgements where code = ?", (code,)) > 0

    def judgements(self, corpora: Sequence[str] = ()) -> tuple[Judgement, ...]:
        """Return the judgements on corpora with these ids, or on all corpora if none are given, in order of date.
        Raises `StoreError` for a record that cannot be read.
        """
        rows = self.database.rows("select corpus, record from judgements order by day, rowid")
        records = (record for corpus, record in rows if not corpora or corpus in corpora)
        return tuple(self.database.parse(JUDGEMENT, record, "judgement", strict=True) for record in records)

    def forget_before(self, day: datetime.date) -> int:
        """Delete judgements older than `day`; return their number."""
        return self.database.change("delete from judgements where day < ?", (day.isoformat(),))

    def delete_all(self) -> int:
        """Delete all judgements; return their number."""
        return self.database.change("delete from judgements")
