"""Results and answers as JSON: the shape that programs read."""

import json
from collections.abc import Iterable
from typing import NotRequired, TypedDict

from pathfinder.export.plain_json import JsonObject, as_json
from pathfinder.export.traces import to_json
from pathfinder.types import Answer, Hit, Paper, Rewrite, SearchResult, Stage


class ScoreRecord(TypedDict):
    """The factors of `Score`; null where a stage did not run."""

    dense: float | None
    sparse: float | None
    fused: float | None
    keyword: float | None
    recency: float | None
    citation: float | None
    title_match: float | None
    position: float | None
    coverage: float | None
    diversity: float | None
    rerank: float | None
    final: float


class HitRecord(TypedDict):
    """One hit; its rank counts from 1."""

    rank: int
    paper_id: str
    title: str
    year: int | None
    outlier: bool | None
    score: ScoreRecord


class ClaimRecord(TypedDict):
    """One sentence of an answer."""

    text: str
    citations: list[str]


class SourceRecord(TypedDict):
    """A paper that an answer was made from; n is the number of its marks."""

    n: int
    paper_id: str
    title: str
    year: int | None
    arxiv_id: str | None
    doi: str | None
    bibcode: str | None


class AnswerRecord(TypedDict):
    """An answer, what it rests on, and how it came about; null for what there is none of."""

    text: str
    abstained: bool
    redirect: str | None
    claims: list[ClaimRecord]
    sources: list[SourceRecord]
    notes: list[str]
    ledger: JsonObject | None
    """As `Ledger`: every sentence with its verdict and evidence, then precision, recall and F1."""
    trace: JsonObject | None
    """As it is saved by itself, so that it can be read back, replayed and gone on with."""
    versions: list[JsonObject]
    """As `Version`, the first draft first."""
    calls: list[JsonObject]
    """As `Call`: purpose, model, seconds, tokens, and dollars where they are known."""
    ads_query: JsonObject | None


class ResultRecord(TypedDict):
    """A result, and its answer where one was asked for."""

    query: str
    corpus: str
    stages: dict[str, str]
    """What really ran, by stage."""
    seconds: dict[str, float]
    """By stage, and their sum as "total"."""
    hits: list[HitRecord]
    answer: NotRequired[AnswerRecord]
    rewrite: NotRequired[JsonObject]
    """As `Rewrite`, where the answer was told anew: the text, and what was lost or added."""


def search_record(result: SearchResult) -> ResultRecord:
    """A result as programs read it."""
    return _record(result, result.stages)


def answer_record(result: SearchResult, answer: Answer, told: Rewrite | None = None) -> ResultRecord:
    """A result and its answer as programs read them, and the answer `told` anew; the stages are those of both."""
    record = _record(result, (*result.stages, *answer.stages))
    record["answer"] = AnswerRecord(
        text=answer.text,
        abstained=answer.abstained,
        redirect=answer.redirect,
        claims=[ClaimRecord(text=claim.text, citations=list(claim.citations)) for claim in answer.claims],
        sources=[_source_record(n, paper) for n, paper in enumerate(answer.sources, start=1)],
        notes=list(answer.notes),
        ledger=as_json(answer.ledger),
        trace=json.loads(to_json(answer.trace)) if answer.trace else None,
        versions=[as_json(version) for version in answer.versions],
        calls=[as_json(call) for call in answer.calls],
        ads_query=as_json(answer.ads_query),
    )
    if told is not None:
        record["rewrite"] = as_json(told)
    return record


def _record(result: SearchResult, stages: Iterable[Stage]) -> ResultRecord:
    stages = tuple(stages)
    seconds = {stage.name: stage.seconds for stage in stages if stage.seconds is not None}
    return ResultRecord(
        query=result.request.query,
        corpus=result.corpus.name,
        stages={stage.name: stage.ran for stage in stages},
        seconds={**seconds, "total": sum(seconds.values())},
        hits=[_hit_record(rank, hit) for rank, hit in enumerate(result.hits, start=1)],
    )


def _source_record(n: int, paper: Paper) -> SourceRecord:
    return SourceRecord(
        n=n,
        paper_id=paper.paper_id,
        title=paper.title,
        year=year_of(paper),
        arxiv_id=paper.arxiv_id,
        doi=paper.doi,
        bibcode=paper.bibcode,
    )


def _hit_record(rank: int, hit: Hit) -> HitRecord:
    return HitRecord(
        rank=rank,
        paper_id=hit.paper.paper_id,
        title=hit.paper.title,
        year=year_of(hit.paper),
        outlier=hit.outlier,
        score=_score_record(hit),
    )


def _score_record(hit: Hit) -> ScoreRecord:
    score = hit.score
    return ScoreRecord(
        dense=score.dense,
        sparse=score.sparse,
        fused=score.fused,
        keyword=score.keyword,
        recency=score.recency,
        citation=score.citation,
        title_match=score.title_match,
        position=score.position,
        coverage=score.coverage,
        diversity=score.diversity,
        rerank=score.rerank,
        final=score.final,
    )


def year_of(paper: Paper) -> int | None:
    """The year of a paper, or of its date."""
    return paper.date.year if paper.year is None and paper.date else paper.year
