"""The rule that turns stances into a level, and a test of how much the level depends on single papers.

A stance counts if it is not irrelevant and its quote occurs in the paper. Of n stances that count,

    score = (supports - refutes) / n

so mixed papers pull the score towards 0. If fewer than five count, there is no level. Otherwise:

    score at least  0.8   Strong Agreement       e.g. 9 for and 1 against
                    0.5   Moderate Agreement                 3 for and 1 against
                    0.2   Weak Agreement                     3 for and 2 against
    between -0.2 and 0.2  No Clear Consensus                 1 for and 1 against
    at most        -0.2   Weak Disagreement
                   -0.5   Moderate Disagreement
                   -0.8   Strong Disagreement

A score on a boundary gets the stronger of the two levels, whether positive or negative. The boundaries are our own: the
seven names are published (arXiv:2408.01556, section 3), but no rule for them is.

For the interval, n papers are drawn from the n with replacement, 10,000 times (Efron 1979, doi:10.1214/aos/1176344552);
the interval runs between the levels at the 2.5th and the 97.5th percentile of the score. The draws are seeded, so the
interval depends only on the three counts. If all papers take the same stance, every draw is the same and the interval
is too narrow; `Consensus.notes` says so.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from pathfinder.types import ConsensusLevel, Sensitivity, Stance, StanceLabel

MIN_COUNTED = 5
"""Minimum number of papers that must count for a level to be given; fewer are not enough evidence."""

STRONG, MODERATE, WEAK = 0.8, 0.5, 0.2

N_DRAWS = 10_000
SEED = 20240802
TAILS = (0.025, 0.975)

_AGREEMENT = (ConsensusLevel.STRONG_AGREEMENT, ConsensusLevel.MODERATE_AGREEMENT, ConsensusLevel.WEAK_AGREEMENT)
_DISAGREEMENT = (
    ConsensusLevel.STRONG_DISAGREEMENT,
    ConsensusLevel.MODERATE_DISAGREEMENT,
    ConsensusLevel.WEAK_DISAGREEMENT,
)


@dataclass(frozen=True, slots=True)
class StanceCounts:
    """Number of papers with each stance."""

    supports: int
    refutes: int
    mixed: int

    @classmethod
    def of(cls, stances: Sequence[Stance]) -> Self:
        """Count the papers with each stance, using only the stances that count."""
        n = Counter(stance.label for stance in stances if stance.is_counted)
        return cls(n[StanceLabel.SUPPORTS], n[StanceLabel.REFUTES], n[StanceLabel.MIXED])

    @property
    def total(self) -> int:
        """Number of papers that count."""
        return self.supports + self.refutes + self.mixed

    @property
    def score(self) -> float | None:
        """Score in [-1, 1]; `None` if no paper counts."""
        return (self.supports - self.refutes) / self.total if self.total else None

    @property
    def level(self) -> ConsensusLevel | None:
        """Level given by the rule; `None` without enough evidence."""
        score = self.score
        return None if score is None or self.total < MIN_COUNTED else level_of(score)

    @property
    def is_unanimous(self) -> bool:
        """True if all papers that count take the same stance."""
        return self.total > 0 and self.total in (self.supports, self.refutes, self.mixed)


def level_of(score: float) -> ConsensusLevel:
    """Return the level of a score in [-1, 1]."""
    # A quotient such as 4/5 rounds to the same float as 0.8, so boundaries are exact.
    names = _AGREEMENT if score > 0 else _DISAGREEMENT
    for name, least in zip(names, (STRONG, MODERATE, WEAK), strict=True):
        if abs(score) >= least:
            return name
    return ConsensusLevel.NO_CLEAR_CONSENSUS


def interval_of(counts: StanceCounts) -> tuple[ConsensusLevel, ConsensusLevel] | None:
    """Return the levels that enclose 95% of the draws, the stronger agreement first; `None` without enough evidence."""
    if counts.level is None:
        return None
    shares = np.array([counts.supports, counts.refutes, counts.mixed]) / counts.total
    draws = np.random.default_rng(SEED).multinomial(counts.total, shares, size=N_DRAWS)
    scores = (draws[:, 0] - draws[:, 1]) / counts.total
    # Take a score that was actually drawn, rather than interpolate between two draws, so that it has a level.
    low, high = np.quantile(scores, TAILS, method="inverted_cdf")
    return level_of(float(high)), level_of(float(low))


def sensitivity_of(stances: Sequence[Stance]) -> tuple[Sensitivity, ...]:
    """Return the papers without which the level would change, in the order of `stances`; none if there is no level."""
    level = StanceCounts.of(stances).level
    if level is None:
        return ()
    without = (
        Sensitivity(stance.paper_id, StanceCounts.of([other for other in stances if other is not stance]).level)
        for stance in stances
        if stance.is_counted
    )
    return tuple(sensitivity for sensitivity in without if sensitivity.level is not level)
