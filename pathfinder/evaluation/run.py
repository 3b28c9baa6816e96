"""Methods compared on one collection of judged questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TypedDict

from pathfinder.building.progress import Progress, Silent
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.errors import UsageError
from pathfinder.evaluation.collections import Collection, read_collection
from pathfinder.evaluation.indexing import Indexed, indexed
from pathfinder.evaluation.methods import METHODS, Ranker, make_ranker
from pathfinder.evaluation.metrics import mean_scores, score_each
from pathfinder.models.ports import Embedder

DEPTH = 1000
"""How far down rankings are looked at, whatever `top_k` shows of them."""


class CollectionRecord(TypedDict):
    """A report as JSON."""

    collection: str
    n_queries: int
    methods: dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class MethodReport:
    """How one method did."""

    scores: Mapping[str, Mapping[str, float]]
    """Every measure of every question, in [0, 1]: `scores["ndcg@10"]["q1"]`."""
    seconds: float
    """For all questions together, the embedding of the questions included."""


@dataclass(frozen=True, slots=True)
class CollectionReport:
    """How methods did on the judged questions of a collection."""

    collection: str
    n_queries: int
    methods: Mapping[str, MethodReport]
    notes: tuple[str, ...]
    """What bounds the figures: documents that are not in the corpus."""

    def record(self) -> CollectionRecord:
        """The report as JSON: each measure averaged over the questions."""
        return {
            "collection": self.collection,
            "n_queries": self.n_queries,
            "methods": {
                name: {**mean_scores(method.scores), "seconds": round(method.seconds, 3)}
                for name, method in self.methods.items()
            },
        }


def evaluate_collection(
    folder: Path,
    embedder: Embedder,
    *,
    corpus: Path | None = None,
    judgements: Path | None = None,
    methods: Sequence[str] = METHODS,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> CollectionReport:
    """Rank the documents of the collection in `folder` for each of its judged questions, by each method.

    `corpus` is a file of documents or the folder of a corpus that is built, `judgements` a qrels file; each
    takes the place of the collection's own. A document whose id is the question's is left out. Raises
    `CorpusError` where a file cannot be read, `UsageError` for a method that is not one of `METHODS`.
    """
    if unknown := [method for method in methods if method not in METHODS]:
        raise UsageError(f"there is no method {unknown[0]!r}: choose among {', '.join(METHODS)}")
    progress = progress or Silent()
    collection = read_collection(folder, corpus, judgements)
    extractor = KeywordExtractor.load()
    reports = {}
    with indexed(collection.corpus, embedder, cache, progress) as ground:
        paper_ids = ground.corpus.papers.paper_ids()
        for method in dict.fromkeys(methods):
            progress.start(method, len(collection.questions))
            ranker = make_ranker(method, ground.corpus, embedder, extractor)
            reports[method] = _measured(collection, ranker, paper_ids, progress)
            progress.finish()
        notes = _notes(collection, ground, frozenset(paper_ids))
    return CollectionReport(collection.name, len(collection.questions), reports, notes)


def _measured(collection: Collection, ranker: Ranker, paper_ids: Sequence[str], progress: Progress) -> MethodReport:
    rankings = {}
    seconds = 0.0
    for question, text in collection.questions.items():
        started = perf_counter()
        rows = ranker(text)
        seconds += perf_counter() - started
        rankings[question] = [name for name in (paper_ids[row] for row in rows) if name != question][:DEPTH]
        progress.advance(1)
    return MethodReport(score_each(collection.judgements, rankings), seconds)


def _notes(collection: Collection, ground: Indexed, paper_ids: frozenset[str]) -> tuple[str, ...]:
    relevant = {name for grades in collection.judgements.values() for name, grade in grades.items() if grade > 0}
    n_missing = len(relevant - paper_ids)
    notes = {
        f"{ground.n_rejected} rows of {collection.corpus.name} are no document, or repeat an id": ground.n_rejected,
        f"{n_missing} of {len(relevant)} relevant documents are not in the corpus and cannot be found": n_missing,
    }
    return tuple(note for note, n in notes.items() if n)
