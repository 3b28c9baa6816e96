"""Search for papers similar to other papers or to a text (and, if requested, unlike certain papers), or near a place on
the map.

It searches by meaning (`retrieval/likeness.py` computes the direction) and, if there are no papers from which the hits
should differ, also by the words of the papers and the text: words cannot be subtracted. The examples are left out of
the hits.
"""

from dataclasses import replace

import numpy as np

from pathfinder.corpus.coordinates import Coordinates
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.index.ports import NO_HITS, Ranking
from pathfinder.index.predicate import Predicate
from pathfinder.retrieval.candidates import gather
from pathfinder.retrieval.filters import filter_papers
from pathfinder.retrieval.likeness import (
    ResolvedExamples,
    direction_of,
    keywords_of,
    resolve_examples,
    texts_of,
    without_examples,
)
from pathfinder.retrieval.lookup.indexes import (
    LookupResult,
    MergedHits,
    Rankings,
    describe_fusion,
    look_up_dense,
    look_up_sparse,
    unite,
)
from pathfinder.retrieval.lookup.question import Direction
from pathfinder.retrieval.search import order
from pathfinder.retrieval.stages import Models, StageLog, StageReport, skipped_stage
from pathfinder.types import POOL_SIZE, Candidates, Keyword, Likeness, RetrievalMode, SearchRequest, SearchResult
from pathfinder.types.settings import settings_of

NEIGHBOURHOOD = 500
"""Number of papers in the neighbourhood of a place on the map: a search for papers that are similar to others and near
that place is limited to these papers.
"""


def similar(
    request: SearchRequest, corpus: Corpus, models: Models, coordinates: Coordinates | None = None
) -> SearchResult:
    """Find the papers that are similar to the examples in `request.likeness`, each with every factor of its score.

    `coordinates` are needed for a place. Raises `UsageError` for a paper that is not in the corpus, and for a request
    to search by words alone if its examples need a search by meaning.
    """
    if request.likeness is None:
        raise UsageError("no examples were given: set likeness")
    log = StageLog()
    settings = (setting for setting in settings_of(SearchRequest) if setting.needs_question)
    if unused_names := [setting.name for setting in settings if getattr(request, setting.name) != setting.default]:
        log.note(f"not used in a search for similar papers: {', '.join(unused_names)}")
    examples = resolve_examples(request.likeness, corpus.papers)
    if request.sides is RetrievalMode.SPARSE and (len(examples.less) or not texts_of(examples, None)):
        raise UsageError(
            "a search by words alone cannot use a place on the map or papers from which the hits should differ: "
            "search by meaning too"
        )
    request, predicate = filter_papers(replace(request, today=request.today or corpus.snapshot), corpus, log)
    with log.stage("keywords") as stage:
        keywords, stage.report = keywords_of(request, examples, corpus, models)
    with log.stage("likeness") as stage:
        vector, stage.report = direction_of(request, examples, corpus, models.embedder, log)
    predicate = without_examples(examples, vector, predicate, corpus, log)
    near, predicate = _near(examples.likeness, vector, predicate, corpus.papers, coordinates, log)
    with log.stage("dense") as stage:
        dense, stage.report = (
            look_up_dense(vector, predicate, corpus.dense) if vector is not None else (NO_HITS, _NOT_USED)
        )
    with log.stage("sparse") as stage:
        sparse, stage.report = _by_words(request, examples, predicate, corpus)
    lookup = LookupResult(request, keywords, Rankings(dense, sparse, vector, predicate))
    with log.stage("fusion") as stage:
        if near is None:
            hits = unite(lookup.rankings, corpus.dense)
            candidates, stage.ran = gather(request, hits, keywords, corpus), describe_fusion(hits, request)
        else:
            candidates, stage.ran = (
                _by_place(request, near, keywords, corpus),
                "not needed: papers are ranked by place alone",
            )
    return order(lookup, candidates, corpus, log)


_NOT_USED = skipped_stage("no paper or text was given for the hits to resemble")


def _near(
    likeness: Likeness,
    vector: Direction,
    predicate: Predicate,
    papers: PaperTable,
    coordinates: Coordinates | None,
    log: StageLog,
) -> tuple[Ranking | None, Predicate]:
    """Rank papers by distance if only a place is given; if there are also other examples, restrict the search to the
    neighbourhood of the place.
    """
    if likeness.place is None:
        return None, predicate
    if coordinates is None:
        raise UsageError("this corpus is too small for a map: name a paper or paste a text instead of a place")
    with log.stage("place") as stage:
        distances = np.hypot(*(coordinates.astype(np.float64) - np.array(likeness.place)).T)
        mask = predicate.mask(len(papers), papers)
        rows = np.arange(len(distances)) if mask is None else np.flatnonzero(mask)
        nearest = rows[np.lexsort((rows, distances[rows]))[: POOL_SIZE if vector is None else NEIGHBOURHOOD]]
        stage.ran = f"the {len(nearest):,} papers nearest on the map"
    if vector is None:
        return Ranking(nearest, distances[nearest]), predicate
    return None, predicate.within(papers.take(nearest).paper_ids())


def _by_words(
    request: SearchRequest, examples: ResolvedExamples, predicate: Predicate, corpus: Corpus
) -> tuple[Ranking, StageReport]:
    if len(examples.less):
        return NO_HITS, skipped_stage("words cannot be subtracted")
    texts = texts_of(examples, corpus.papers)
    if not texts:
        return NO_HITS, skipped_stage("no words were given")
    return look_up_sparse(replace(request, query="\n".join(texts)), predicate, corpus.sparse)


def _by_place(request: SearchRequest, near: Ranking, keywords: tuple[Keyword, ...], corpus: Corpus) -> Candidates:
    """Rank the papers by closeness on the map, which replaces the match: the nearest scores 1."""
    rows = np.sort(near.rows)
    distances = near.scores[np.argsort(near.rows)]
    unknown = np.full(len(rows), np.nan)
    farthest = distances.max(initial=0.0) * (1 + 1 / POOL_SIZE) or 1.0
    # Fused as if only the sparse search had run; `sparse` is then unset, because no words were looked up.
    hits = MergedHits(rows, corpus.dense.vectors(rows), unknown, 1 - distances / farthest, 0.0, np.zeros(len(rows)))
    return replace(gather(request, hits, keywords, corpus), sparse=unknown)
