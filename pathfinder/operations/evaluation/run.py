"""Comparison of methods on one collection of judged questions."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

from pathfinder.building.progress import Progress, Silent
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.index.token_codecs import TokenForm
from pathfinder.models.ports import Embedder
from pathfinder.operations.evaluation.collections import Collection, read_collection
from pathfinder.operations.evaluation.indexing import IndexedDocuments, index_documents
from pathfinder.operations.evaluation.methods import DEFAULT_METHODS, Ranker, check_methods, make_ranker, parts_needed
from pathfinder.operations.evaluation.metrics import (
    Interval,
    MeanDifference,
    interval_of_mean,
    mean_scores,
    paired_difference,
    score_each,
)
from pathfinder.operations.export.plain_json import JsonObject, same_names, select
from pathfinder.retrieval.stages import Models
from pathfinder.types import Floats, Stage, StageOutcome, StageStatus

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
                name: {measure: _difference(each) for measure, each in of_method.items()}
                for name, of_method in self.differences.items()
            },
            "median_seconds": {name: round(median(method.seconds_each), 4) for name, method in methods},
            "ran": {name: list(method.ran) for name, method in methods if method.ran},
            "fell_back": {name: list(method.fell_back) for name, method in methods if method.fell_back},
        }


def _difference(each: MeanDifference) -> JsonObject:
    low, high = each.interval.low, each.interval.high
    return {
        "difference": each.mean,
        "low": low,
        "high": high,
        "p": each.p,
        "better": each.n_better,
        "worse": each.n_worse,
    }


DEPTH = 1000
"""Depth to which rankings are scored, even if `top_k` is smaller."""

MAX_WORDINGS = 3
"""Maximum number of badges listed for one stage, whose badge may differ from question to question."""

FALLBACKS = (StageOutcome.SUBSTITUTED, StageOutcome.FAILED)
"""Outcomes of a stage that did not run as requested."""

Rankings = Mapping[str, Sequence[str]]


def evaluate_collection(
    folder: Path,
    models: Embedder | Models,
    *,
    corpus: Path | None = None,
    judgements: Path | None = None,
    methods: Sequence[str] = DEFAULT_METHODS,
    cache: Path | None = None,
    progress: Progress | None = None,
    tokens: TokenForm = "full",
    afresh: bool = False,
) -> CollectionReport:
    """Rank the documents of the collection in `folder` for each of its judged questions, with each method.

    `corpus` is a file of documents or the folder of a built corpus, and `judgements` is a qrels file; each replaces the
    collection's own. A file is indexed with tokens in the form `tokens` and, with `afresh`, so is a corpus. A document
    with the same id as the question is left out, and so are those that the question must not find. Methods that use a
    chat model or a reranker behind an API need `Models`; the others need only an embedder. Raises `CorpusError` if a
    file cannot be read, and `UsageError` for a method that is unknown or whose model is missing.
    """
    if not isinstance(models, Models):
        models = Models(models, KeywordExtractor.load())
    names = tuple(dict.fromkeys(methods))
    check_methods(names, models)
    progress = progress or Silent()
    collection = read_collection(folder, corpus, judgements)
    parts = replace(parts_needed(names), tokens=tokens)
    with index_documents(collection.corpus, models.embedder, cache, progress, parts, afresh=afresh) as ground:
        return compare(collection, ground, models, names, progress)


def compare_embedders(
    folder: Path,
    models: Models,
    embedders: Sequence[Embedder],
    *,
    corpus: Path | None = None,
    judgements: Path | None = None,
    methods: Sequence[str] = DEFAULT_METHODS,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> Mapping[str, CollectionReport]:
    """Run each method with each embedder on the collection in `folder`, whose documents are embedded with each of them.

    Returns one report by method, in which each embedder is compared with the first. The parameters are those of
    `evaluate_collection`; the papers of a built corpus are indexed anew, so that all embedders meet the same parts.
    """
    reports = {
        embedder.name: evaluate_collection(
            folder,
            replace(models, embedder=embedder),
            corpus=corpus,
            judgements=judgements,
            methods=methods,
            cache=cache,
            progress=progress,
            afresh=True,
        )
        for embedder in embedders
    }
    first = next(iter(reports.values()))
    return {
        method: CollectionReport(
            f"{first.collection}, {method}",
            first.n_queries,
            {name: report.methods[method] for name, report in reports.items()},
            tuple(dict.fromkeys(note for report in reports.values() for note in report.notes)),
            compared_with=next(iter(reports)),
        )
        for method in first.methods
    }


def compare(
    collection: Collection, ground: IndexedDocuments, models: Models, methods: Sequence[str], progress: Progress
) -> CollectionReport:
    """Compare methods on a collection that has been read and a corpus that is open; each method is compared with the
    first.
    """
    names = tuple(dict.fromkeys(methods))
    check_methods(names, models)
    paper_ids = ground.corpus.papers.paper_ids()
    reports: dict[str, MethodReport] = {}
    rankings: dict[str, Rankings] = {}
    for method in names:
        progress.start(method, len(collection.questions))
        ranker = make_ranker(method, ground.corpus, models)
        reports[method], rankings[method] = _measure(collection, ranker, paper_ids, progress)
        progress.finish()
    notes = (
        *limits(collection, ground),
        *_without_effect(rankings),
        *(f"{name}: {line}" for name, report in reports.items() for line in report.fell_back),
    )
    return CollectionReport(collection.name, len(collection.questions), reports, notes, compared_with=names[0])


def _measure(
    collection: Collection, ranker: Ranker, paper_ids: Sequence[str], progress: Progress
) -> tuple[MethodReport, Rankings]:
    rankings: dict[str, Sequence[str]] = {}
    seconds = []
    stages: list[Stage] = []
    status: list[StageStatus] = []
    for question, text in collection.questions.items():
        start = perf_counter()
        ranking = ranker(text, collection.left_out.get(question, frozenset()))
        seconds.append(perf_counter() - start)
        rankings[question] = [name for name in (paper_ids[row] for row in ranking.rows) if name != question][:DEPTH]
        stages += ranking.stages
        status += ranking.stage_status
        progress.advance(1)
    scores = score_each(collection.judgements, rankings)
    fallbacks = describe_fallbacks(stages, status, len(collection.questions))
    frequent = ((name, badges.most_common(MAX_WORDINGS)) for name, badges in _badges(stages).items())
    ran = tuple(f"{name}: {badge} ({n})" for name, counts in frequent for badge, n in counts)
    return MethodReport(scores, tuple(seconds), ran, fallbacks), rankings


def _badges(stages: Iterable[Stage]) -> dict[str, Counter[str]]:
    """Count the badges of each stage."""
    counts: dict[str, Counter[str]] = {}
    for stage in stages:
        counts.setdefault(stage.name, Counter())[stage.ran] += 1
    return counts


def describe_fallbacks(stages: Sequence[Stage], status: Sequence[StageStatus], n_questions: int) -> tuple[str, ...]:
    """Describe each stage that fell back, with the number of questions and its most frequent badge, one per line.

    `status` contains the status of each of `stages`, in the same order.
    """
    fell_back = (stage for stage, each in zip(stages, status, strict=True) if each.status in FALLBACKS)
    return tuple(
        f"{name} fell back for {badges.total()} of {n_questions} questions: {badges.most_common(1)[0][0]}"
        for name, badges in _badges(fell_back).items()
    )


def limits(collection: Collection, ground: IndexedDocuments) -> tuple[str, ...]:
    """State the collection's caveat, and count the relevant documents that no method can find, and the rows that could
    not be read.
    """
    relevant = {name for grades in collection.judgements.values() for name, grade in grades.items() if grade > 0}
    n_missing = len(relevant - frozenset(ground.corpus.papers.paper_ids()))
    notes = {
        f"{ground.n_rejected} rows of {collection.corpus.name} are not documents or repeat an id": ground.n_rejected,
        f"{n_missing} of {len(relevant)} relevant documents are not in the corpus and cannot be found": n_missing,
    }
    return (*((collection.caveat,) if collection.caveat else ()), *(note for note, n in notes.items() if n))


def _without_effect(rankings: Mapping[str, Rankings]) -> tuple[str, ...]:
    """Note each method that gives every question the same ranking as an earlier method; `default` is exempt."""
    notes = []
    methods: list[str] = []
    for method, ranking in rankings.items():
        twin = next((other for other in methods if rankings[other] == ranking), None)
        if twin is not None and "default" not in (method, twin):
            notes.append(f"{method} gives every question the same ranking as {twin}: its additions have no effect here")
        methods.append(method)
    return tuple(notes)
