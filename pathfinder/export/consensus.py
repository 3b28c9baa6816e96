"""How far papers agree, as JSON: the shape that programs read."""

from typing import TypedDict

from pathfinder.types import Consensus, ConsensusHistory, ConsensusLevel, Stance


class StanceRecord(TypedDict):
    """What one paper says."""

    paper_id: str
    title: str
    year: int | None
    stance: str
    quote: str
    quote_found: bool
    counted: bool


class SensitivityRecord(TypedDict):
    """The level without one paper; null: not enough evidence."""

    paper_id: str
    level: str | None


class ConsensusRecord(TypedDict):
    """How far the papers agree; null where there is no level, and not enough evidence."""

    question: str
    statement: str
    level: str | None
    score: float | None
    interval: list[str] | None
    model_level: str | None
    explanation: str
    relevance: float | None
    stances: list[StanceRecord]
    sensitivity: list[SensitivityRecord]
    model: str
    as_of: int | None
    notes: list[str]


class YearRecord(TypedDict):
    """The state of opinion as of the end of a year."""

    year: int
    supports: int
    refutes: int
    mixed: int
    score: float | None
    level: str | None


class HistoryRecord(TypedDict):
    """Opinion over the years."""

    question: str
    statement: str
    changed_in: int | None
    reason: str
    before: str | None
    after: str | None
    p_value: float | None
    years: list[YearRecord]
    stances: list[StanceRecord]
    model: str
    as_of: int | None
    notes: list[str]


def consensus_record(told: Consensus) -> ConsensusRecord:
    """A consensus as programs read it."""
    return ConsensusRecord(
        question=told.question,
        statement=told.statement,
        level=_name(told.level),
        score=told.score,
        interval=None if told.interval is None else [level.value for level in told.interval],
        model_level=_name(told.model_level),
        explanation=told.explanation,
        relevance=told.relevance,
        stances=[_stance(stance) for stance in told.stances],
        sensitivity=[SensitivityRecord(paper_id=one.paper_id, level=_name(one.level)) for one in told.sensitivity],
        model=told.model,
        as_of=told.as_of,
        notes=list(told.notes),
    )


def history_record(told: ConsensusHistory) -> HistoryRecord:
    """Opinion over the years as programs read it."""
    years = [
        YearRecord(
            year=one.year,
            supports=one.n_supports,
            refutes=one.n_refutes,
            mixed=one.n_mixed,
            score=one.score,
            level=_name(one.level),
        )
        for one in told.years
    ]
    return HistoryRecord(
        question=told.question,
        statement=told.statement,
        changed_in=told.changed_in,
        reason=told.reason,
        before=_name(told.before),
        after=_name(told.after),
        p_value=told.p_value,
        years=years,
        stances=[_stance(stance) for stance in told.stances],
        model=told.model,
        as_of=told.as_of,
        notes=list(told.notes),
    )


def _stance(stance: Stance) -> StanceRecord:
    return StanceRecord(
        paper_id=stance.paper_id,
        title=stance.title,
        year=stance.year,
        stance=stance.label.value,
        quote=stance.quote,
        quote_found=stance.is_quote_found,
        counted=stance.is_counted,
    )


def _name(level: ConsensusLevel | None) -> str | None:
    return None if level is None else level.value
