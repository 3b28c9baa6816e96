"""One number of the search tried at every tenth from 0 to 1, from one look-up a question.

The best value of a sweep is the best for these questions; on others it may not be. So each value is compared, question
by question, with the one in use.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from time import perf_counter

import numpy as np

from pathfinder.building.progress import Progress, Silent
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.evaluation.collections import Collection, read_collection
from pathfinder.evaluation.indexing import Indexed, indexed
from pathfinder.evaluation.methods import check_methods, request_of, wanted
from pathfinder.evaluation.metrics import score_each
from pathfinder.evaluation.parameters import IN_USE, PARAMETERS, VALUES, Over
from pathfinder.evaluation.report import CollectionRecord, CollectionReport, MethodReport
from pathfinder.evaluation.run import bounds
from pathfinder.models.ports import Embedder
from pathfinder.retrieval.fusion import fuse
from pathfinder.retrieval.lookup import look_up_dense, look_up_sparse, unite
from pathfinder.retrieval.models import Models
from pathfinder.retrieval.strategies.explore import explore
from pathfinder.retrieval.weighting import final_scores, ranking
from pathfinder.types import POOL_SIZE, Rows

METHOD = {Over.FUSION: "hybrid", Over.RERANK: "rerank"}
"""What is searched by."""

Orders = Iterator[Rows]
"""The papers of one question, best first, for each of `VALUES`."""


class SweepRecord(CollectionRecord):
    """A sweep as JSON: its methods are the values, "0.0" to "1.0"; seconds are those of ordering, without look-up."""

    parameter: str
    in_use: float
    best: dict[str, float]
    """The value with the highest mean, by measure; of equals the one nearest to that in use."""


@dataclass(frozen=True, slots=True)
class SweepReport:
    """What each value did."""

    over: Over
    report: CollectionReport
    """Its methods are the values, "0.0" to "1.0", compared with the one in use."""

    def best(self, measure: str) -> float:
        """The value with the highest mean; of equals the one nearest to that in use."""
        means = {value: fmean(self.report.methods[_name(value)].values(measure)) for value in VALUES}
        return max(VALUES, key=lambda value: (means[value], -abs(value - IN_USE[self.over])))

    def record(self) -> SweepRecord:
        """The sweep as JSON."""
        measures = next(iter(self.report.methods.values())).scores
        return {
            **self.report.record(),
            "parameter": PARAMETERS[self.over],
            "in_use": IN_USE[self.over],
            "best": {measure: self.best(measure) for measure in measures},
        }


def sweep_collection(
    folder: Path,
    models: Embedder | Models,
    over: Over = Over.FUSION,
    *,
    corpus: Path | None = None,
    judgements: Path | None = None,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> SweepReport:
    """Try every value on the collection in `folder`; the other parameters are those of `evaluate_collection`.

    Raises `UsageError` where no reranker ran for a sweep over its strength, with what it said.
    """
    if not isinstance(models, Models):
        models = Models(models, KeywordExtractor.load())
    progress = progress or Silent()
    collection = read_collection(folder, corpus, judgements)
    with indexed(collection.corpus, models.embedder, cache, progress, wanted([METHOD[over]])) as ground:
        return sweep(collection, ground, models, over, progress)


def sweep(collection: Collection, ground: Indexed, models: Models, over: Over, progress: Progress) -> SweepReport:
    """The same for a collection that was read and a corpus that is open."""
    check_methods((METHOD[over],), models)
    orders_of = {Over.FUSION: _by_share, Over.RERANK: _by_strength}[over](ground.corpus, models)
    paper_ids = ground.corpus.papers.paper_ids()
    rankings: dict[float, dict[str, Sequence[str]]] = {value: {} for value in VALUES}
    seconds: dict[float, list[float]] = {value: [] for value in VALUES}
    progress.start(PARAMETERS[over], len(collection.questions))
    for question, text in collection.questions.items():
        orders = orders_of(text)
        for value in VALUES:
            started = perf_counter()
            names = (paper_ids[row] for row in next(orders))
            rankings[value][question] = [name for name in names if name != question]
            seconds[value].append(perf_counter() - started)
        progress.advance(1)
    progress.finish()
    return SweepReport(over, _report(collection, rankings, seconds, over, bounds(collection, ground)))


def _report(
    collection: Collection,
    rankings: Mapping[float, Mapping[str, Sequence[str]]],
    seconds: Mapping[float, Sequence[float]],
    over: Over,
    notes: tuple[str, ...],
) -> CollectionReport:
    methods = {
        _name(value): MethodReport(score_each(collection.judgements, rankings[value]), tuple(seconds[value]))
        for value in VALUES
    }
    return CollectionReport(collection.name, len(collection.questions), methods, notes, _name(IN_USE[over]))


def _by_share(corpus: Corpus, models: Models) -> Callable[[str], Orders]:
    def orders(question: str) -> Orders:
        request = request_of("hybrid", question)
        (vector,) = models.embedder.embed([question], "query")
        dense, _ = look_up_dense(vector, None, corpus.dense)
        sparse, _ = look_up_sparse(request, None, corpus.sparse)
        found = unite(dense, sparse, vector, None, corpus.dense)
        for share in VALUES:
            fused = fuse(found.dense, found.sparse, found.lowest_cosine, dense_share=share)
            order = np.lexsort((found.rows, -fused))[:POOL_SIZE]
            # At share 0 a paper without the words was not found at all.
            yield found.rows[order[fused[order] > 0]]

    return orders


def _by_strength(corpus: Corpus, models: Models) -> Callable[[str], Orders]:
    def orders(question: str) -> Orders:
        result = explore(request_of("rerank", question), corpus, models)
        if result.candidates.rerank is None and len(result.candidates):
            said = "; ".join(stage.ran for stage in result.stages if stage.name.startswith("rerank"))
            raise UsageError(
                f"no reranker ran ({said or 'this search has none'}): take a corpus that has what it needs"
            )
        for strength in VALUES:
            weighting = replace(result.request.weighting, rerank=strength)
            yield result.candidates.rows[ranking(final_scores(result.candidates, weighting))]

    return orders


def _name(value: float) -> str:
    return f"{value:.1f}"
