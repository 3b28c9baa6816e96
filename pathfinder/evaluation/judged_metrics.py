"""Measures of a ranking, based on a chat model's judgements of papers; `None` stands for a judgement that failed.

A missing judgement is left out of the mean for its question, and a question without any judgement is left out of the
mean over questions. A question without hits scores 0, because that is not a failure of the judge.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over questions."""

    value: float | None
    """Mean; `None` if no question could be counted."""
    n: int
    """Number of questions that were counted."""


def mean_over(values: Iterable[float | None]) -> Mean:
    """Average the values that are not `None`."""
    known_values = [value for value in values if value is not None]
    return Mean(fmean(known_values) if known_values else None, len(known_values))


def context_relevancy(judgements: Sequence[bool | None]) -> float | None:
    """Compute the fraction of one question's contexts that are relevant: `(1/n_j) sum_i R_ij`, in [0, 1].

    This is Lumina's eq. 1, with `mean_over` as its outer sum; as printed, both sums run over i, but the outer sum is
    meant to run over j.
    """
    return _share(judgements)


def context_precision(marks: Sequence[Sequence[bool] | None]) -> float | None:
    """Average the fraction of critical sentences over one question's contexts: `(1/n_j) sum_i s_ij / t_ij`, in [0, 1].

    This is Lumina's eq. 2, with t_ij taken as the total number of sentences in context i. A context without sentences
    scores 0.
    """
    return _share([None if of_context is None else _share(of_context) for of_context in marks])


def has_relevant(grades: Sequence[int | None], k: int) -> float | None:
    """Return 1 if any of the first k grades is at least 1, else 0: ArXiv Scholar's judged recall, which is a hit rate.

    Returns `None` if no known grade is at least 1 and any judgement failed.
    """
    first = grades[:k]
    if any(grade is not None and grade >= 1 for grade in first):
        return 1.0
    return None if None in first else 0.0


def self_normalised_ndcg(grades: Sequence[int | None], k: int) -> float | None:
    """Compute nDCG@k as ArXiv Scholar does, with linear gains and the best order of the retrieved grades as the ideal;
    in [0, 1].

    It measures how well the list is ordered, not whether anything was missed: a list consisting of one poor paper
    scores 1. A list without any relevant paper scores 0.
    """
    known_grades = _known_grades(grades)
    return known_grades if known_grades is None else _ratio(known_grades, known_grades, k)


def corpus_wide_ndcg(
    documents: Sequence[str], grades: Mapping[str, int | None], others: Mapping[str, int], k: int
) -> float | None:
    """Compute nDCG@k with linear gains, taking the best order of all known grades of the question as the ideal; in [0,
    1].

    `documents` is a single ranking; `grades` are the judge's grades for documents found by this or any other method;
    and `others` are the collection's own grades, used for documents that the judge did not grade.
    """
    known_grades = _known_grades([grades.get(document) for document in documents])
    if known_grades is None:
        return None
    of_judge = {document: grade for document, grade in grades.items() if grade is not None}
    own = {document: max(grade, 0) for document, grade in others.items()}
    return _ratio(known_grades, list({**own, **of_judge}.values()), k)


def _share(values: Sequence[float | None]) -> float | None:
    """Average `values`; 0 if there are none, `None` if every judgement failed."""
    if not values:
        return 0.0
    return mean_over(values).value


def _known_grades(grades: Sequence[int | None]) -> Sequence[int] | None:
    """Remove the failed grades; `None` if all of them failed."""
    known_grades = [grade for grade in grades if grade is not None]
    return None if grades and not known_grades else known_grades


def _ratio(grades: Sequence[int], known_grades: Sequence[int], k: int) -> float:
    ideal = _discounted_gain(sorted(known_grades, reverse=True), k)
    return _discounted_gain(grades, k) / ideal if ideal else 0.0


def _discounted_gain(grades: Sequence[int], k: int) -> float:
    return sum(grade / math.log2(place + 1) for place, grade in enumerate(grades[:k], start=1))
