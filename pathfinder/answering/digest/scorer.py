"""The fitted model that scores sentences as answers. `benchmarks/answers.py` fits and evaluates it.

It is a logistic regression over standardised predictors, fitted on the rationale sentences in SciFact
(arXiv:2004.14974) and on questions about astronomical papers whose answering sentences were marked by hand.
`benchmarks/ANSWERS.md` reports how often the sentence that it scores highest answers the question.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np

from pathfinder.answering.digest.predictors import PREDICTORS
from pathfinder.types import Floats

MODEL_FILE = "sentence_model.json"


@dataclass(frozen=True, slots=True)
class SentenceModel:
    """The probability that a sentence answers the question if its paper does: `1 / (1 + exp(-score))`.

    The score is `intercept + weights . (predictors - centres) / scales`.
    """

    centres: Floats
    scales: Floats
    weights: Floats
    intercept: float
    least_token_match: float
    """Token match below which a paper's best sentence does not count as an answer; in 5% of the papers that do answer,
    the best sentence lies below it.
    """

    def probabilities(self, predictors: Floats) -> Floats:
        """Return the probability of each sentence; `predictors` has shape (n_sentences, n_predictors)."""
        scores = ((predictors - self.centres) / self.scales) @ self.weights + self.intercept
        return np.asarray(1.0 / (1.0 + np.exp(-scores)), dtype=np.float64)


@lru_cache(maxsize=1)
def fitted_model() -> SentenceModel:
    """Return the model that ships with the package."""
    record = json.loads(resources.files(__package__).joinpath(MODEL_FILE).read_text(encoding="utf-8"))
    if tuple(record["features"]) != PREDICTORS:
        raise ValueError(f"{MODEL_FILE} was fitted on different predictors: fit it again with benchmarks/answers.py")
    centres, scales, weights = (np.array(record[name], dtype=np.float64) for name in ("centres", "scales", "weights"))
    return SentenceModel(centres, scales, weights, float(record["intercept"]), float(record["least_token_match"]))
