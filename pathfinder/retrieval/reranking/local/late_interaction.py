"""Late interaction between the tokens of question and paper (Khattab & Zaharia 2020, arXiv:2004.12832).

For each token of the question, the highest cosine among the paper's tokens is raised to a power, weighted by rarity and
added up. The higher the power, the less a weak similarity counts.
"""

import numpy as np
from numpy.typing import NDArray

from pathfinder.retrieval.reranking.local.pool import TokenPool
from pathfinder.retrieval.reranking.local.terms import Terms
from pathfinder.types import Floats


def by_tokens(pool: TokenPool, terms: Terms) -> dict[str, Floats]:
    """Return features of each paper, shape (n,): over the whole paper, and over its best two adjacent sentences."""
    sentences = np.maximum(pool.by_sentence(pool.cosines), 0)
    papers = pool.largest(sentences)
    return {
        "tokens^2": _f(papers**2 @ terms.weights),
        "tokens^4": _f(papers**4 @ terms.weights),
        "two sentences^1": _f(pool.largest(pool.with_next(sentences) @ terms.weights)),
    }


def _f(values: NDArray[np.float32]) -> Floats:
    return values.astype(np.float64)
