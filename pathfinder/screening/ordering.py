"""The order in which the undecided papers of a pool are read."""

import numpy as np

from pathfinder.screening.choices import Strategy
from pathfinder.screening.learning import FittedModel
from pathfinder.screening.pool import ScreeningPool
from pathfinder.types import Floats, Rows

_PRIOR_WEIGHT = 1.0
"""Lift that the question's ranking gives its first paper over its middle one, in standard deviations of the model's
scores.
"""
_N_IN_TO_HALVE = 50
"""Number of papers that must be in for the question's ranking to count half as much as before any paper is in."""


def reading_order(
    pool: ScreeningPool,
    model: FittedModel | None,
    undecided_rows: Rows,
    n_in: int,
    strategy: Strategy = Strategy.CERTAINTY,
) -> Rows:
    """Order `undecided_rows`, the next to be read first; `n_in` papers are in.

    A model requires at least one paper in and one out; without one (`None`), the order is the question's ranking.
    """
    prior = pool.prior()[undecided_rows]
    if model is None:
        priority = prior
    elif strategy is Strategy.UNCERTAINTY:
        priority = -np.abs(model.scores[undecided_rows])
    else:
        weight = _PRIOR_WEIGHT / (1 + n_in / _N_IN_TO_HALVE)
        priority = _standardise(model.scores[undecided_rows]) + weight * (2 * prior - 1)
    return undecided_rows[np.argsort(-priority, kind="stable")]


def _standardise(scores: Floats) -> Floats:
    """Shift and scale scores to a mean of 0 and a standard deviation of 1; equal scores become 0."""
    spread = scores.std() if len(scores) else 0.0
    return (scores - scores.mean()) / spread if spread > 0 else np.zeros_like(scores)


def control_order(n: int, seed: int) -> Rows:
    """Return all `n` rows in random order: the first ones form the control sample."""
    return np.random.default_rng([seed, n]).permutation(n)


def is_control_turn(n_decided: int, every: int) -> bool:
    """Return whether the next paper, after `n_decided` decisions, is drawn at random: every `every`th one is, or none
    if `every` is 0.
    """
    return every > 0 and (n_decided + 1) % every == 0
