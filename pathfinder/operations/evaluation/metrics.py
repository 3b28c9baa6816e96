"""Scores of rankings as computed by trec_eval, using `ir-measures`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import ir_measures
import numpy as np
from scipy.stats import bootstrap, permutation_test

from pathfinder.errors import UsageError
from pathfinder.types import Floats

Judgements = Mapping[str, Mapping[str, int]]
"""Grade of each judged document, by question: a grade of 1 or more means relevant."""

Rankings = Mapping[str, Sequence[str]]
"""Document ids, best first, by question."""

MEASURES = {
    "ndcg@10": ir_measures.nDCG @ 10,
    "mrr@10": ir_measures.RR @ 10,
    "success@10": ir_measures.Success @ 10,
    "recall@100": ir_measures.R @ 100,
    "recall@1000": ir_measures.R @ 1000,
    "ndcg@50": ir_measures.nDCG @ 50,
    "recall@50": ir_measures.R @ 50,
    "ndcg@100": ir_measures.nDCG @ 100,
}
"""Measures by name. nDCG has linear gains, so a document with grade 2 counts twice as much as one with grade 1; the
ideal ranking contains all judged documents.

All are in [0, 1]. arXiv:2408.01556 uses those at 50 and 100 for questions answered by many papers.
"""

SHOWN_MEASURES = ("ndcg@10", "mrr@10", "success@10", "recall@100", "recall@1000")
"""Measures shown in a table by default."""


def score_each(judgements: Judgements, rankings: Rankings) -> dict[str, dict[str, float]]:
    """Compute every measure for every judged question: `scores["ndcg@10"]["q1"]`.

    A judged question without a ranking scores 0; a ranking for a question without judgements is ignored.
    """
    names = {measure: name for name, measure in MEASURES.items()}
    scores: dict[str, dict[str, float]] = {name: {} for name in MEASURES}
    # Scores that fall by 1 per rank, because trec_eval orders by score and breaks ties in its own way.
    run = {
        question: {document: float(-place) for place, document in enumerate(ranking)}
        for question, ranking in rankings.items()
        if question in judgements
    }
    for value in ir_measures.iter_calc(list(MEASURES.values()), judgements, run):
        scores[names[value.measure]][value.query_id] = float(value.value)
    return scores


def mean_scores(scores: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Average each measure over all questions."""
    return {name: fmean(of_questions.values()) for name, of_questions in scores.items()}


# Uncertainty of a mean over questions, and significance of the difference between two methods.
# Intervals are percentiles of the means of resampled questions (bootstrap; Efron 1979, doi:10.1214/aos/1176344552); the
# test of a difference flips the signs of the questions' differences (Fisher's randomisation test; Smucker, Allan &
# Carterette 2007, doi:10.1145/1321440.1321528). Both use SciPy with a fixed seed, so that the same scores always give
# the same figures.


N_RESAMPLES = 10_000
SEED = 20240802
CONFIDENCE_LEVEL = 0.95
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Interval:
    """Range that contains 95% of the resampled means."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """Difference between the means of two methods over the same questions."""

    mean: float
    """Mean of the second method minus that of the first: positive if the second is better."""
    interval: Interval
    p: float
    """Two-sided probability that the mean difference is this far from 0 by chance, in (0, 1]."""
    n_better: int
    """Number of questions on which the second method is better."""
    n_worse: int


def interval_of_mean(values: Floats, seed: int = SEED) -> Interval:
    """Compute the interval of the mean of `values`, one per question, shape (n,)."""
    _check(values)
    if len(values) == 1:
        return Interval(float(values[0]), float(values[0]))
    interval = bootstrap(
        (values,),
        np.mean,
        n_resamples=N_RESAMPLES,
        batch=_BATCH,
        confidence_level=CONFIDENCE_LEVEL,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(float(interval.low), float(interval.high))


def paired_difference(before: Floats, after: Floats, seed: int = SEED) -> MeanDifference:
    """Compare `after` with `before`, each with one value per question, in the same order, shape (n,)."""
    if before.shape != after.shape:
        raise UsageError(f"{len(before)} values cannot be paired with {len(after)}: supply both for the same questions")
    differences = after - before
    return MeanDifference(
        mean=float(differences.mean()) if len(differences) else 0.0,
        interval=interval_of_mean(differences, seed),
        p=sign_flip_p(differences, seed),
        n_better=int((differences > 0).sum()),
        n_worse=int((differences < 0).sum()),
    )


def sign_flip_p(differences: Floats, seed: int = SEED) -> float:
    """Compute how often the mean is at least as far from 0 if each difference is given a random sign.

    The result is exact if at most 13 differences are not 0 (there are 2^13 = 8,192 ways to choose the signs); otherwise
    it is `(1 + k) / (1 + 10,000)`, where k of 10,000 draws are at least as far from 0 (Phipson & Smyth 2010,
    doi:10.2202/1544-6115.1585), so that it is never 0.
    """
    _check(differences)
    differing = differences[differences != 0]
    if len(differing) < 2:  # the sign of a single difference does not change its distance from 0
        return 1.0
    test = permutation_test(
        (differing,),
        _distance_from_zero,
        permutation_type="samples",
        n_resamples=N_RESAMPLES,
        batch=_BATCH,
        alternative="greater",
        rng=np.random.default_rng(seed),
    )
    return float(test.pvalue)


def _distance_from_zero(values: Floats, axis: int = -1) -> Floats:
    # Round, so that sums of the same numbers in a different order compare as equal.
    return np.asarray(np.abs(values.sum(axis=axis)).round(12))


def _check(values: Floats) -> None:
    if not len(values):
        raise UsageError("a mean needs at least one question, and there are none: choose a collection that has some")
    if not np.isfinite(values).all():
        raise UsageError(
            f"question {int(np.argmin(np.isfinite(values)))} has no finite value: leave it out or correct it"
        )
