"""Which of the question's tokens a paper has as they stand: in its whole, in one sentence, in its title."""

import numpy as np
from numpy.typing import NDArray

from pathfinder.retrieval.local_reranker.pool import TokenPool
from pathfinder.retrieval.local_reranker.terms import Terms
from pathfinder.types import Floats


def by_matches(pool: TokenPool, terms: Terms) -> dict[str, Floats]:
    """Features of each paper, shape (n,): shares of the question, by rarity, that it has."""
    same = pool.ids[:, np.newaxis] == terms.ids
    sentences = pool.by_sentence(same.astype(np.float32))
    two = pool.with_next(sentences)
    return {
        "has": _share(pool.largest(sentences), terms),
        "two sentences have": _f(pool.largest(two @ terms.weights)),
        "title has": pool.of_titles(sentences @ terms.weights),
        "has pairs": _pairs(same, pool, terms),
    }


def _share(found: NDArray[np.float32], terms: Terms) -> Floats:
    return _f(found @ terms.weights)


def _pairs(same: NDArray[np.bool_], pool: TokenPool, terms: Terms) -> Floats:
    """Neighbours in the question that are neighbours in the paper, by the lighter one's weight."""
    neighbours = np.zeros((len(pool.ids), max(len(terms.ids) - 1, 0)), dtype=np.float32)
    neighbours[:-1] = same[:-1, :-1] & same[1:, 1:]
    lighter = np.minimum(terms.weights[:-1], terms.weights[1:])
    return _f(pool.largest(pool.by_sentence(neighbours)) @ lighter)


def _f(values: NDArray[np.float32]) -> Floats:
    return values.astype(np.float64)
