"""Similar papers: to papers, to a text, to several with others to be unlike, and to a place on the map.

By meaning (`retrieval/likeness.py` has the direction) and by the words of the papers and the text, unless some
papers are to be unlike: words cannot be taken away. What was given is left out of what is found.
"""

from dataclasses import replace

import numpy as np

from pathfinder.corpus.coordinates import Coordinates
from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.index.ports import NO_HITS, Allowed, Ranking
from pathfinder.retrieval.candidates import gather
from pathfinder.retrieval.filters import allowed_by_region, allowed_by_year
from pathfinder.retrieval.likeness import Given, direction_of, find_given, keywords_of, texts_of, without_given
from pathfinder.retrieval.lookup import Found, fusion_in_words, look_up_dense, look_up_sparse, unite
from pathfinder.retrieval.models import Models
from pathfinder.retrieval.question import Direction
from pathfinder.retrieval.stages import StageLog
from pathfinder.retrieval.weighting import in_words, weigh
from pathfinder.types import (
    POOL_SIZE,
    Candidates,
    Keyword,
    Likeness,
    SearchRequest,
    SearchResult,
    Sides,
)

NEIGHBOURHOOD = 500
"""Papers nearest to a place, among which those that are like something are looked for."""

UNUSED = ("imagine", "expands", "own_expansions", "decomposes", "depth", "passages", "titles", "reranker")
"""Settings of a search by a question that mean nothing here; one that is set is said to be unused."""

_PLAIN = SearchRequest("plain")


def similar(
    request: SearchRequest, corpus: Corpus, models: Models, coordinates: Coordinates | None = None
) -> SearchResult:
    """The papers that are like what `request.likeness` names, each with every factor of its score.

    `coordinates` are needed for a place. Raises `UsageError` for a paper that is not in the corpus, and
    for what cannot be found by words when words alone are asked for.
    """
    if request.likeness is None:
        raise UsageError("nothing is named to be like: set likeness")
    log = StageLog()
    if unused := [name for name in UNUSED if getattr(request, name) != getattr(_PLAIN, name)]:
        log.note(f"not used where papers like others are sought: {', '.join(unused)}")
    given = find_given(request.likeness, corpus.papers)
    _check_sides(request, given)
    request = replace(request, today=request.today or corpus.snapshot)
    with log.stage("keywords") as stage:
        keywords, stage.ran = keywords_of(request, given, corpus, models)
    with log.stage("years") as stage:
        allowed, stage.ran = allowed_by_year(request, corpus.papers, log)
    allowed = allowed_by_region(request, allowed, corpus, log)
    with log.stage("likeness") as stage:
        vector, stage.ran = direction_of(request, given, corpus, models.embedder, log)
    allowed = without_given(given, vector, allowed, corpus, log)
    near, allowed = _near(given.likeness, vector, allowed, coordinates, log)
    with log.stage("dense") as stage:
        dense, stage.ran = look_up_dense(vector, allowed, corpus.dense) if vector is not None else (NO_HITS, _UNUSED)
    with log.stage("sparse") as stage:
        sparse, stage.ran = _by_words(request, given, allowed, corpus)
    with log.stage("fusion") as stage:
        if near is None:
            found = unite(dense, sparse, vector, allowed, corpus.dense)
            candidates, stage.ran = gather(request, found, keywords, corpus), fusion_in_words(found, request)
        else:
            candidates, stage.ran = _by_place(request, near, keywords, corpus), "not needed: the place alone"
    with log.stage("weighting") as stage:
        hits = weigh(candidates, request.weighting, request.top_k)
        stage.ran = in_words(request.weighting, candidates)
    return SearchResult(request, corpus.name, candidates, hits, keywords, log.stages, log.notes)


_UNUSED = "not used: nothing was given to be like in meaning"


def _check_sides(request: SearchRequest, given: Given) -> None:
    if request.sides is Sides.SPARSE and (len(given.less) or not texts_of(given, None)):
        raise UsageError("words alone cannot say what is less alike, or near on the map: look up meaning too")


def _near(
    likeness: Likeness, vector: Direction, allowed: Allowed, coordinates: Coordinates | None, log: StageLog
) -> tuple[Ranking | None, Allowed]:
    """For a place alone, the papers by nearness; with something to be like, only its neighbourhood is allowed."""
    if likeness.place is None:
        return None, allowed
    if coordinates is None:
        raise UsageError("this corpus is too small for a map: name a paper or paste a text instead of a place")
    with log.stage("place") as stage:
        distances = np.hypot(*(coordinates.astype(np.float64) - np.array(likeness.place)).T)
        rows = np.arange(len(distances)) if allowed is None else np.flatnonzero(allowed)
        nearest = rows[np.lexsort((rows, distances[rows]))[: POOL_SIZE if vector is None else NEIGHBOURHOOD]]
        stage.ran = f"the {len(nearest):,} papers nearest on the map"
    if vector is None:
        return Ranking(nearest, distances[nearest]), allowed
    inside = np.zeros(len(distances), dtype=np.bool_)
    inside[nearest] = True
    return None, inside


def _by_words(request: SearchRequest, given: Given, allowed: Allowed, corpus: Corpus) -> tuple[Ranking, str]:
    if len(given.less):
        return NO_HITS, "not used: words cannot be taken away"
    texts = texts_of(given, corpus.papers)
    if not texts:
        return NO_HITS, "not used: no words were given"
    return look_up_sparse(replace(request, query="\n".join(texts)), allowed, corpus.sparse)


def _by_place(request: SearchRequest, near: Ranking, keywords: tuple[Keyword, ...], corpus: Corpus) -> Candidates:
    """The papers by nearness on the map, which takes the place of the match: the nearest has 1."""
    rows = np.sort(near.rows)
    distances = near.scores[np.argsort(near.rows)]
    unknown = np.full(len(rows), np.nan)
    farthest = distances.max(initial=0.0) * (1 + 1 / POOL_SIZE) or 1.0
    # Fused as if by one side, which is then forgotten: no words were looked up.
    found = Found(rows, corpus.dense.vectors(rows), unknown, 1 - distances / farthest, 0.0, np.zeros(len(rows)))
    return replace(gather(request, found, keywords, corpus), sparse=unknown)
