"""The pool: the best 1,000 of what was found, with everything that can move a paper."""

import datetime

import numpy as np

from pathfinder.corpus.store import Corpus
from pathfinder.index.dense import DenseIndex
from pathfinder.index.ports import Allowed, Ranking
from pathfinder.models.ports import Vectors
from pathfinder.retrieval.fusion import fuse
from pathfinder.retrieval.lookup import Found, look_up_dense, unite
from pathfinder.retrieval.question import Direction
from pathfinder.retrieval.weighting import DAYS_PER_YEAR
from pathfinder.retrieval.widening.feedback import N_HITS
from pathfinder.types import POOL_SIZE, Candidates, Expansion, Floats, Keyword, Rows, SearchRequest

EPOCH = datetime.date(1970, 1, 1)


def gather(
    request: SearchRequest,
    found: Found,
    keywords: tuple[Keyword, ...],
    corpus: Corpus,
    expansions: tuple[Expansion, ...] = (),
) -> Candidates:
    """Fuse what was found and keep the best 1,000, each with its factors, best first."""
    fused = np.maximum(fuse(found.dense, found.sparse, found.lowest_cosine, request.fusion), found.lift)
    best = np.lexsort((found.rows, -fused))[:POOL_SIZE]
    rows = found.rows[best]
    return Candidates(
        papers=corpus.papers.take(rows),
        rows=rows,
        vectors=found.vectors[best],
        dense=np.clip(found.dense[best], 0.0, 1.0),
        sparse=_zero_for_a_miss(found.sparse)[best],
        fused=fused[best],
        keyword=corpus.terms.weights(keywords, rows, expansions),
        age_years=_ages(corpus, rows, request.today),
        citation_count=corpus.papers.citation_counts()[rows],
        citation_percentile=corpus.papers.citation_percentiles()[rows],
    )


def first_vectors(
    request: SearchRequest, vector: Direction, sparse: Ranking, allowed: Allowed, index: DenseIndex
) -> Vectors:
    """The vectors of the question's first hits, before anything is weighed: shape (at most 5, dimension)."""
    dense, _ = look_up_dense(vector, allowed, index)
    found = unite(dense, sparse, vector, allowed, index)
    fused = fuse(found.dense, found.sparse, found.lowest_cosine, request.fusion)
    return found.vectors[np.lexsort((found.rows, -fused))[:N_HITS]]


def _zero_for_a_miss(sparse: Floats) -> Floats:
    """A paper without the words has 0; when no word was looked up at all, NaN stays."""
    return sparse if np.isnan(sparse).all() else np.nan_to_num(sparse)


def _ages(corpus: Corpus, rows: Rows, today: datetime.date | None) -> Floats:
    """Years of 365.25 days from publication to `today`; a paper of tomorrow is new, not of negative age."""
    if today is None:
        return np.full(len(rows), np.nan)
    days = (today - EPOCH).days - corpus.papers.published_days()[rows]
    return np.clip(days / DAYS_PER_YEAR, 0.0, None)
