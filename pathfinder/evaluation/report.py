"""How methods did on judged questions, with what chance makes of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import TypedDict

import numpy as np

from pathfinder.evaluation.bootstrap import Difference, Interval, interval_of_mean, paired_difference
from pathfinder.evaluation.metrics import mean_scores
from pathfinder.types import Floats

FEW_QUESTIONS = 20
"""Below, an interval over questions is itself a guess."""


class DifferenceRecord(TypedDict):
    """A paired comparison as JSON."""

    difference: float
    low: float
    high: float
    p: float
    better: int
    worse: int


class CollectionRecord(TypedDict):
    """A report as JSON."""

    collection: str
    n_queries: int
    methods: dict[str, dict[str, float]]
    """Each measure averaged over the questions, and `seconds` for all of them together."""
    intervals: dict[str, dict[str, tuple[float, float]]]
    """95% of each mean, by method and measure."""
    compared_with: str
    """The method that every other one is compared with."""
    differences: dict[str, dict[str, DifferenceRecord]]
    """Of every other method, by measure."""
    median_seconds: dict[str, float]
    """A question."""
    ran: dict[str, list[str]]
    """What really ran for each method, as its badges say it, and for how many questions."""
    fell_back: dict[str, list[str]]
    """Of the methods that did not run as they are called: which stage, for how many questions, and what it did."""


@dataclass(frozen=True, slots=True)
class MethodReport:
    """How one method did."""

    scores: Mapping[str, Mapping[str, float]]
    """Every measure of every question, in [0, 1]: `scores["ndcg@10"]["q1"]`."""
    seconds_each: tuple[float, ...]
    """For each question, its embedding included."""
    ran: tuple[str, ...] = ()
    """What really ran, as the badges of a search say it, and for how many questions."""
    fell_back: tuple[str, ...] = ()
    """Stages that did something else than the method asks, and for how many questions."""

    @property
    def seconds(self) -> float:
        """For all questions together."""
        return sum(self.seconds_each)

    def values(self, measure: str) -> Floats:
        """One measure of every question, shape (n_queries,)."""
        return np.array(list(self.scores[measure].values()), dtype=np.float64)


@dataclass(frozen=True)
class CollectionReport:
    """How methods did on the judged questions of a collection."""

    collection: str
    n_queries: int
    methods: Mapping[str, MethodReport]
    notes: tuple[str, ...]
    """What bounds the figures: documents that are not in the corpus, methods that did nothing."""
    compared_with: str
    """The method that every other one is compared with; the first, where nobody chose."""

    @cached_property
    def intervals(self) -> Mapping[str, Mapping[str, Interval]]:
        """95% of each mean over the questions, by method and measure."""
        return {
            name: {measure: interval_of_mean(method.values(measure)) for measure in method.scores}
            for name, method in self.methods.items()
        }

    @cached_property
    def differences(self) -> Mapping[str, Mapping[str, Difference]]:
        """Each other method against the one that is compared with, question by question."""
        return {
            name: {measure: self.difference(name, measure) for measure in method.scores}
            for name, method in self.methods.items()
            if name != self.compared_with
        }

    def difference(self, method: str, measure: str) -> Difference:
        """One method against the one that is compared with, by one measure."""
        first = self.methods[self.compared_with]
        return paired_difference(first.values(measure), self.methods[method].values(measure))

    def record(self) -> CollectionRecord:
        """The report as JSON."""
        return {
            "collection": self.collection,
            "n_queries": self.n_queries,
            "methods": {
                name: {**mean_scores(method.scores), "seconds": round(method.seconds, 3)}
                for name, method in self.methods.items()
            },
            "intervals": {
                name: {measure: (interval.low, interval.high) for measure, interval in of_method.items()}
                for name, of_method in self.intervals.items()
            },
            "compared_with": self.compared_with,
            "differences": {
                name: {measure: _record(difference) for measure, difference in of_method.items()}
                for name, of_method in self.differences.items()
            },
            "median_seconds": {name: round(median(method.seconds_each), 4) for name, method in self.methods.items()},
            "ran": {name: list(method.ran) for name, method in self.methods.items() if method.ran},
            "fell_back": {name: list(method.fell_back) for name, method in self.methods.items() if method.fell_back},
        }


def _record(difference: Difference) -> DifferenceRecord:
    return {
        "difference": difference.mean,
        "low": difference.interval.low,
        "high": difference.interval.high,
        "p": difference.p,
        "better": difference.n_better,
        "worse": difference.n_worse,
    }
