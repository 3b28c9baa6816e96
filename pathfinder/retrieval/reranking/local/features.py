"""Features from which the local reranker scores each paper."""

import numpy as np

from pathfinder.models.ports import Vectors
from pathfinder.retrieval.reranking.local.late_interaction import by_tokens
from pathfinder.retrieval.reranking.local.neighbours import neighbour_features
from pathfinder.retrieval.reranking.local.pool import TokenPool
from pathfinder.retrieval.reranking.local.terms import Terms
from pathfinder.types import Floats


def features_of(pool: TokenPool, terms: Terms, vectors: Vectors, *, dense: Floats, sparse: Floats) -> dict[str, Floats]:
    """Return the features of the n papers of `pool`, each of shape (n,) and finite.

    `vectors` are those of whole papers; `dense` and `sparse` are as in `Candidates`. NaN, for a side that was not
    looked up, counts as 0.
    """
    tokens = by_tokens(pool, terms)
    return {
        **tokens,
        **neighbour_features(vectors, tokens["tokens^4"]),
        "dense": np.nan_to_num(dense),
        "words": np.nan_to_num(sparse),
        "length": np.log1p(pool.lengths),
    }
