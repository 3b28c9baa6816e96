"""The flow of a search, and nothing else.

request -> spelling or language -> exclusions, years, authors, other filters, region
        -> papers named by identifiers, or by a person's name -> keywords -> synonyms -> embed
        -> look up (sparse, query expansion, dense, passages, titles, full texts; filtered during the search)
        -> papers linked to the first hits by citations
        -> fuse -> papers by a person, or named by title -> earliest first, if asked -> rerank -> weigh -> top_k hits
"""

from dataclasses import fields, replace
from functools import partial

from pathfinder.corpus.store import Corpus
from pathfinder.index.ports import NO_HITS
from pathfinder.plugins import PluginProblem
from pathfinder.retrieval.authors.persons import authors_alone, find_person, with_person
from pathfinder.retrieval.candidates import (
    first_hits,
    first_vectors,
    gather,
    with_best_passages,
    with_found_passages,
)
from pathfinder.retrieval.citations.widening import widen
from pathfinder.retrieval.earliest import with_earliest
from pathfinder.retrieval.expansion.query_expansion import expand_vector
from pathfinder.retrieval.expansion.synonyms import expansions_of, with_other_names
from pathfinder.retrieval.factors import FACTORS, measure_factor
from pathfinder.retrieval.factors.factor import Pool
from pathfinder.retrieval.filters import filter_papers
from pathfinder.retrieval.known_items.in_questions import look_up_named
from pathfinder.retrieval.known_items.titles import with_titled
from pathfinder.retrieval.lookup.full_texts import add_full_texts, with_full_texts
from pathfinder.retrieval.lookup.indexes import (
    LookupResult,
    Rankings,
    describe_fusion,
    look_up_dense,
    look_up_sparse,
    unite,
)
from pathfinder.retrieval.lookup.passages import (
    fit_passages,
    look_up_passages,
    look_up_titles,
    shown_passages,
    with_passages,
)
from pathfinder.retrieval.lookup.question import Direction, embed_question, question_keywords
from pathfinder.retrieval.reranking.rerank import rerank
from pathfinder.retrieval.stages import Models, StageLog
from pathfinder.retrieval.weighting import report_weights, weigh, weighting_problems
from pathfinder.retrieval.wording.question_wording import read_question
from pathfinder.types import NO_RERANKER, Candidates, Floats, QueryExpansion, SearchRequest, SearchResult


def search(request: SearchRequest, corpus: Corpus, models: Models) -> SearchResult:
    """Find the papers that are relevant to a question, each with every factor of its score.

    The result holds the pool of up to 1,000 candidates, so that `weighting.reweigh` can reorder it.
    """
    log = StageLog()
    return rank(look_up(request, corpus, models, log), corpus, models, log)


def look_up(request: SearchRequest, corpus: Corpus, models: Models, log: StageLog) -> LookupResult:
    """Prepare the question and search every index that the request requires."""
    question = request.query
    reading = read_question(request, corpus, log)
    request = replace(request, query=reading.searched)
    asked = request
    request, predicate = filter_papers(replace(request, today=request.today or corpus.snapshot), corpus, log)
    request, named_rows = look_up_named(request, corpus.papers, predicate, log)
    person = None
    if not named_rows:
        person = find_person(request, corpus, predicate) or authors_alone(asked, request, corpus, predicate)
    hypothetical: tuple[str, ...] = ()
    with log.stage("keywords") as stage:
        keywords, stage.report = question_keywords(request, models.extractor, reading.searched, corpus.profile)
    expansions = expansions_of(request, corpus, log)
    named = with_other_names(request, expansions)
    with log.stage("embedder") as stage:
        vector, stage.report = embed_question(named, models.embedder, log)
    with log.stage("sparse") as stage:
        sparse, stage.report = look_up_sparse(named, predicate, corpus.sparse, expansions)
    if request.imagine is not QueryExpansion.OFF:
        with log.stage("imagine") as stage:
            nearest = partial(first_vectors, request, vector, sparse, predicate, corpus.dense)
            vector, hypothetical, stage.report = expand_vector(request, vector, nearest, models, log)
    with log.stage("dense") as stage:
        dense, stage.report = look_up_dense(vector, predicate, corpus.dense)
    passages = titles = NO_HITS
    if request.passages:
        with log.stage("passages") as stage:
            passages, stage.report = look_up_passages(vector, predicate, corpus)
    if request.titles:
        with log.stage("titles") as stage:
            titles, stage.report = look_up_titles(vector, predicate, corpus)
    rankings = Rankings(dense, sparse, vector, predicate, passages, titles, named_rows=named_rows, person=person)
    rankings = add_full_texts(request, rankings, corpus, log)
    if request.cited_by_hits or request.citing_hits:
        with log.stage("network") as stage:
            best = partial(first_hits, request, rankings, corpus.dense)
            linked_papers, stage.report = widen(request, rankings, corpus, best)
        rankings = replace(rankings, linked_papers=linked_papers)
    return LookupResult(
        request, keywords, rankings, expansions, hypothetical, question if question != request.query else None, reading
    )


def rank(lookup: LookupResult, corpus: Corpus, models: Models, log: StageLog) -> SearchResult:
    """Fuse, rerank and weight the retrieved papers."""
    request, rankings = lookup.request, lookup.rankings
    with log.stage("fusion") as stage:
        hits = unite(rankings, corpus.dense)
        if request.passages:
            hits = with_passages(hits, rankings.vector, corpus)
        hits = with_full_texts(hits, request, rankings.full_texts, corpus)
        candidates = gather(request, hits, lookup.keywords, corpus, lookup.expansions, rankings.named_rows)
        candidates = with_found_passages(candidates, rankings.full_texts, corpus)
        candidates = with_signals(candidates, request.query, rankings.vector, corpus, log)
        stage.ran = describe_fusion(hits, request)
    asked = lookup.reading.text if lookup.reading is not None else request.query
    candidates = with_person(rankings.person, candidates, log, corpus.profile)
    candidates = with_titled(asked, candidates, corpus.papers, log)
    candidates = with_earliest(request, asked, candidates, log)
    if request.reranker != NO_RERANKER:
        named = with_other_names(request, lookup.expansions)
        with log.stage("rerank") as stage:
            candidates, stage.report = rerank(named, candidates, corpus, models, log)
    return order(lookup, candidates, corpus, log)


def order(lookup: LookupResult, candidates: Candidates, corpus: Corpus, log: StageLog) -> SearchResult:
    """Weight the candidates and build the result."""
    request, reading = lookup.request, lookup.reading
    with log.stage("weighting") as stage:
        for problem in weighting_problems(candidates, request.weighting):
            log.note(problem)
        first = weigh(candidates, request.weighting, request.top_k)
        candidates = with_best_passages(candidates, [hit.row for hit in first], lookup, corpus)
        hits = weigh(candidates, request.weighting, request.top_k)
        stage.report = report_weights(request.weighting, candidates)
    searched = lookup.rankings.predicate.mask(len(corpus.papers), corpus.papers)
    return SearchResult(
        request if lookup.question is None else replace(request, query=lookup.question),
        corpus.name,
        candidates,
        hits,
        lookup.keywords,
        log.stages,
        log.notes,
        hypothetical=lookup.hypothetical,
        expansions=lookup.expansions,
        stage_status=log.stage_status,
        search_words=None if lookup.question is None else request.query,
        filter_notes=log.filter_notes,
        read_as=reading.searched if reading is not None and reading.is_changed else None,
        unread_language=reading.unread_language if reading is not None else None,
        n_searched=None if searched is None else int(searched.sum()),
    )


def with_signals(candidates: Candidates, query: str, vector: Direction, corpus: Corpus, log: StageLog) -> Candidates:
    """Return the candidates with every factor that can be measured for this question and corpus.

    A plug-in's factor that fails is left out, and noted in `log`.
    """
    fit = None
    if vector is not None and corpus.passages is not None:
        fit = fit_passages(candidates.rows, vector, corpus.passages)
        candidates = replace(candidates, passages=shown_passages(fit, corpus.passages))
    values = _measure(Pool(candidates, query, vector, corpus, fit), log)
    own = {entry.name for entry in fields(candidates)} & values.keys()
    extra = {name: numbers for name, numbers in values.items() if name not in own and numbers is not None}
    return replace(candidates, extra=extra, **{name: values[name] for name in own})  # type: ignore[arg-type]


def _measure(pool: Pool, log: StageLog) -> dict[str, Floats | None]:
    results = {factor.name: measure_factor(factor, pool) for factor in FACTORS.all() if factor.measure is not None}
    values: dict[str, Floats | None] = {}
    for name, result in results.items():
        if isinstance(result, PluginProblem):
            log.note(str(result))
        else:
            values[name] = result
    return values
