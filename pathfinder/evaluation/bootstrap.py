"""How sure a mean over questions is, and whether two methods differ by more than the choice of questions would make.

Intervals are percentiles of means over questions drawn anew (Efron 1979, doi:10.1214/aos/1176344552); the test of
a difference turns round the sign of each question's difference (Fisher's randomisation test; Smucker, Allan &
Carterette 2007, doi:10.1145/1321440.1321528). Both are seeded: the same scores give the same figures.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pathfinder.errors import UsageError
from pathfinder.types import Floats, Rows

N_DRAWS = 10_000
SEED = 20240802
LEVEL = 0.95
"""Share of the draws that an interval holds."""

MAX_EXACT = 13
"""Up to so many questions that differ, all 2^13 = 8,192 signs are tried; above, 10,000 of them are drawn."""

_TIE = 1e-12
"""Sums of the same numbers in another order differ by rounding; they are equal all the same."""
_DRAWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Interval:
    """Where 95% of the draws lie."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """How one method's mean differs from another's over the same questions."""

    mean: float
    """Of the second less the first: positive where the second is better."""
    interval: Interval
    p: float
    """Of a mean as far from 0 by chance, two-sided, (0, 1]."""
    n_better: int
    """Questions that the second method does better."""
    n_worse: int


def interval_of_mean(values: Floats, seed: int = SEED) -> Interval:
    """The interval of the mean of `values`, one for each question, shape (n,)."""
    _check(values)
    rng = np.random.default_rng(seed)
    means = np.concatenate([values[rows].mean(axis=1) for rows in _draws(len(values), rng)])
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))


def paired_difference(before: Floats, after: Floats, seed: int = SEED) -> Difference:
    """How `after` differs from `before`, each with one value a question, in the same order, shape (n,)."""
    if before.shape != after.shape:
        raise UsageError(f"{len(before)} values cannot be paired with {len(after)}: give both for the same questions")
    differences = after - before
    return Difference(
        mean=float(differences.mean()) if len(differences) else 0.0,
        interval=interval_of_mean(differences, seed),
        p=sign_flip_p(differences, seed),
        n_better=int((differences > 0).sum()),
        n_worse=int((differences < 0).sum()),
    )


def sign_flip_p(differences: Floats, seed: int = SEED) -> float:
    """How often the mean lies as far from 0 when each difference has its sign by chance.

    Exact where at most 13 questions differ; else `(1 + k) / (1 + 10,000)`, k of 10,000 draws being as far (Phipson &
    Smyth 2010, doi:10.2202/1544-6115.1585), so that no draw makes it 0.
    """
    _check(differences)
    differing = differences[differences != 0]
    observed = abs(differing.sum())
    if len(differing) <= MAX_EXACT:
        return float((np.abs(_all_signs(len(differing)) @ differing) >= observed - _TIE).mean())
    rng = np.random.default_rng(seed)
    n_as_far = 0
    for size in _batch_sizes():
        signs = 2.0 * rng.integers(0, 2, (size, len(differing))) - 1.0
        n_as_far += int((np.abs(signs @ differing) >= observed - _TIE).sum())
    return (1 + n_as_far) / (1 + N_DRAWS)


def _all_signs(n: int) -> Floats:
    """Every way to give n numbers a sign, shape (2^n, n)."""
    return np.asarray(1.0 - 2.0 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1), dtype=np.float64)


def _draws(n: int, rng: np.random.Generator) -> Iterator[Rows]:
    """10,000 times n places out of n, with replacement, some at a time."""
    for size in _batch_sizes():
        yield rng.integers(0, n, (size, n))


def _batch_sizes() -> Iterator[int]:
    for start in range(0, N_DRAWS, _DRAWS_AT_ONCE):
        yield min(_DRAWS_AT_ONCE, N_DRAWS - start)


def _check(values: Floats) -> None:
    if not len(values):
        raise UsageError("a mean needs at least one question, and there is none: name a collection that has some")
    if not np.isfinite(values).all():
        raise UsageError(f"question {int(np.argmin(np.isfinite(values)))} has no finite value: leave it out or mend it")
