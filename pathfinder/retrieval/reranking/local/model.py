"""The fitted linear model: the weight of each predictor. `benchmarks/local_reranker.py` fits it.

The model corrects the order of the search, and does not replace it: its score is added to the match `log(0.05 + s)`,
where s is the fused score (`retrieval/weighting.py`). The weights are small, so a paper moves far only if its
predictors stand out.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np

from pathfinder.types import Floats
from pathfinder.types.weighting import EPSILON

MODEL_FILE = "model.json"

OF_TOKENS = "tokens"
"""Prefix of the names of the predictors that compare tokens; they say nothing useful about a long question."""

LONG_QUESTION = 40
"""Number of content words above which a question counts as a text, such as an abstract: it mentions many things that
the papers it should find need not mention.
"""


ROUNDING = 1e-5
"""Spread, relative to the largest value, up to which differences count as rounding errors, so that equal papers stay
equal.
"""


@dataclass(frozen=True, slots=True)
class LinearModel:
    """Linear model over predictors that are standardised across the papers being compared."""

    weights: Mapping[str, float]
    """Weight by predictor name; predictors without a weight are ignored."""

    def scores(self, predictors: Mapping[str, Floats]) -> Floats:
        """Return a score for each paper, shape (n,): higher is better, and only differences between scores are
        meaningful.
        """
        return np.asarray(
            np.sum([weight * standardise(predictors[name]) for name, weight in self.weights.items()], axis=0),
            dtype=np.float64,
        )

    def gains(self, predictors: Mapping[str, Floats], raised_predictors: Mapping[str, Floats]) -> Floats:
        """Return how much the score of each paper gains if some `predictors` rise to `raised_predictors`, shape (n,).
        Papers whose predictors are not raised gain nothing, because the unit of each predictor is its original spread
        among all papers.
        """
        gains = np.zeros(len(next(iter(predictors.values()))))
        for name, values in raised_predictors.items():
            if (spread := _spread(predictors[name])) > 0:
                gains += self.weights.get(name, 0.0) * (values - predictors[name]) / spread
        return gains

    def for_question(self, n_words: int) -> "LinearModel":
        """Return the model for a question with `n_words` content words: without the token predictors if it is long."""
        if n_words <= LONG_QUESTION:
            return self
        return LinearModel({name: weight for name, weight in self.weights.items() if not name.startswith(OF_TOKENS)})


def standardise(values: Floats) -> Floats:
    """Subtract the mean and divide by the standard deviation; a constant becomes 0."""
    spread = _spread(values)
    return (values - values.mean()) / spread if spread > 0 else np.zeros_like(values)


def _spread(values: Floats) -> float:
    """Return the standard deviation, or 0 if it is below the rounding error: the cosines are in single precision."""
    spread = float(values.std())
    return spread if spread > ROUNDING * max(1.0, float(np.abs(values).max(initial=0.0))) else 0.0


def relevance(scores: Floats, fused_scores: Floats) -> Floats:
    """Convert scores to the relevance r in [0, 1], 1 for the best, so that r can also be used alone to order papers.

    `log(0.05 + r)` is `log(0.05 + s)` plus twice the score, up to a constant, unless a paper's score is so low that r
    is cut off at 0. Added to the match in the preset `balanced`, it gives twice the sum of match and score: the same
    order.
    """
    total = np.log(EPSILON + fused_scores) + 2 * scores
    return np.asarray(np.clip((1 + EPSILON) * np.exp(total - total.max()) - EPSILON, 0.0, 1.0), dtype=np.float64)


@lru_cache(maxsize=1)
def fitted_model() -> LinearModel:
    """Load the model that ships with the package."""
    record = json.loads(resources.files(__package__).joinpath(MODEL_FILE).read_text(encoding="utf-8"))
    return LinearModel({str(name): float(weight) for name, weight in record["weights"].items()})
