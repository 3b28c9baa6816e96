"""Features that the local reranker uses to score each paper."""

from pathfinder.models.ports import Vectors
from pathfinder.retrieval.reranking.local.late_interaction import by_tokens
from pathfinder.retrieval.reranking.local.neighbours import neighbour_features
from pathfinder.retrieval.reranking.local.pool import TokenPool
from pathfinder.retrieval.reranking.local.terms import Terms
from pathfinder.types import Floats


def features_of(pool: TokenPool, terms: Terms, vectors: Vectors) -> dict[str, Floats]:
    """Return the features of the n papers of `pool`, each of shape (n,) and finite; `vectors` are those of whole
    papers.
    """
    tokens = by_tokens(pool, terms)
    return {**tokens, **neighbour_features(vectors, tokens["tokens^4"])}
