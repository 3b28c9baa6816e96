"""The look-up: the nearest papers in meaning, and the best by words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.dense import DenseIndex
from pathfinder.index.ports import NO_HITS, Allowed, Ranking
from pathfinder.index.sparse import EXPANSION_WEIGHT, SparseIndex
from pathfinder.index.words import words
from pathfinder.models.ports import Vectors
from pathfinder.retrieval.question import Direction
from pathfinder.types import POOL_SIZE, Expansion, Floats, Keyword, Rows, SearchRequest, Sides


@dataclass(frozen=True, slots=True, eq=False)
class LookedUp:
    """What was looked up for a question, and what both indexes found: all that ranking it needs."""

    request: SearchRequest
    keywords: tuple[Keyword, ...]
    expansions: tuple[Expansion, ...]
    hypothetical: tuple[str, ...]
    """What a chat model imagined."""
    vector: Direction
    allowed: Allowed
    dense: Ranking
    sparse: Ranking
    passages: Ranking = NO_HITS
    """The papers of the best passages, where passages were asked for."""
    titles: Ranking = NO_HITS
    """The papers of the best titles, where titles were asked for."""

    @property
    def others(self) -> Rows:
        """Papers that only a part of them may have brought: rows, in no order."""
        return np.concatenate([self.passages.rows, self.titles.rows])


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The union of what both sides found, shape (n,), in the order of the corpus."""

    rows: Rows
    vectors: Vectors
    dense: Floats
    """Cosine of every row, [-1, 1]; NaN when meaning was not looked up."""
    sparse: Floats
    """BM25; NaN where the sparse side did not find the paper."""
    lowest_cosine: float
    """Over all papers that were allowed."""
    lift: Floats
    """Below this no fused score falls, (0, 1]; 0 for a paper that no other question found."""


def look_up_dense(vector: Direction, allowed: Allowed, index: DenseIndex) -> tuple[Ranking, str]:
    """The 1,000 papers nearest to the question."""
    if vector is None:
        return NO_HITS, "not used: words only"
    return index.search(vector, POOL_SIZE, allowed), "exact cosine, FAISS"


def look_up_sparse(
    request: SearchRequest, allowed: Allowed, index: SparseIndex, expansions: Sequence[Expansion] = ()
) -> tuple[Ranking, str]:
    """The 1,000 papers whose words match best; none when words cannot tell, and the reason."""
    if request.sides is Sides.DENSE:
        return NO_HITS, "not used: meaning only"
    content_words = index.content_words(request.query)
    if not content_words:
        only = "only stop words" if words(request.query) else "no words, only signs"
        return NO_HITS, f"not used: the question has {only}"
    if (language := index.foreign_language(request.query)) is not None:
        return NO_HITS, f"not used: the question is in {language}, the corpus in {index.language}"
    found = index.search(request.query, POOL_SIZE, allowed, expansions)
    if not len(found.rows):
        return NO_HITS, "found nothing: no paper holds a word of the question"
    return found, f"BM25, other names at {EXPANSION_WEIGHT:g}" if expansions else "BM25"


def unite(
    dense: Ranking,
    sparse: Ranking,
    vector: Direction,
    allowed: Allowed,
    index: DenseIndex,
    lifted: Ranking = NO_HITS,
    others: Rows = NO_HITS.rows,
) -> Found:
    """Both lists as one, with the cosine of the papers that only their words found, and of the `others`.

    `lifted` are papers that other questions found, each once, with the fused score that they keep at least.
    """
    rows = np.unique(np.concatenate([dense.rows, sparse.rows, lifted.rows, others])).astype(np.int64)
    vectors = index.vectors(rows)
    bm25 = _placed(sparse, rows, np.nan)
    lift = _placed(lifted, rows, 0.0)
    if vector is None:
        return Found(rows, vectors, np.full(len(rows), np.nan), bm25, 0.0, lift)
    return Found(rows, vectors, _cosines(vectors, vector), bm25, index.lowest(vector, allowed), lift)


def _placed(ranking: Ranking, rows: Rows, otherwise: float) -> Floats:
    """The score of each of `rows`, which are ascending and hold the ranking's; `otherwise` where it has none."""
    scores = np.full(len(rows), otherwise)
    scores[np.searchsorted(rows, ranking.rows)] = ranking.scores
    return scores


def fusion_in_words(found: Found, request: SearchRequest) -> str:
    """How the sides were put together; where only one found anything there was nothing to put together."""
    if not len(found.rows):
        return "nothing was found"
    if np.isnan(found.dense).all():
        return "not needed: words alone"
    return "not needed: meaning alone" if np.isnan(found.sparse).all() else request.fusion.value


def _cosines(vectors: Vectors, vector: NDArray[np.float32]) -> Floats:
    # Not `@`: on so few rows a second thread costs more than it saves, much more on a busy machine.
    cosines: Floats = np.einsum("ij,j->i", vectors, vector, dtype=np.float64)
    return cosines
