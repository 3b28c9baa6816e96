"""The rule that says when enough papers have been read.

The rule is the test of Callaghan & Müller-Hansen 2020 (doi:10.1186/s13643-020-01521-4) in its quasi-sampling form. Take
the papers read since any earlier moment as a sample of those unread at that moment. If m relevant papers remained
unread now, how likely would it be to have found so few since then? Where that probability is below 1 - confidence, m is
ruled out. Every moment just after a relevant paper was found is tested, and the smallest probability counts.

In the published form, the sample counts as random, and the probability is hypergeometric (`odds` 1). Active learning
finds relevant papers sooner than chance does, so `odds` says how many times as likely a relevant paper is to be read
next as an irrelevant one (Wallenius' urn; Fog 2008, doi:10.1080/03610910701790269). In that urn, once a share g of the
irrelevant papers has been read, each relevant paper has been read with probability 1 - (1 - g)^odds; the number found
is taken as binomial. The default, 1.5, is the largest of 1, 1.5, 2, 2.5 and 3 with which a promise of 95% was kept in
significantly more than 95% of simulated screenings (81 of 81; with 2, 78), on questions that were not used for any
published figure. Papers to which the model is blind are drawn no sooner than by chance, if ever: the control sample,
drawn at random, is there for them. Testing every moment amounts to many tests, so the confidence was checked in
simulations (benchmarks/SCREENING.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import beta, binom, hypergeom

from pathfinder.errors import UsageError
from pathfinder.types import Rows

PROMISED_RECALL = 0.95
CONFIDENCE = 0.95
ODDS = 1.5


@dataclass(frozen=True, slots=True)
class Promise:
    """The recall that the stopping rule promises, and how certain the rule must be that it has been reached."""

    recall: float = PROMISED_RECALL
    """Share of all relevant papers in the pool that must have been read, in (0, 1)."""
    confidence: float = CONFIDENCE
    """Share of screenings in which the promise must hold, in (0, 1)."""
    odds: float = ODDS
    """Odds that a relevant paper is read next, relative to those of an irrelevant paper, at least 1; 1 gives the
    published rule.
    """

    def __post_init__(self) -> None:
        for name, value in (("recall", self.recall), ("confidence", self.confidence)):
            if not 0 < value < 1:
                raise UsageError(f"the {name} that a screening promises must be above 0 and below 1, got {value}")
        if not self.odds >= 1:
            raise UsageError(f"the odds that a relevant paper is read next must be at least 1, got {self.odds}")


@dataclass(frozen=True, slots=True)
class RecallEstimate:
    """Recall reached by a screening, as far as its decisions show."""

    n_in: int
    n_unread: int
    n_missed: int
    """The largest number of unread relevant papers that a confidence of 50% does not rule out."""
    n_missed_at_most: int
    """The largest number of unread relevant papers that the promised confidence does not rule out."""

    @property
    def recall(self) -> float | None:
        """Estimated share of the relevant papers that have been read; `None` if none has been found."""
        return self.n_in / (self.n_in + self.n_missed) if self.n_in else None

    @property
    def recall_at_least(self) -> float | None:
        """Lower end of the interval of `recall`, whose upper end is 1; `None` if no relevant paper has been found."""
        return self.n_in / (self.n_in + self.n_missed_at_most) if self.n_in else None


def estimate_recall(relevant: Sequence[bool], n: int, promise: Promise | None = None) -> RecallEstimate:
    """Estimate the recall in a pool of `n` papers from the decisions on those read so far, in order, with the
    confidence and the odds of `promise`.
    """
    promise = promise or Promise()
    n_unread = n - len(relevant)
    tails = _tails(relevant, n)
    return RecallEstimate(
        n_in=sum(relevant),
        n_unread=n_unread,
        n_missed=_largest_plausible(tails, n_unread, 0.5, promise.odds),
        n_missed_at_most=_largest_plausible(tails, n_unread, 1 - promise.confidence, promise.odds),
    )


def may_stop(relevant: Sequence[bool], n: int, promise: Promise | None = None) -> bool:
    """Return whether the decisions rule out a recall below the promised one."""
    promise = promise or Promise()
    n_in, n_unread = sum(relevant), n - len(relevant)
    too_many = int(np.floor(n_in / promise.recall + 1e-9)) - n_in + 1
    if too_many > n_unread:
        return True
    return n_in > 0 and _probability(_tails(relevant, n), too_many, promise.odds) < 1 - promise.confidence


def papers_to_go(relevant: Sequence[bool], n: int, promise: Promise | None = None) -> int:
    """Return how many more papers must be read before the rule says to stop if none of them is relevant; 0 if it
    already does.
    """
    low, high = 0, n - len(relevant)
    while low < high:
        middle = (low + high) // 2
        if may_stop([*relevant, *[False] * middle], n, promise):
            high = middle
        else:
            low = middle + 1
    return low


@dataclass(frozen=True, slots=True, eq=False)
class _Tails:
    """Counts of the papers read since each moment that is tested: arrays with one value per moment."""

    n_unread_then: Rows
    n_read_since: Rows
    n_found_since: Rows


def _tails(relevant: Sequence[bool], n: int) -> _Tails:
    """Return the tails that begin with the first paper and after each relevant one."""
    found_at = np.flatnonzero(np.asarray(relevant, dtype=np.bool_)) + 1
    moments = np.concatenate([[0], found_at]).astype(np.int64)
    since = len(found_at) - np.arange(len(moments))
    return _Tails(n - moments, len(relevant) - moments, since)


def _probability(tails: _Tails, n_missed: int, odds: float) -> float:
    """Return the smallest probability, over all moments, of finding no more than were found if `n_missed` relevant
    papers remained.
    """
    n_relevant = tails.n_found_since + n_missed
    if odds == 1:
        return float(hypergeom.cdf(tails.n_found_since, tails.n_unread_then, n_relevant, tails.n_read_since).min())
    n_irrelevant = np.maximum(tails.n_unread_then - n_relevant, 1)  # at least 1, so that nothing is divided by 0
    share_read = (tails.n_read_since - tails.n_found_since) / n_irrelevant
    is_found = 1 - (1 - np.clip(share_read, 0, 1)) ** odds
    return float(binom.cdf(tails.n_found_since, n_relevant, is_found).min())


def _largest_plausible(tails: _Tails, n_unread: int, level: float, odds: float) -> int:
    """Return the largest number of missed papers with a probability of at least `level`; the probability falls as the
    number grows.
    """
    low, high = 0, n_unread
    while low < high:
        middle = (low + high + 1) // 2
        if _probability(tails, middle, odds) >= level:
            low = middle
        else:
            high = middle - 1
    return low


@dataclass(frozen=True, slots=True)
class Control:
    """The control sample: papers drawn from the whole pool at random, whatever the model thinks of them."""

    n: int
    n_in: int
    relevant_at_least: float
    """Lower end of the 95% interval for the number of relevant papers in the pool (Clopper & Pearson 1934,
    doi:10.1093/biomet/26.4.404).
    """
    relevant_at_most: float


def control_sample(relevant: Sequence[bool], n_pool: int) -> Control:
    """Describe the control sample of a pool of `n_pool` papers, given the decisions on its papers."""
    n, n_in = len(relevant), sum(relevant)
    low = float(beta.ppf(0.025, n_in, n - n_in + 1)) if n_in else 0.0
    high = float(beta.ppf(0.975, n_in + 1, n - n_in)) if n_in < n else 1.0
    return Control(n, n_in, low * n_pool, high * n_pool)
