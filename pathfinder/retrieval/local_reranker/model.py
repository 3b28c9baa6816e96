"""The fitted sum: which feature counts how much. `benchmarks/local_reranker.py` fits it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np

from pathfinder.types import Floats

MODEL_FILE = "model.json"


ROUNDING = 1e-5
"""Relative to the largest value: equal papers must stay equal."""


@dataclass(frozen=True, slots=True)
class LinearModel:
    """Weights of features, each of which is standardised over the papers that are compared."""

    weights: Mapping[str, float]
    """By the feature's name; a feature without one is not looked at."""

    def scores(self, features: Mapping[str, Floats]) -> Floats:
        """One score for each paper, shape (n,): higher is better, and only differences mean something."""
        return np.asarray(
            np.sum([weight * standardised(features[name]) for name, weight in self.weights.items()], axis=0),
            dtype=np.float64,
        )


def standardised(values: Floats) -> Floats:
    """Less their mean, by their standard deviation; a constant becomes 0."""
    spread = values.std()
    # What rounding leaves of a constant is no spread; the cosines are of single precision.
    is_constant = spread <= ROUNDING * max(1.0, float(np.abs(values).max(initial=0.0)))
    return np.zeros_like(values) if is_constant else (values - values.mean()) / spread


@lru_cache(maxsize=1)
def fitted_model() -> LinearModel:
    """The model that comes with the package."""
    record = json.loads(resources.files(__package__).joinpath(MODEL_FILE).read_text(encoding="utf-8"))
    return LinearModel({str(name): float(weight) for name, weight in record["weights"].items()})
