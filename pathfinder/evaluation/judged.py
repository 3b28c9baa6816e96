"""Methods of search judged by a chat model, where nobody has judged every paper: CR, CP, judged recall and nDCG."""

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
"""All in [0, 1], over the first k. `ndcg` has a corpus-wide ideal, and is there only with judgements of the
collection's own; `ndcg_self_normalised` does not see what was missed."""

N_CALLS_PER_PAPER = 3


class JudgedRecord(TypedDict):
    """A report as JSON."""

    judge: str
    n_questions: int
    top_k: int
    methods: dict[str, dict[str, float | None]]
    """Each measure averaged over the questions; null where none could be counted."""
    counted: dict[str, dict[str, int]]
    """Over how many questions."""
    cost: dict[str, int]
    notes: list[str]


@dataclass(frozen=True, slots=True)
class JudgedReport:
    """How methods did, in the eyes of one judge."""

    judge: str
    n_questions: int
    top_k: int
    methods: Mapping[str, Mapping[str, Mean]]
    cost: Cost
    notes: tuple[str, ...]

    def record(self) -> JudgedRecord:
        """The report as JSON."""
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
    """What judging took, as JSON; tokens are about."""
    return {
        "calls": cost.n_calls,
        "kept_from_before": cost.n_kept,
        "by_rule": cost.n_by_rule,
        "failures": cost.n_failures,
        "tokens_in_about": cost.tokens_in,
        "tokens_out_about": cost.tokens_out,
    }


@dataclass(frozen=True, slots=True)
class _Judged:
    """One method's papers for one question, and what the judge made of them."""

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
    """Search each question by each method, and have the first `top_k` papers judged.

    `methods` are requests by the name of a method, `judgements` the collection's own. A paper whose id is the
    question's is left out. Raises what the judge raises; what it said before is kept where it has a cache.
    """
    progress = progress or Silent()
    n_calls = len(questions) * len(methods) * top_k * N_CALLS_PER_PAPER
    progress.say(f"at most {n_calls} calls to {judge.name}: what was judged before is not asked again")
    found: dict[str, dict[str, _Judged]] = {}
    notes: list[str] = []
    for method, request in methods.items():
        progress.start(method, len(questions))
        found[method] = {}
        for name, question in questions.items():
            result = search(_with_top_k(request(question), top_k))
            hits = tuple(hit for hit in result.hits if hit.paper.paper_id != name)[:top_k]
            found[method][name] = _judge(question, hits, judge)
            notes += [note for note in result.notes if note not in notes]
            progress.advance(1)
        progress.finish()
    scores = {method: _scores(found, method, top_k, judgements) for method in methods}
    return JudgedReport(judge.name, len(questions), top_k, scores, judge.cost, (*notes, *failure_notes(judge)))


def failure_notes(judge: Judge) -> tuple[str, ...]:
    """How many judgements are missing, and the first reason."""
    if not judge.failures:
        return ()
    n, first = len(judge.failures), judge.failures[0]
    return (f"{n} judgements failed and count in no mean; a later run asks for them again. The first: {first}",)


def _judge(question: str, hits: Sequence[Hit], judge: Judge) -> _Judged:
    contexts = [Context(hit.paper.title, hit.paper.abstract, hit.paper.doi) for hit in hits]
    return _Judged(
        paper_ids=tuple(hit.paper.paper_id for hit in hits),
        relevant=tuple(judge.is_relevant(question, context) for context in contexts),
        critical=tuple(judge.critical_sentences(question, context) for context in contexts),
        grades=tuple(judge.grade(question, context) for context in contexts),
    )


def _scores(
    found: Mapping[str, Mapping[str, _Judged]], method: str, k: int, judgements: Judgements | None
) -> dict[str, Mean]:
    own = found[method]
    scores = {
        "context_relevancy": mean_over(context_relevancy(judged.relevant) for judged in own.values()),
        "context_precision": mean_over(context_precision(judged.critical) for judged in own.values()),
        "judged_recall": mean_over(has_relevant(judged.grades, k) for judged in own.values()),
        "ndcg_self_normalised": mean_over(self_normalised_ndcg(judged.grades, k) for judged in own.values()),
    }
    if judgements is not None:
        scores["ndcg"] = mean_over(
            corpus_wide_ndcg(judged.paper_ids, _pooled(found, name), judgements[name], k)
            for name, judged in own.items()
            if name in judgements
        )
    return scores


def _pooled(found: Mapping[str, Mapping[str, _Judged]], name: str) -> dict[str, int | None]:
    """The grades of every paper that any method found for one question."""
    return {
        paper_id: grade
        for of_method in found.values()
        for paper_id, grade in zip(of_method[name].paper_ids, of_method[name].grades, strict=True)
    }


def _with_top_k(request: SearchRequest, top_k: int) -> SearchRequest:
    # One more, in the place of the paper that the question itself comes from.
    return replace(request, top_k=min(top_k + 1, MAX_TOP_K))
