"""Writes results and answers as JSON for programs; null stands for a value that was not computed or is not known."""

import json
from collections.abc import Iterable

from pathfinder.export.plain_json import JsonObject, as_json, same_names, select
from pathfinder.export.traces import to_json
from pathfinder.retrieval.factors import FACTORS
from pathfinder.retrieval.lookup.indexes import found_by_keywords
from pathfinder.retrieval.lookup.pinpoint import pinpointed_sentence
from pathfinder.types import (
    Answer,
    FullTextPassage,
    Hit,
    Paper,
    Rewrite,
    Score,
    SearchRequest,
    SearchResult,
    Stage,
    StageStatus,
)
from pathfinder.types.features import FeatureCard
from pathfinder.types.steers import feature_of

_MATCH = same_names("dense sparse fused")
_IDENTIFIERS = same_names("arxiv_id doi bibcode")
_FILTERS = (
    "year_from year_to authors categories venues sources refereed needs_abstract excluded_words within as_of".split()
)
_CLAIM = same_names("text citations")
_ANSWER_BEFORE, _ANSWER_AFTER = same_names("text abstained redirect"), same_names("versions calls ads_query")
N_LISTED = 3
"""Number of papers shown for each feature in a list of all features."""


def search_record(result: SearchResult) -> JsonObject:
    """Write a result: query, searched (the words that were searched), filters (as applied, including those read from
    the question), corpus, stages (what ran in each stage), stage_status (name, model, status, reason), seconds (per
    stage, and "total") and hits.

    Each hit has rank (counted from 1), paper_id, title, year, status ("withdrawn", "retracted" or null), has_abstract,
    outlier, known_as (the words by which the question names the paper, or null), live (the live sources that found a
    paper that the corpus lacks, or null), score (the factors of `Score`), full_text (at most three passages of its full
    text) and found_by_keywords (its keywords with a word of the question that its title and abstract lack).
    """
    return _record(result, result.stages, result.stage_status)


def answer_record(result: SearchResult, answer: Answer, rewrite: Rewrite | None = None) -> JsonObject:
    """Write a result with its answer, and the answer's `rewrite` if there is one.

    The stages of the search are followed by those of the answer.

    The answer has text, abstained, redirect, claims (text, citations), sources (n, the number used in the answer's
    citation marks, with paper_id, title, year, status and identifiers), notes, ledger (as `Ledger`), trace (in the
    format of a trace file, so that it can be read back), versions (the first draft first), calls (as `Call`),
    ads_query, digest (as `Digest`; if a chat model wrote the text, the digest lists the values stated in papers) and
    folded (as `FoldedReply`: the chat model's reply, if it is not an answer).
    """
    status = (*result.stage_status, *answer.stage_status)
    record = _record(result, (*result.stages, *answer.stages), status)
    record["answer"] = {
        **select(answer, _ANSWER_BEFORE),
        "claims": [select(claim, _CLAIM) for claim in answer.claims],
        "sources": [
            {"n": n, **paper_record(paper), **select(paper, _IDENTIFIERS)}
            for n, paper in enumerate(answer.sources, start=1)
        ],
        "notes": list(answer.notes),
        "ledger": as_json(answer.ledger),
        "trace": json.loads(to_json(answer.trace)) if answer.trace else None,
        **select(answer, _ANSWER_AFTER),
        "digest": as_json(answer.digest),
        "folded": as_json(answer.folded),
    }
    if rewrite is not None:
        record["rewrite"] = as_json(rewrite)
    return record


def _record(result: SearchResult, stages: Iterable[Stage], status: Iterable[StageStatus]) -> JsonObject:
    stages = tuple(stages)
    seconds = {stage.name: stage.seconds for stage in stages if stage.seconds is not None}
    return {
        "query": result.request.query,
        "searched": result.words,
        "filters": _filters(result.request),
        "corpus": result.corpus.name,
        "stages": {stage.name: stage.ran for stage in stages},
        "stage_status": [as_json(entry) for entry in status],
        "seconds": {**seconds, "total": sum(seconds.values())},
        "hits": [_hit(rank, hit, result) for rank, hit in enumerate(result.hits, start=1)],
    }


def _filters(request: SearchRequest) -> JsonObject:
    """Write the filters of a search as they were applied, including those read from the question."""
    return {name: as_json(getattr(request, name)) for name in _FILTERS}


def _hit(rank: int, hit: Hit, result: SearchResult) -> JsonObject:
    flags = {"has_abstract": hit.paper.has_abstract, "outlier": hit.outlier, "known_as": hit.known_as, "live": hit.live}
    passages = [passage_record(result.question, passage) for passage in hit.full_text]
    return {
        "rank": rank,
        **paper_record(hit.paper),
        **flags,
        "score": _score(hit.score),
        "full_text": passages,
        "found_by_keywords": list(found_by_keywords(result, hit.paper)),
    }


def passage_record(question: str, passage: FullTextPassage) -> JsonObject:
    """Write a full-text passage: text, sentence (the one that has the most in common with the question), heading, kind,
    page, score and its place: section, first, last, start and end (as `FullTextPassage`).
    """
    return {"sentence": pinpointed_sentence(question, passage), **as_json(passage)}


def _score(score: Score) -> JsonObject:
    names = (*FACTORS.names(), *(name for name, _ in score.extra if feature_of(name)))
    return {**select(score, _MATCH), **{name: score.weight(name) for name in names}, "final": score.final}


def paper_record(paper: Paper) -> JsonObject:
    """Write a paper: paper_id, title, year, status ("withdrawn", "retracted" or null)."""
    return {"paper_id": paper.paper_id, "title": paper.title, "year": paper.known_year, "status": paper.status}


def features_record(cards: Iterable[FeatureCard]) -> JsonObject:
    """Write all features as a list under "features"."""
    return {"features": list(map(feature_record, cards))}


def feature_record(card: FeatureCard) -> JsonObject:
    """Write a feature: number, name (null without one), phrases, auc, n_papers, papers (each with its
    activation, the highest first) and place (x and y on the map, or null).
    """
    feature = card.feature
    return {
        "number": feature.number,
        "name": feature.name,
        "phrases": list(feature.phrases),
        "auc": feature.auc,
        "n_papers": feature.n_papers,
        "papers": [{**paper_record(paper), "activation": round(strength, 4)} for paper, strength in card.papers],
        "place": None if card.place is None else list(card.place),
    }
