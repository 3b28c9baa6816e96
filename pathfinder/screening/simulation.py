"""Simulated screenings, in which the relevant papers are known, and measures of the order in which papers are read.

The model is fitted again once 5% more papers have been decided on, and after each of the first 20 decisions, which
takes less time than fitting it after every decision (AutoTAR waits for 10%; Cormack & Grossman 2015, arXiv:1504.06868).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from pathfinder.screening.choices import Promise, Strategy
from pathfinder.screening.pool import ScreeningPool, control_order, fit, is_control_turn, reading_order
from pathfinder.screening.stopping import may_stop
from pathfinder.types import Rows

Relevant = NDArray[np.bool_]

WSS_RECALL = 0.95
_GROWTH = 0.05
"""Share by which the number of decisions grows before the model is fitted again."""


@dataclass(frozen=True, slots=True)
class Stop:
    """State at the end of a simulated screening."""

    recall: float
    """Share of the relevant papers that were read, in [0, 1]."""
    work: float
    """Share of the pool that was read, in [0, 1]."""


def active_order(
    pool: ScreeningPool, relevant: Relevant, strategy: Strategy = Strategy.CERTAINTY, seed: int = 0
) -> Rows:
    """Return all rows of `pool` in the order in which active learning reads them: shape (n,)."""
    return np.fromiter(read_actively(pool, relevant, strategy, seed), dtype=np.int64, count=len(pool))


def read_actively(
    pool: ScreeningPool,
    relevant: Relevant,
    strategy: Strategy = Strategy.CERTAINTY,
    seed: int = 0,
    control_every: int = 0,
) -> Iterator[int]:
    """Yield the rows of `pool` in the order in which they are read; every `control_every`th is a random paper."""
    is_read = np.zeros(len(pool), dtype=np.bool_)
    at_random = iter(control_order(len(pool), seed))
    queue: Iterator[int] = iter(())
    n_read = fit_at = 0
    while n_read < len(pool):
        if n_read >= fit_at:
            queue = iter(_next_rows(pool, is_read, relevant, strategy, seed))
            fit_at = n_read + max(1, int(_GROWTH * n_read))
        source = at_random if is_control_turn(n_read, control_every) else queue
        row = next(row for row in source if not is_read[row])
        is_read[row] = True
        n_read += 1
        yield int(row)


def _next_rows(pool: ScreeningPool, is_read: Relevant, relevant: Relevant, strategy: Strategy, seed: int) -> list[int]:
    in_rows, out_rows = np.flatnonzero(is_read & relevant), np.flatnonzero(is_read & ~relevant)
    model = fit(pool, in_rows, out_rows, seed) if len(in_rows) and len(out_rows) else None
    order: list[int] = reading_order(pool, model, np.flatnonzero(~is_read), len(in_rows), strategy).tolist()
    return order


def simulate_stop(
    pool: ScreeningPool, relevant: Relevant, promise: Promise, control_every: int, seed: int, check_every: int = 10
) -> Stop:
    """Screen until the stopping rule, which is consulted after every `check_every` papers, says to stop."""
    decisions: list[bool] = []
    for row in read_actively(pool, relevant, seed=seed, control_every=control_every):
        decisions.append(bool(relevant[row]))
        if len(decisions) % check_every == 0 and may_stop(decisions, len(pool), promise):
            break
    return Stop(sum(decisions) / int(relevant.sum()), len(decisions) / len(pool))


def work_saved(order: Rows, relevant: Relevant, recall: float = WSS_RECALL) -> float:
    """Return the work saved over a random order at `recall` (WSS; Cohen et al. 2006, doi:10.1197/jamia.M1929): the
    share of papers still unread when that recall is reached, less 1 - `recall`.
    """
    found_at = np.flatnonzero(relevant[order]) + 1
    last = found_at[ceil(recall * len(found_at) - 1e-9) - 1]
    return float(recall - last / len(order))


def time_to_discovery(order: Rows, relevant: Relevant) -> float:
    """Return the mean number of papers read until a relevant one is found, including that one (ATD; Ferdinands et al.
    2023, doi:10.1186/s13643-023-02257-7).
    """
    return float((np.flatnonzero(relevant[order]) + 1).mean())


def random_measures(n: int, n_relevant: int, recall: float = WSS_RECALL) -> tuple[float, float]:
    """Return the expected `work_saved` and `time_to_discovery` of a random order of `n` papers: the kth of R relevant
    ones is expected at place k (n + 1) / (R + 1).
    """
    k = ceil(recall * n_relevant - 1e-9)
    return recall - k * (n + 1) / (n_relevant + 1) / n, (n + 1) / 2
