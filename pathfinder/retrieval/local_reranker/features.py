"""Everything that the local reranker knows of a paper, one number a feature."""

import numpy as np

from pathfinder.models.ports import Vectors
from pathfinder.retrieval.local_reranker.company import by_company
from pathfinder.retrieval.local_reranker.meaning import by_tokens
from pathfinder.retrieval.local_reranker.pool import TokenPool
from pathfinder.retrieval.local_reranker.terms import Terms
from pathfinder.types import Floats


def features_of(pool: TokenPool, terms: Terms, vectors: Vectors, *, dense: Floats, sparse: Floats) -> dict[str, Floats]:
    """The features of the n papers of `pool`, each of shape (n,), finite.

    `vectors` are those of whole papers; `dense` and `sparse` are as in `Candidates`, where NaN, a side that
    was not looked up, counts as 0.
    """
    tokens = by_tokens(pool, terms)
    return {
        **tokens,
        **by_company(vectors, tokens["tokens^4"]),
        "dense": np.nan_to_num(dense),
        "words": np.nan_to_num(sparse),
        "length": np.log1p(pool.lengths),
    }
