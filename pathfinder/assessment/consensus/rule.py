"""From stances to a level: the rule, and how much the level owes to single papers.

A stance counts when it is not irrelevant and its quote stands in the paper. Of n stances that count,

    score = (supports - refutes) / n

so that a mixed paper pulls towards 0. With fewer than five that count there is no level. Otherwise:

    score at least  0.8   Strong Agreement       such as 9 for and 1 against
                    0.5   Moderate Agreement                 3 for and 1 against
                    0.2   Weak Agreement                     3 for and 2 against
    between -0.2 and 0.2  No Clear Consensus                 1 for and 1 against
    at most        -0.2   Weak Disagreement
                   -0.5   Moderate Disagreement
                   -0.8   Strong Disagreement

A score on a boundary has the stronger of its two levels, on either side. The boundaries are ours: the seven names are
published (arXiv:2408.01556, section 3) and no rule for them is.

The interval: 10,000 times, n of the n papers are drawn with replacement (Efron 1979, doi:10.1214/aos/1176344552), and
the levels at the 2.5th and the 97.5th percentile of the score are taken. Seeded, and a matter of the three counts
alone. Papers that all say the same are the same in every draw: such an interval is too narrow, and `Consensus.notes`
says so.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from pathfinder.types import ConsensusLevel, Sensitivity, Stance, StanceLabel

MIN_COUNTED = 5
"""Fewer papers are not enough evidence."""

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
class Counts:
    """How many papers say what."""

    supports: int
    refutes: int
    mixed: int

    @classmethod
    def of(cls, stances: Sequence[Stance]) -> Self:
        """Of the stances that count."""
        n = Counter(stance.label for stance in stances if stance.is_counted)
        return cls(n[StanceLabel.SUPPORTS], n[StanceLabel.REFUTES], n[StanceLabel.MIXED])

    @property
    def total(self) -> int:
        """How many count."""
        return self.supports + self.refutes + self.mixed

    @property
    def score(self) -> float | None:
        """In [-1, 1]; `None` where nothing counts."""
        return (self.supports - self.refutes) / self.total if self.total else None

    @property
    def level(self) -> ConsensusLevel | None:
        """By the rule; `None`: not enough evidence."""
        score = self.score
        return None if score is None or self.total < MIN_COUNTED else level_of(score)

    @property
    def is_unanimous(self) -> bool:
        """Whether all that count say the same."""
        return self.total > 0 and self.total in (self.supports, self.refutes, self.mixed)


def level_of(score: float) -> ConsensusLevel:
    """The level of a score in [-1, 1]."""
    # A quotient such as 4/5 is rounded to the number that 0.8 is rounded to, so that boundaries are exact.
    names = _AGREEMENT if score > 0 else _DISAGREEMENT
    for name, least in zip(names, (STRONG, MODERATE, WEAK), strict=True):
        if abs(score) >= least:
            return name
    return ConsensusLevel.NO_CLEAR_CONSENSUS


def interval_of(counts: Counts, seed: int = SEED) -> tuple[ConsensusLevel, ConsensusLevel] | None:
    """The levels between which 95% of the draws lie, the stronger agreement first; `None`: not enough evidence."""
    if counts.level is None:
        return None
    shares = np.array([counts.supports, counts.refutes, counts.mixed]) / counts.total
    drawn = np.random.default_rng(seed).multinomial(counts.total, shares, size=N_DRAWS)
    scores = (drawn[:, 0] - drawn[:, 1]) / counts.total
    # A score that was drawn, and none between two: it has a level of its own.
    low, high = np.quantile(scores, TAILS, method="inverted_cdf")
    return level_of(float(high)), level_of(float(low))


def sensitivity_of(stances: Sequence[Stance]) -> tuple[Sensitivity, ...]:
    """The papers whose absence changes the level, in the order of `stances`; none where there is no level."""
    level = Counts.of(stances).level
    if level is None:
        return ()
    without = (
        Sensitivity(stance.paper_id, Counts.of([other for other in stances if other is not stance]).level)
        for stance in stances
        if stance.is_counted
    )
    return tuple(one for one in without if one.level is not level)
