"""How a question walks: the flow, and only the flow.

request -> embed -> look up (dense and sparse, filtered during the search) -> fuse -> weigh -> top_k hits
"""

from dataclasses import replace

from pathfinder.corpus.store import Corpus
from pathfinder.retrieval.candidates import gather
from pathfinder.retrieval.filters import allowed_by_year, with_years_named
from pathfinder.retrieval.lookup import fusion_in_words, look_up_dense, look_up_sparse, unite
from pathfinder.retrieval.models import Models
from pathfinder.retrieval.question import embed_question, question_keywords
from pathfinder.retrieval.stages import StageLog
from pathfinder.retrieval.weighting import in_words, weigh
from pathfinder.types import SearchRequest, SearchResult


def search(request: SearchRequest, corpus: Corpus, models: Models) -> SearchResult:
    """Find the papers that bear on a question, each with every factor of its score.

    The result holds the pool of up to 1,000 candidates, so that `weighting.reweigh` can order it anew.
    """
    request = replace(request, today=request.today or corpus.snapshot)
    log = StageLog()
    with log.stage("years") as stage:
        request, read = with_years_named(request, request.today)
        allowed, stage.ran = allowed_by_year(request, corpus.papers, log)
    if read is not None:
        log.note(read)
    with log.stage("keywords") as stage:
        keywords, stage.ran = question_keywords(request, models.extractor)
    with log.stage("embedder") as stage:
        vector, stage.ran = embed_question(request, models.embedder, log)
    with log.stage("dense") as stage:
        dense, stage.ran = look_up_dense(vector, allowed, corpus.dense)
    with log.stage("sparse") as stage:
        sparse, stage.ran = look_up_sparse(request, allowed, corpus.sparse)
    with log.stage("fusion") as stage:
        found = unite(dense, sparse, vector, allowed, corpus.dense)
        candidates, stage.ran = gather(request, found, keywords, corpus), fusion_in_words(found, request)
    with log.stage("weighting") as stage:
        hits, stage.ran = weigh(candidates, request.weighting, request.top_k), in_words(request.weighting)
    return SearchResult(request, corpus.name, candidates, hits, keywords, log.stages, log.notes)
