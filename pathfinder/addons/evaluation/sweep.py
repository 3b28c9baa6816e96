"""A sweep: one search parameter varied from 0 to 1 in steps of a tenth, with only one look-up for each question.

The best value in a sweep is best for these questions, but perhaps not for others. Each value is therefore compared with
the default, question by question.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from statistics import fmean
from time import perf_counter

import numpy as np

from pathfinder.building.progress import Progress, Silent, stage_of
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.index.predicate import EVERY_PAPER
from pathfinder.models.ports import Embedder
from pathfinder.operations.evaluation.collections import Collection, read_collection
from pathfinder.operations.evaluation.indexing import IndexedDocuments, index_documents
from pathfinder.operations.evaluation.methods import check_methods, parts_needed, request_of
from pathfinder.operations.evaluation.metrics import score_each
from pathfinder.operations.evaluation.run import CollectionReport, MethodReport, limits
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.retrieval.fusion import DENSE_SHARE, fuse
from pathfinder.retrieval.lookup.indexes import Rankings, look_up_dense, look_up_sparse, unite
from pathfinder.retrieval.stages import Models
from pathfinder.retrieval.strategies import search_by_strategy
from pathfinder.retrieval.weighting import final_scores, ranking
from pathfinder.types import POOL_SIZE, Rows, Weighting

VALUES = tuple(step / 10 for step in range(11))


class SweptParameter(StrEnum):
    """A parameter that a sweep can vary."""

    FUSION = "fusion"
    """Weight of the dense score in the fused score; the sparse score gets the rest."""
    RERANK = "rerank"
    """Weight of the reranker in the final score."""


PARAMETERS = {
    SweptParameter.FUSION: "share of meaning in the fusion",
    SweptParameter.RERANK: "strength of the reranker",
}
DEFAULTS = {SweptParameter.FUSION: DENSE_SHARE, SweptParameter.RERANK: Weighting().rerank}
METHOD = {SweptParameter.FUSION: "hybrid", SweptParameter.RERANK: "rerank"}
"""Search method for each parameter that can be varied."""

Orders = Iterator[Rows]
"""Rankings of the papers for one question, best first: one for each of `VALUES`."""


@dataclass(frozen=True, slots=True)
class SweepReport:
    """Performance for each value of a parameter."""

    over: SweptParameter
    report: CollectionReport
    """Report whose methods are the values, "0.0" to "1.0", compared with the default."""

    def best(self, measure: str) -> float:
        """Return the value with the highest mean; in a tie, the one nearest to the default."""
        means = {value: fmean(self.report.methods[_name(value)].values(measure)) for value in VALUES}
        return max(VALUES, key=lambda value: (means[value], -abs(value - DEFAULTS[self.over])))

    def record(self) -> JsonObject:
        """Return the sweep as JSON: its methods are the values; times cover the ordering, but not the look-up; "best"
        is the best value by each measure.
        """
        measures = next(iter(self.report.methods.values())).scores
        return {
            **self.report.record(),
            "parameter": PARAMETERS[self.over],
            "in_use": DEFAULTS[self.over],
            "best": {measure: self.best(measure) for measure in measures},
        }


def sweep_collection(
    folder: Path,
    models: Embedder | Models,
    over: SweptParameter = SweptParameter.FUSION,
    *,
    corpus: Path | None = None,
    judgements: Path | None = None,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> SweepReport:
    """Try every value on the collection in `folder`; the other parameters are the same as for `evaluate_collection`.

    Raises `UsageError` with the reason if no reranker ran in a sweep over the reranker's weight.
    """
    if not isinstance(models, Models):
        models = Models(models, KeywordExtractor.load())
    progress = progress or Silent()
    collection = read_collection(folder, corpus, judgements)
    with index_documents(collection.corpus, models.embedder, cache, progress, parts_needed([METHOD[over]])) as ground:
        return sweep(collection, ground, models, over, progress)


def sweep(
    collection: Collection, ground: IndexedDocuments, models: Models, over: SweptParameter, progress: Progress
) -> SweepReport:
    """Run the sweep on a collection that has already been read, with a corpus that is already open."""
    check_methods((METHOD[over],), models)
    orders_of = {SweptParameter.FUSION: _by_share, SweptParameter.RERANK: _by_strength}[over](ground.corpus, models)
    paper_ids = ground.corpus.papers.paper_ids()
    rankings: dict[float, dict[str, Sequence[str]]] = {value: {} for value in VALUES}
    seconds: dict[float, list[float]] = {value: [] for value in VALUES}
    for question, text in stage_of(collection.questions.items(), progress, PARAMETERS[over]):
        orders = orders_of(text, collection.left_out.get(question, frozenset()))
        for value in VALUES:
            start = perf_counter()
            names = (paper_ids[row] for row in next(orders))
            rankings[value][question] = [name for name in names if name != question]
            seconds[value].append(perf_counter() - start)
    methods = {
        _name(value): MethodReport(score_each(collection.judgements, rankings[value]), tuple(seconds[value]))
        for value in VALUES
    }
    return SweepReport(
        over,
        CollectionReport(
            collection.name, len(collection.questions), methods, limits(collection, ground), _name(DEFAULTS[over])
        ),
    )


def _by_share(corpus: Corpus, models: Models) -> Callable[[str, frozenset[str]], Orders]:
    def orders(question: str, left_out: frozenset[str]) -> Orders:
        request, predicate = request_of("hybrid", question), EVERY_PAPER.without(left_out)
        (vector,) = models.embedder.embed([question], "query")
        dense, _ = look_up_dense(vector, predicate, corpus.dense)
        sparse, _ = look_up_sparse(request, predicate, corpus.sparse)
        hits = unite(Rankings(dense, sparse, vector, predicate), corpus.dense)
        for share in VALUES:
            fused_scores = fuse(hits.dense, hits.sparse, hits.lowest_cosine, dense_share=share)
            order = np.lexsort((hits.rows, -fused_scores))[:POOL_SIZE]
            # With a dense share of 0, a paper that contains none of the question's words is not found at all.
            yield hits.rows[order[fused_scores[order] > 0]]

    return orders


def _by_strength(corpus: Corpus, models: Models) -> Callable[[str, frozenset[str]], Orders]:
    def orders(question: str, left_out: frozenset[str]) -> Orders:
        result = search_by_strategy(replace(request_of("rerank", question), excluded_ids=left_out), corpus, models)
        if result.candidates.rerank is None and len(result.candidates):
            stages = "; ".join(stage.ran for stage in result.stages if stage.name.startswith("rerank"))
            raise UsageError(
                f"no reranker ran ({stages or 'this search has none'}): use a corpus with the parts a reranker needs"
            )
        for strength in VALUES:
            weighting = replace(result.request.weighting, rerank=strength)
            yield result.candidates.rows[ranking(final_scores(result.candidates, weighting))]

    return orders


def _name(value: float) -> str:
    return f"{value:.1f}"
