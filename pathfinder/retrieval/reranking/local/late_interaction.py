"""Late interaction between the tokens of question and paper (Khattab & Zaharia 2020, arXiv:2004.12832).

For each token of the question, the highest cosine among the paper's tokens is raised to a power and weighted by rarity;
the results are added up. The higher the power, the less a weak similarity counts.
"""

from pathfinder.retrieval.reranking.local.pool import TokenPool
from pathfinder.retrieval.reranking.local.terms import Terms
from pathfinder.types import Floats

POWERS = (2, 4)


def by_tokens(pool: TokenPool, terms: Terms) -> dict[str, Floats]:
    """Return a predictor for each power, with a value for each paper, shape (n,): "tokens^2" and "tokens^4"."""
    papers = pool.largest()
    return {f"tokens^{power}": (papers**power @ terms.weights).astype("float64") for power in POWERS}
