"""How good what was found is, from judgements of it alone: sums over lists in which `None` is a judgement that failed.

A missing judgement is left out of its mean, and a question without any judgement out of the mean over questions. A
question that nothing was found for has 0: that is no failure of the judge.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True, slots=True)
class Mean:
    """An average over questions."""

    value: float | None
    """`None` where no question could be counted."""
    n: int
    """How many questions were."""


def mean_over(values: Iterable[float | None]) -> Mean:
    """The mean of the values there are."""
    known = [value for value in values if value is not None]
    return Mean(fmean(known) if known else None, len(known))


def context_relevancy(judgements: Sequence[bool | None]) -> float | None:
    """Share of one question's contexts that are relevant: `(1/n_j) sum_i R_ij`, in [0, 1].

    Lumina's eq. 1, of which `mean_over` is the outer sum; as printed both sums run over i, and the outer one is meant
    to run over j.
    """
    return _share(judgements)


def context_precision(marks: Sequence[Sequence[bool] | None]) -> float | None:
    """Share of critical sentences, averaged over one question's contexts: `(1/n_j) sum_i s_ij / t_ij`, in [0, 1].

    Lumina's eq. 2; t_ij is read as the number of all sentences of context i. A context without a sentence has 0.
    """
    return _share([None if of_context is None else _share(of_context) for of_context in marks])


def has_relevant(grades: Sequence[int | None], k: int) -> float | None:
    """1 where any of the first k grades is at least 1, else 0: ArXiv Scholar's judged recall, which is a hit rate.

    `None` where none is, and a judgement that failed might have been.
    """
    first = grades[:k]
    if any(grade is not None and grade >= 1 for grade in first):
        return 1.0
    return None if None in first else 0.0


def self_normalised_ndcg(grades: Sequence[int | None], k: int) -> float | None:
    """nDCG@k whose ideal is the best order of the very grades that were found, linear gains; in [0, 1].

    As ArXiv Scholar computes it. It says how well the list is ordered, not whether anything was missed: a list of one
    poor paper has 1. A list without any relevant paper has 0.
    """
    known = _known(grades)
    return known if known is None else _ratio(known, known, k)


def corpus_wide_ndcg(
    found: Sequence[str], grades: Mapping[str, int | None], others: Mapping[str, int], k: int
) -> float | None:
    """nDCG@k whose ideal is made of every grade that is known of the question, linear gains; in [0, 1].

    `found` are the documents of one list, `grades` what the judge gave, to them or to another method's, and `others`
    the collection's own, which count for documents that the judge did not grade.
    """
    known = _known([grades.get(document) for document in found])
    if known is None:
        return None
    of_judge = {document: grade for document, grade in grades.items() if grade is not None}
    own = {document: max(grade, 0) for document, grade in others.items()}
    return _ratio(known, list({**own, **of_judge}.values()), k)


def _share(values: Sequence[float | None]) -> float | None:
    """Their mean; 0 where there is nothing to judge, `None` where every judgement failed."""
    if not values:
        return 0.0
    return mean_over(values).value


def _known(grades: Sequence[int | None]) -> Sequence[int] | None:
    """The grades there are, closed up; `None` where there should be some and every one failed."""
    known = [grade for grade in grades if grade is not None]
    return None if grades and not known else known


def _ratio(grades: Sequence[int], known: Sequence[int], k: int) -> float:
    ideal = _discounted(sorted(known, reverse=True), k)
    return _discounted(grades, k) / ideal if ideal else 0.0


def _discounted(grades: Sequence[int], k: int) -> float:
    return sum(grade / math.log2(place + 1) for place, grade in enumerate(grades[:k], start=1))
