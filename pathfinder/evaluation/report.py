"""The scores of methods on judged questions, with confidence intervals and tests of their differences."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import median

import numpy as np

from pathfinder.evaluation.metrics import Interval, MeanDifference, interval_of_mean, mean_scores, paired_difference
from pathfinder.export.plain_json import JsonObject, same_names, select
from pathfinder.types import Floats

FEW_QUESTIONS = 20
"""Number of questions below which a confidence interval is itself only a rough guess."""


@dataclass(frozen=True, slots=True)
class MethodReport:
    """Performance of one method."""

    scores: Mapping[str, Mapping[str, float]]
    """Every measure for every question, in [0, 1]: `scores["ndcg@10"]["q1"]`."""
    seconds_each: tuple[float, ...]
    """Seconds for each question, including the time to embed it."""
    ran: tuple[str, ...] = ()
    """Stages that ran: the texts of their badges, each with the number of questions that got it."""
    fell_back: tuple[str, ...] = ()
    """Stages that did something other than what the method requests, with the number of questions affected."""

    @property
    def seconds(self) -> float:
        """Seconds for all questions together."""
        return sum(self.seconds_each)

    def values(self, measure: str) -> Floats:
        """Return the values of one measure, one per question, shape (n_queries,)."""
        return np.array(list(self.scores[measure].values()), dtype=np.float64)


@dataclass(frozen=True)
class CollectionReport:
    """Performance of methods on the judged questions of a collection."""

    collection: str
    n_queries: int
    methods: Mapping[str, MethodReport]
    notes: tuple[str, ...]
    """Limitations of the figures, such as documents that are not in the corpus, or methods without effect."""
    compared_with: str
    """Method with which all others are compared, by default the first."""

    @cached_property
    def intervals(self) -> Mapping[str, Mapping[str, Interval]]:
        """95% interval of each mean over the questions, by method and measure."""
        return {
            name: {measure: interval_of_mean(method.values(measure)) for measure in method.scores}
            for name, method in self.methods.items()
        }

    @cached_property
    def differences(self) -> Mapping[str, Mapping[str, MeanDifference]]:
        """Comparison of each other method with `compared_with`, question by question."""
        return {
            name: {measure: self.difference(name, measure) for measure in method.scores}
            for name, method in self.methods.items()
            if name != self.compared_with
        }

    def difference(self, method: str, measure: str) -> MeanDifference:
        """Compare one method with `compared_with` by one measure."""
        first = self.methods[self.compared_with]
        return paired_difference(first.values(measure), self.methods[method].values(measure))

    def record(self) -> JsonObject:
        """Return the report as JSON, each part by method: the mean of each measure over the questions and the total
        seconds, the 95% interval of each mean, the differences from the method in "compared_with", the median seconds
        per question, and the stages that ran and those that fell back.
        """
        methods = self.methods.items()
        return {
            **select(self, same_names("collection n_queries compared_with")),
            "methods": {
                name: mean_scores(method.scores) | {"seconds": round(method.seconds, 3)} for name, method in methods
            },
            "intervals": {
                name: {measure: (interval.low, interval.high) for measure, interval in of_method.items()}
                for name, of_method in self.intervals.items()
            },
            "differences": {
                name: {measure: difference_record(each, "difference") for measure, each in of_method.items()}
                for name, of_method in self.differences.items()
            },
            "median_seconds": {name: round(median(method.seconds_each), 4) for name, method in methods},
            "ran": {name: list(method.ran) for name, method in methods if method.ran},
            "fell_back": {name: list(method.fell_back) for name, method in methods if method.fell_back},
        }


def difference_record(each: MeanDifference, mean: str) -> JsonObject:
    """Write a difference as JSON, with the mean under the key `mean`."""
    low, high = each.interval.low, each.interval.high
    return {mean: each.mean, "low": low, "high": high, "p": each.p, "better": each.n_better, "worse": each.n_worse}
