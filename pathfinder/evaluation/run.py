"""Methods compared on one collection of judged questions."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

from pathfinder.building.progress import Progress, Silent
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.evaluation.collections import Collection, read_collection
from pathfinder.evaluation.fallbacks import fell_back
from pathfinder.evaluation.indexing import Indexed, indexed
from pathfinder.evaluation.methods import METHODS, Ranker, check_methods, make_ranker, wanted
from pathfinder.evaluation.metrics import score_each
from pathfinder.evaluation.report import CollectionRecord, CollectionReport, MethodReport
from pathfinder.models.ports import Embedder
from pathfinder.retrieval.models import Models
from pathfinder.types import Stage

__all__ = ["CollectionRecord", "CollectionReport", "MethodReport", "bounds", "compare", "evaluate_collection"]

DEPTH = 1000
"""How far down rankings are looked at, whatever `top_k` shows of them."""

MAX_WORDINGS = 3
"""How many wordings of one stage's badge are told; a stage may word each question's anew."""

Rankings = Mapping[str, Sequence[str]]


def evaluate_collection(
    folder: Path,
    models: Embedder | Models,
    *,
    corpus: Path | None = None,
    judgements: Path | None = None,
    methods: Sequence[str] = METHODS,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> CollectionReport:
    """Rank the documents of the collection in `folder` for each of its judged questions, by each method.

    `corpus` is a file of documents or the folder of a corpus that is built, `judgements` a qrels file; each
    takes the place of the collection's own. A document whose id is the question's is left out. Methods that
    chat, or rerank behind an API, need `Models`; the others an embedder alone. Raises `CorpusError` where a file
    cannot be read, `UsageError` for a method that is none, or that lacks its model.
    """
    if not isinstance(models, Models):
        models = Models(models, KeywordExtractor.load())
    names = tuple(dict.fromkeys(methods))
    check_methods(names, models)
    progress = progress or Silent()
    collection = read_collection(folder, corpus, judgements)
    with indexed(collection.corpus, models.embedder, cache, progress, wanted(names)) as ground:
        return compare(collection, ground, models, names, progress)


def compare(
    collection: Collection, ground: Indexed, models: Models, methods: Sequence[str], progress: Progress
) -> CollectionReport:
    """The same for a collection that was read and a corpus that is open; each method against the first one named."""
    names = tuple(dict.fromkeys(methods))
    check_methods(names, models)
    paper_ids = ground.corpus.papers.paper_ids()
    reports: dict[str, MethodReport] = {}
    rankings: dict[str, Rankings] = {}
    for method in names:
        progress.start(method, len(collection.questions))
        ranker = make_ranker(method, ground.corpus, models)
        reports[method], rankings[method] = _measured(collection, ranker, paper_ids, progress)
        progress.finish()
    notes = (*bounds(collection, ground), *_without_effect(rankings), *_fallbacks(reports))
    return CollectionReport(collection.name, len(collection.questions), reports, notes, compared_with=names[0])


def _measured(
    collection: Collection, ranker: Ranker, paper_ids: Sequence[str], progress: Progress
) -> tuple[MethodReport, Rankings]:
    rankings: dict[str, Sequence[str]] = {}
    seconds = []
    stages: list[Stage] = []
    for question, text in collection.questions.items():
        started = perf_counter()
        ranked = ranker(text)
        seconds.append(perf_counter() - started)
        rankings[question] = [name for name in (paper_ids[row] for row in ranked.rows) if name != question][:DEPTH]
        stages += ranked.stages
        progress.advance(1)
    scores = score_each(collection.judgements, rankings)
    otherwise = fell_back(stages, len(collection.questions))
    return MethodReport(scores, tuple(seconds), tuple(_what_ran(stages)), otherwise), rankings


def _what_ran(stages: Sequence[Stage]) -> list[str]:
    """The most frequent wordings of each stage's badge, with the number of questions."""
    counts: dict[str, Counter[str]] = {}
    for stage in stages:
        counts.setdefault(stage.name, Counter())[stage.ran] += 1
    return [
        f"{name}: {ran} ({n})" for name, wordings in counts.items() for ran, n in wordings.most_common(MAX_WORDINGS)
    ]


def bounds(collection: Collection, ground: Indexed) -> tuple[str, ...]:
    """What no method can find, and what was not read, for notes."""
    relevant = {name for grades in collection.judgements.values() for name, grade in grades.items() if grade > 0}
    n_missing = len(relevant - frozenset(ground.corpus.papers.paper_ids()))
    notes = {
        f"{ground.n_rejected} rows of {collection.corpus.name} are no document, or repeat an id": ground.n_rejected,
        f"{n_missing} of {len(relevant)} relevant documents are not in the corpus and cannot be found": n_missing,
    }
    return tuple(note for note, n in notes.items() if n)


def _fallbacks(reports: Mapping[str, MethodReport]) -> tuple[str, ...]:
    return tuple(f"{name}: {line}" for name, report in reports.items() for line in report.fell_back)


def _without_effect(rankings: Mapping[str, Rankings]) -> tuple[str, ...]:
    """A method that ranks every question as an earlier one did has done nothing of its own; `default` may."""
    notes = []
    seen: list[str] = []
    for method, ranking in rankings.items():
        twin = next((other for other in seen if rankings[other] == ranking), None)
        if twin is not None and "default" not in (method, twin):
            notes.append(f"{method} ranks every question as {twin} does: what it adds did nothing here")
        seen.append(method)
    return tuple(notes)
