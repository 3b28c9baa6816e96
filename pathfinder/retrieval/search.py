"""How a question walks: the flow, and only the flow.

request -> years -> region -> keywords -> other names -> embed
        -> look up (sparse, imagine, dense, passages, titles; filtered during the search)
        -> fuse -> rerank -> weigh -> top_k hits
"""

from dataclasses import replace
from functools import partial

from pathfinder.corpus.store import Corpus
from pathfinder.index.ports import NO_HITS, Ranking
from pathfinder.retrieval.candidates import first_vectors, gather
from pathfinder.retrieval.filters import allowed_by_region, allowed_by_year, read_years
from pathfinder.retrieval.lookup import LookedUp, fusion_in_words, look_up_dense, look_up_sparse, unite
from pathfinder.retrieval.models import Models
from pathfinder.retrieval.passages import look_up_passages, with_passages
from pathfinder.retrieval.question import embed_question, question_keywords
from pathfinder.retrieval.reranking import rerank
from pathfinder.retrieval.signals import with_signals
from pathfinder.retrieval.stages import StageLog
from pathfinder.retrieval.titles import look_up_titles
from pathfinder.retrieval.weighting import in_words, weigh
from pathfinder.retrieval.widening.expansion import expansions_of
from pathfinder.retrieval.widening.imagine import imagine
from pathfinder.types import NO_RERANKER, Imagine, SearchRequest, SearchResult


def search(request: SearchRequest, corpus: Corpus, models: Models) -> SearchResult:
    """Find the papers that bear on a question, each with every factor of its score.

    The result holds the pool of up to 1,000 candidates, so that `weighting.reweigh` can order it anew.
    """
    log = StageLog()
    return rank(look_up(request, corpus, models, log), corpus, models, log)


def look_up(request: SearchRequest, corpus: Corpus, models: Models, log: StageLog) -> LookedUp:
    """What the question is looked up by, and what each index finds."""
    request = replace(request, today=request.today or corpus.snapshot)
    hypothetical: tuple[str, ...] = ()
    with log.stage("years") as stage:
        request = read_years(request, corpus.papers, log)
        allowed, stage.ran = allowed_by_year(request, corpus.papers, log)
    allowed = allowed_by_region(request, allowed, corpus, log)
    with log.stage("keywords") as stage:
        keywords, stage.ran = question_keywords(request, models.extractor)
    expansions = expansions_of(request, corpus.thesaurus, log)
    with log.stage("embedder") as stage:
        vector, stage.ran = embed_question(request, models.embedder, log)
    with log.stage("sparse") as stage:
        sparse, stage.ran = look_up_sparse(request, allowed, corpus.sparse, expansions)
    if request.imagine is not Imagine.OFF:
        with log.stage("imagine") as stage:
            first_hits = partial(first_vectors, request, vector, sparse, allowed, corpus.dense)
            vector, hypothetical, stage.ran = imagine(request, vector, first_hits, models, log)
    with log.stage("dense") as stage:
        dense, stage.ran = look_up_dense(vector, allowed, corpus.dense)
    passages = titles = NO_HITS
    if request.passages:
        with log.stage("passages") as stage:
            passages, stage.ran = look_up_passages(vector, allowed, corpus)
    if request.titles:
        with log.stage("titles") as stage:
            titles, stage.ran = look_up_titles(vector, allowed, corpus)
    return LookedUp(
        request, keywords, expansions, hypothetical, vector, allowed, dense, sparse, passages=passages, titles=titles
    )


def rank(looked_up: LookedUp, corpus: Corpus, models: Models, log: StageLog, lifted: Ranking = NO_HITS) -> SearchResult:
    """What was looked up, as ranked hits; `lifted` are papers that other questions found (see `lookup.unite`)."""
    request, keywords, expansions = looked_up.request, looked_up.keywords, looked_up.expansions
    with log.stage("fusion") as stage:
        sides = looked_up.dense, looked_up.sparse
        found = unite(*sides, looked_up.vector, looked_up.allowed, corpus.dense, lifted, looked_up.others)
        if request.passages:
            found = with_passages(found, looked_up.vector, corpus)
        candidates = gather(request, found, keywords, corpus, expansions)
        candidates = with_signals(candidates, request.query, looked_up.vector, corpus)
        stage.ran = fusion_in_words(found, request)
    if request.reranker != NO_RERANKER:
        with log.stage("rerank") as stage:
            candidates, stage.ran = rerank(request, candidates, corpus, models, log)
    with log.stage("weighting") as stage:
        hits = weigh(candidates, request.weighting, request.top_k)
        stage.ran = in_words(request.weighting, candidates)
    return SearchResult(
        request,
        corpus.name,
        candidates,
        hits,
        keywords,
        log.stages,
        log.notes,
        hypothetical=looked_up.hypothetical,
        expansions=expansions,
    )
