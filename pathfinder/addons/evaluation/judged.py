"""Evaluation of search methods by a chat model's judgements, for questions whose papers have not all been judged.

The measures are context relevancy, context precision, judged recall and nDCG.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from pathfinder.addons.evaluation.judges import Context, Cost, Judge
from pathfinder.building.progress import Progress, Silent, stage_of
from pathfinder.operations.evaluation.metrics import Judgements
from pathfinder.types import MAX_TOP_K, Hit, SearchRequest, SearchResult

Search = Callable[[SearchRequest], SearchResult]

N_CALLS_PER_PAPER = 3


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over questions."""

    value: float | None
    """Mean; `None` if no question could be counted."""
    n: int
    """Number of questions that were counted."""


@dataclass(frozen=True, slots=True)
class JudgedReport:
    """Performance of methods according to one judge."""

    judge: str
    n_questions: int
    top_k: int
    methods: Mapping[str, Mapping[str, Mean]]
    cost: Cost
    notes: tuple[str, ...]

    @property
    def means(self) -> dict[str, dict[str, float | None]]:
        """The mean of each measure by method; `None` if no question could be counted."""
        return {name: {key: mean.value for key, mean in of.items()} for name, of in self.methods.items()}

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """The number of questions over which each mean is taken."""
        return {name: {key: mean.n for key, mean in of.items()} for name, of in self.methods.items()}


@dataclass(frozen=True, slots=True)
class _JudgedHits:
    """Papers found by one method for one question, with their judgements."""

    paper_ids: tuple[str, ...]
    relevant: tuple[bool | None, ...]
    critical: tuple[tuple[bool, ...] | None, ...]
    grades: tuple[int | None, ...]


def evaluate_judged(
    questions: Mapping[str, str],
    methods: Mapping[str, Callable[[str], SearchRequest]],
    search: Search,
    judge: Judge,
    *,
    top_k: int,
    judgements: Judgements | None = None,
    progress: Progress | None = None,
) -> JudgedReport:
    """Search for each question with each method, and have the first `top_k` papers judged.

    `methods` maps the name of each method to a function that makes its request; `judgements` are the collection's own.
    A paper with the same id as the question is left out. Raises the judge's errors; earlier judgements stay in its
    cache, if it has one.
    """
    progress = progress or Silent()
    n_calls = len(questions) * len(methods) * top_k * N_CALLS_PER_PAPER
    progress.say(f"at most {n_calls} calls to {judge.name}: earlier judgements are reused")
    judged_hits: dict[str, dict[str, _JudgedHits]] = {}
    notes: list[str] = []
    for method, request in methods.items():
        judged_hits[method] = {}
        for name, question in stage_of(questions.items(), progress, method):
            # One more paper, to replace the one from which the question itself was made.
            result = search(replace(request(question), top_k=min(top_k + 1, MAX_TOP_K)))
            hits = tuple(hit for hit in result.hits if hit.paper.paper_id != name)[:top_k]
            judged_hits[method][name] = _judge(question, hits, judge)
            notes += [note for note in result.notes if note not in notes]
    scores = {method: _scores(judged_hits, method, top_k, judgements) for method in methods}
    return JudgedReport(judge.name, len(questions), top_k, scores, judge.cost, (*notes, *failure_notes(judge)))


def failure_notes(judge: Judge) -> tuple[str, ...]:
    """Report how many judgements are missing, with the reason for the first."""
    if not judge.failures:
        return ()
    n, first = len(judge.failures), judge.failures[0]
    return (
        f"{n} judgements failed and are left out of every mean; a later run asks for them again. The first: {first}",
    )


def _judge(question: str, hits: Sequence[Hit], judge: Judge) -> _JudgedHits:
    contexts = [Context(hit.paper.title, hit.paper.abstract, hit.paper.doi) for hit in hits]
    return _JudgedHits(
        paper_ids=tuple(hit.paper.paper_id for hit in hits),
        relevant=tuple(judge.is_relevant(question, context) for context in contexts),
        critical=tuple(judge.critical_sentences(question, context) for context in contexts),
        grades=tuple(judge.grade(question, context) for context in contexts),
    )


def _scores(
    judged_hits: Mapping[str, Mapping[str, _JudgedHits]], method: str, k: int, judgements: Judgements | None
) -> dict[str, Mean]:
    """Return the mean of each measure, in [0, 1], over the first k results. The ideal ranking for `ndcg` includes
    papers that a method missed, so it needs the collection's own judgements; `ndcg_self_normalised` ignores them.
    """
    by_question = judged_hits[method]
    scores = {
        "context_relevancy": mean_over(context_relevancy(hits.relevant) for hits in by_question.values()),
        "context_precision": mean_over(context_precision(hits.critical) for hits in by_question.values()),
        "judged_recall": mean_over(has_relevant(hits.grades, k) for hits in by_question.values()),
        "ndcg_self_normalised": mean_over(self_normalised_ndcg(hits.grades, k) for hits in by_question.values()),
    }
    if judgements is not None:
        scores["ndcg"] = mean_over(
            corpus_wide_ndcg(hits.paper_ids, _pool_grades(judged_hits, name), judgements[name], k)
            for name, hits in by_question.items()
            if name in judgements
        )
    return scores


def _pool_grades(judged_hits: Mapping[str, Mapping[str, _JudgedHits]], name: str) -> dict[str, int | None]:
    """Collect the grades of all papers found by any method for one question."""
    return {
        paper_id: grade
        for of_method in judged_hits.values()
        for paper_id, grade in zip(of_method[name].paper_ids, of_method[name].grades, strict=True)
    }


# The measures of one ranking. `None` stands for a judgement that failed: it is left out of the mean for its question,
# and a question without any judgement out of the mean over questions. A question without hits scores 0: that is no
# failure of the judge.


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
