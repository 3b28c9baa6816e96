"""Predictors that the local reranker uses to score each paper: those derived from its tokens, and those derived from
its neighbours, because papers that answer the same question tend to resemble each other (van Rijsbergen 1979).
"""

import numpy as np
from numpy.typing import NDArray

from pathfinder.models.ports import Vectors
from pathfinder.retrieval.reranking.local.late_interaction import by_tokens
from pathfinder.retrieval.reranking.local.pool import TokenPool
from pathfinder.retrieval.reranking.local.terms import Terms
from pathfinder.types import Floats

NEAREST = 8


def predictors_of(pool: TokenPool, terms: Terms, vectors: Vectors) -> dict[str, Floats]:
    """Return the predictors of the n papers in `pool`, each of shape (n,) and finite; `vectors` are those of whole
    papers.
    """
    tokens = by_tokens(pool, terms)
    return {**tokens, **neighbour_predictors(vectors, tokens["tokens^4"])}


def neighbour_predictors(vectors: NDArray[np.float32], matches: Floats) -> dict[str, Floats]:
    """Return the mean of `matches` over each paper's eight nearest neighbours, shape (n,); a paper without neighbours
    keeps its own value.

    `vectors` are unit vectors, shape (n, dimension).
    """
    n = len(vectors)
    if n == 1:
        return {"neighbours": matches}
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = np.argsort(-cosines, axis=1, kind="stable")[:, : min(NEAREST, n - 1)]
    return {"neighbours": np.asarray(matches[nearest].mean(axis=1))}
