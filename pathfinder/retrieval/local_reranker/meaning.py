"""How near a paper's tokens come to the question's: late interaction (Khattab & Zaharia 2020, arXiv:2004.12832).

For each of the question's tokens the best cosine among the paper's tokens, raised to a power (the higher, the
less a faint likeness counts for), weighted by rarity and added up: over the paper, its best sentence, two
neighbouring sentences, its title.
"""

import numpy as np
from numpy.typing import NDArray

from pathfinder.retrieval.local_reranker.pool import TokenPool
from pathfinder.retrieval.local_reranker.terms import Terms
from pathfinder.types import Floats

POWERS = (1, 2, 4, 8)


def by_tokens(pool: TokenPool, terms: Terms) -> dict[str, Floats]:
    """Features of each paper, shape (n,), from the cosines of single tokens."""
    sentences = np.maximum(pool.by_sentence(pool.cosines), 0)
    papers = pool.largest(sentences)
    features: dict[str, Floats] = {f"tokens^{p}": _f(papers**p @ terms.weights) for p in POWERS}
    for power in (1, 4):
        raised = sentences**power
        matched = raised @ terms.weights
        features[f"sentence^{power}"] = _f(pool.largest(matched))
        features[f"two sentences^{power}"] = _f(pool.largest(pool.with_next(raised) @ terms.weights))
        features[f"title^{power}"] = pool.of_titles(matched)
        features[f"sentences^{power}"] = pool.mean(matched)
    features["weakest third"] = _weakest_third(papers)
    return features


def _weakest_third(papers: NDArray[np.float32]) -> Floats:
    """The mean of the third of the question's tokens that the paper matches least."""
    n = max(1, papers.shape[1] // 3)
    return _f(np.partition(papers, n - 1, axis=1)[:, :n].mean(axis=1))


def _f(values: NDArray[np.float32]) -> Floats:
    return values.astype(np.float64)
