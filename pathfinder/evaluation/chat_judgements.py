"""Evaluation of search methods by a chat model's judgements, for questions whose papers have not all been judged.

The measures are context relevancy, context precision, judged recall and nDCG.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from pathfinder.building.progress import Progress, Silent
from pathfinder.evaluation.judged_metrics import (
    Mean,
    context_precision,
    context_relevancy,
    corpus_wide_ndcg,
    has_relevant,
    mean_over,
    self_normalised_ndcg,
)
from pathfinder.evaluation.judges import Context, Cost, Judge
from pathfinder.evaluation.metrics import Judgements
from pathfinder.types import MAX_TOP_K, Hit, SearchRequest, SearchResult

Search = Callable[[SearchRequest], SearchResult]

MEASURES = ("context_relevancy", "context_precision", "judged_recall", "ndcg_self_normalised", "ndcg")
"""Measures in [0, 1] over the first k results. The ideal ranking for `ndcg` includes papers that a method missed, so
this measure is available only with the collection's own judgements; `ndcg_self_normalised` ignores missed papers.
"""

N_CALLS_PER_PAPER = 3


class JudgedRecord(TypedDict):
    """A report as JSON."""

    judge: str
    n_questions: int
    top_k: int
    methods: dict[str, dict[str, float | None]]
    """Mean of each measure over the questions; null if no question could be counted."""
    counted: dict[str, dict[str, int]]
    """Number of questions over which each mean is taken."""
    cost: dict[str, int]
    notes: list[str]


@dataclass(frozen=True, slots=True)
class JudgedReport:
    """Performance of methods according to one judge."""

    judge: str
    n_questions: int
    top_k: int
    methods: Mapping[str, Mapping[str, Mean]]
    cost: Cost
    notes: tuple[str, ...]

    def record(self) -> JudgedRecord:
        """Return the report as JSON."""
        return {
            "judge": self.judge,
            "n_questions": self.n_questions,
            "top_k": self.top_k,
            "methods": {name: {key: mean.value for key, mean in of.items()} for name, of in self.methods.items()},
            "counted": {name: {key: mean.n for key, mean in of.items()} for name, of in self.methods.items()},
            "cost": cost_record(self.cost),
            "notes": list(self.notes),
        }


def cost_record(cost: Cost) -> dict[str, int]:
    """Return the cost of judging as JSON; token counts are estimates."""
    return {
        "calls": cost.n_calls,
        "kept_from_before": cost.n_cached,
        "by_rule": cost.n_by_rule,
        "failures": cost.n_failures,
        "tokens_in_about": cost.tokens_in,
        "tokens_out_about": cost.tokens_out,
    }


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
        progress.start(method, len(questions))
        judged_hits[method] = {}
        for name, question in questions.items():
            result = search(_with_top_k(request(question), top_k))
            hits = tuple(hit for hit in result.hits if hit.paper.paper_id != name)[:top_k]
            judged_hits[method][name] = _judge(question, hits, judge)
            notes += [note for note in result.notes if note not in notes]
            progress.advance(1)
        progress.finish()
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


def _with_top_k(request: SearchRequest, top_k: int) -> SearchRequest:
    # Find one more paper, to replace the one from which the question itself was made.
    return replace(request, top_k=min(top_k + 1, MAX_TOP_K))
