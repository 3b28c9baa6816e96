"""How near a paper's tokens come to the question's: late interaction (Khattab & Zaharia 2020, arXiv:2004.12832).

For each of the question's tokens the best cosine among the paper's tokens, raised to a power (the higher, the
less a faint likeness counts for), weighted by rarity and added up.
"""

import numpy as np
from numpy.typing import NDArray

from pathfinder.retrieval.local_reranker.pool import TokenPool
from pathfinder.retrieval.local_reranker.terms import Terms
from pathfinder.types import Floats


def by_tokens(pool: TokenPool, terms: Terms) -> dict[str, Floats]:
    """Features of each paper, shape (n,): over the whole paper, and over its best two neighbouring sentences."""
    sentences = np.maximum(pool.by_sentence(pool.cosines), 0)
    papers = pool.largest(sentences)
    return {
        "tokens^2": _f(papers**2 @ terms.weights),
        "tokens^4": _f(papers**4 @ terms.weights),
        "two sentences^1": _f(pool.largest(pool.with_next(sentences) @ terms.weights)),
    }


def _f(values: NDArray[np.float32]) -> Floats:
    return values.astype(np.float64)
