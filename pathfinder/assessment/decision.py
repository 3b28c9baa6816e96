"""A yes-or-no decision from a few predictors: logistic regression with a ridge penalty that pulls the weights towards
given ones.
"""

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from pydantic import ConfigDict, Field, with_config

from pathfinder.types import Floats

# SciPy is imported only where it is used, because importing it takes longer than opening a corpus.

PULL = 3.0
"""Strength of the ridge penalty that pulls the weights towards the prior, low enough that a few dozen examples can
overrule it.
"""

MAD_TO_SD = 1.4826
"""Ratio of the standard deviation of a normal distribution to its median absolute deviation."""

LOWEST, HIGHEST = -5.0, 15.0
"""Range to which a scaled predictor is clipped, so that no single predictor decides on its own."""

MIN_EXAMPLES = 20
"""Minimum number of examples for their median and spread to be meaningful."""


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, serialize_by_alias=True))
@dataclass(frozen=True, slots=True)
class LogisticRule:
    """`p = 1 / (1 + exp(-(intercept + sum of weight * (x - centre) / scale)))`, summed over the predictors x."""

    predictors: Annotated[tuple[str, ...], Field(alias="features")]
    """Names of the predictors, stored as `features`, as in 0.1.0."""
    centres: tuple[float, ...]
    """Medians over off-topic questions: a scaled predictor of 0 is typical of an off-topic question in this corpus."""
    scales: tuple[float, ...]
    """Robust standard deviations over off-topic questions, above 0."""
    weights: tuple[float, ...]
    intercept: float

    def __post_init__(self) -> None:
        for name in ("centres", "scales", "weights"):
            if len(getattr(self, name)) != len(self.predictors):
                raise ValueError(f"{name} must have one number for each of {len(self.predictors)} predictors")
        if min(self.scales, default=1.0) <= 0:
            raise ValueError(f"scales must be above 0, got {min(self.scales)}")

    def probability(self, predictors: Floats) -> float:
        """Return the probability that the corpus covers the question, for predictors of shape (n_predictors,)."""
        from scipy.special import expit

        return float(expit(self.scale(predictors[np.newaxis])[0] @ self.weights + self.intercept))

    def at(self, off_topic: Floats, smallest_scales: Floats) -> Self:
        """Return a decision with the same weights, but with centres and scales from `off_topic`, the predictors of
        off-topic questions, shape (n, n_predictors).
        """
        if len(off_topic) < MIN_EXAMPLES:
            return self
        centres = np.median(off_topic, axis=0)
        spread = MAD_TO_SD * np.median(np.abs(off_topic - centres), axis=0)
        scales = np.maximum(spread, smallest_scales)
        return type(self)(self.predictors, _numbers(centres), _numbers(scales), self.weights, self.intercept)

    def fit_to(self, on_topic: Floats, off_topic: Floats, pull: float = PULL) -> Self:
        """Fit weights that separate on-topic from off-topic questions and are pulled towards the current weights.

        Both arrays have the shape (n, n_predictors). Minimises the log-loss, in which each kind has a total weight
        equal to the number of off-topic questions, plus `pull / 2` times the squared distance to the current weights.
        """
        if min(len(on_topic), len(off_topic)) < MIN_EXAMPLES:
            return self
        from scipy.optimize import minimize
        from scipy.special import expit

        rows = np.vstack([self.scale(on_topic), self.scale(off_topic)])
        rows = np.column_stack([rows, np.ones(len(rows))])
        signs = np.repeat([1.0, -1.0], [len(on_topic), len(off_topic)])
        shares = np.repeat([len(off_topic) / len(on_topic), 1.0], [len(on_topic), len(off_topic)])
        prior = np.array([*self.weights, self.intercept])

        def loss(beta: Floats) -> tuple[float, Floats]:
            margins, away = signs * (rows @ beta), beta - prior
            value = shares @ np.logaddexp(0.0, -margins) + pull / 2 * away @ away
            return float(value), -(shares * signs * expit(-margins)) @ rows + pull * away

        best = _numbers(minimize(loss, prior, jac=True, method="L-BFGS-B").x)
        return type(self)(self.predictors, self.centres, self.scales, best[:-1], best[-1])

    def scale(self, rows: Floats) -> Floats:
        """Return `rows` minus the centres, in units of the scales, clipped to [-5, 15]; shape (n, n_predictors)."""
        return np.asarray(np.clip((rows - np.array(self.centres)) / np.array(self.scales), LOWEST, HIGHEST))


def _numbers(values: Floats) -> tuple[float, ...]:
    # Round, because the last bits of a sum differ between machines, but builds must be identical byte for byte.
    return tuple(round(float(value), 4) for value in values)
