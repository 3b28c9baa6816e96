"""A yes or no out of a few numbers: logistic regression that stays near what was learned elsewhere."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from pydantic import ConfigDict, with_config
from scipy.optimize import minimize
from scipy.special import expit

from pathfinder.types import Floats

PULL = 3.0
"""Strength of the ridge towards the prior: what a few dozen examples can overrule."""

MAD_TO_SD = 1.4826
"""A normal distribution's standard deviation over its median absolute deviation."""

LOWEST, HIGHEST = -5.0, 15.0
"""Where a scaled feature is clipped, so that no single one decides alone."""

MIN_EXAMPLES = 20
"""Below this many a median and its spread say too little."""


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class Decision:
    """`p = 1 / (1 + exp(-(intercept + sum of weight * (feature - centre) / scale)))`; one number a feature."""

    features: tuple[str, ...]
    centres: tuple[float, ...]
    """Medians over off-topic questions: 0 of a scaled feature is what an off-topic question reaches here."""
    scales: tuple[float, ...]
    """Robust standard deviations over off-topic questions, above 0."""
    weights: tuple[float, ...]
    intercept: float

    def __post_init__(self) -> None:
        for name in ("centres", "scales", "weights"):
            if len(getattr(self, name)) != len(self.features):
                raise ValueError(f"{name} must have one number for each of {len(self.features)} features")
        if min(self.scales, default=1.0) <= 0:
            raise ValueError(f"scales must lie above 0, got {min(self.scales)}")

    def probability(self, features: Floats) -> float:
        """Of "the corpus bears on it", for features of shape (n_features,)."""
        return float(expit(self.scaled(features[np.newaxis])[0] @ self.weights + self.intercept))

    def at(self, off_topic: Floats, smallest_scales: Floats) -> Self:
        """The same weights, measured from what `off_topic` questions reach, shape (n, n_features)."""
        if len(off_topic) < MIN_EXAMPLES:
            return self
        centres = np.median(off_topic, axis=0)
        spread = MAD_TO_SD * np.median(np.abs(off_topic - centres), axis=0)
        scales = np.maximum(spread, smallest_scales)
        return type(self)(self.features, _numbers(centres), _numbers(scales), self.weights, self.intercept)

    def fitted(self, on_topic: Floats, off_topic: Floats, pull: float = PULL) -> Self:
        """The weights that tell both kinds of question apart, pulled towards these; shapes (n, n_features).

        Minimises the log-loss, in which either kind weighs as much as there are off-topic questions, plus
        `pull / 2` times the squared distance to these weights.
        """
        if min(len(on_topic), len(off_topic)) < MIN_EXAMPLES:
            return self
        rows = np.vstack([self.scaled(on_topic), self.scaled(off_topic)])
        rows = np.column_stack([rows, np.ones(len(rows))])
        signs = np.repeat([1.0, -1.0], [len(on_topic), len(off_topic)])
        shares = np.repeat([len(off_topic) / len(on_topic), 1.0], [len(on_topic), len(off_topic)])
        prior = np.array([*self.weights, self.intercept])

        def loss(beta: Floats) -> tuple[float, Floats]:
            margins, away = signs * (rows @ beta), beta - prior
            value = shares @ np.logaddexp(0.0, -margins) + pull / 2 * away @ away
            return float(value), -(shares * signs * expit(-margins)) @ rows + pull * away

        best = _numbers(minimize(loss, prior, jac=True, method="L-BFGS-B").x)
        return type(self)(self.features, self.centres, self.scales, best[:-1], best[-1])

    def scaled(self, rows: Floats) -> Floats:
        """Features in steps of their spread, counted from the centres, clipped to [-5, 15]; shape (n, n_features)."""
        return np.asarray(np.clip((rows - np.array(self.centres)) / np.array(self.scales), LOWEST, HIGHEST))


def _numbers(values: Floats) -> tuple[float, ...]:
    # The last bits of a sum differ between machines, and a build repeats byte for byte.
    return tuple(round(float(value), 4) for value in values)
