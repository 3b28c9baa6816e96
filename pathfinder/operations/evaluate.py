"""How good the search is on judged questions; add-ons add other measurements to the same group of commands."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias

from pydantic import BeforeValidator

from pathfinder.building import Progress, embedder_for
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.errors import UsageError
from pathfinder.models.loading import load_chat, load_embedder, load_reranker
from pathfinder.operations.evaluation.metrics import MEASURES, SHOWN_MEASURES, Interval, MeanDifference
from pathfinder.operations.evaluation.run import FEW_QUESTIONS, CollectionReport, compare_embedders, evaluate_collection
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.operations.operation import Declarer, Need, Result, Shell, declare
from pathfinder.retrieval.stages import Models
from pathfinder.settings import Settings, read_settings

_METHODS = "Methods; the others are compared with the first. A + combines methods."
_EMBEDDERS = (
    "Embedders; the others are compared with the first. All papers are embedded with each; JSON has one report for "
    "each method."
)
_MEASURES = "Measures to show in the table; JSON contains all of them."
_DOCUMENTS = "File of documents, or a corpus, if not in DIR."
Collection: TypeAlias = Annotated[
    Path, Shell("DIR", "Folder with corpus.jsonl, queries.jsonl and qrels, in the BEIR format.")
]
Documents: TypeAlias = Annotated[Path | None, Shell("--corpus FILE-OR-DIR", _DOCUMENTS)]
Qrels: TypeAlias = Annotated[Path | None, Shell("--qrels FILE", "Relevance judgements, if not in DIR.")]
Cache: TypeAlias = Annotated[Path | None, Shell("--cache DIR", "Cache embeddings here for the next run.")]
Measures: TypeAlias = Annotated[str | None, Shell("--measures NAME,NAME", _MEASURES)]
declare_measurement: Declarer = partial(declare, settings=(), opens="nothing", reports=True)
"""Declares an operation that measures something, and reports its progress."""


def models_for(source: Path, settings: Settings) -> Models:
    """Return all models that a search of `source` may use."""
    # `rerankers` is called for every question, but loads each reranker only once.
    rerankers = lru_cache(None)(partial(load_reranker, settings=settings))
    return Models(embedder_for(None, source, settings), KeywordExtractor.load(), load_chat(settings), rerankers)


def names_in(text: str) -> list[str]:
    """Return the names in a list with commas."""
    return [name.strip() for name in text.split(",")]


def measures_in(text: str | None) -> list[str]:
    """Return the measures to show. Raises `UsageError` for a name that no measure has."""
    names = list(SHOWN_MEASURES) if text is None else names_in(text)
    if unknown_names := [name for name in names if name not in MEASURES]:
        raise UsageError(f"there is no measure {unknown_names[0]!r}: choose from {', '.join(MEASURES)}")
    return names


# The results as plain-text tables.

CELL = 22
"""Column width in characters: holds "0.738 [0.70, 0.78]" and a gap."""
_WIDE_CELL = 34
"""Column width in characters: holds "+0.013 [-0.01, +0.03] p 0.02"."""


def _table(report: CollectionReport, measures: Sequence[str]) -> Iterator[str]:
    """Format one line per method with the interval of each mean, then one line per method with its difference from the
    first method.
    """
    yield f"{report.collection}: {report.n_queries} judged questions"
    width = max(map(len, (*report.methods, "default"))) + 2
    yield " " * width + "".join(f"{measure:>{CELL}}" for measure in measures) + f"{'seconds':>10}"
    for name, method in report.methods.items():
        yield f"{name:{width}}{cells(report, name, measures)}{method.seconds:10.3f}"
    for name, method in report.methods.items():
        yield from (f"{name}, as it ran: {line}" for line in method.fell_back)
    if not report.differences:
        return
    yield ""
    yield f"difference from {report.compared_with}, its 95% interval and the p-value of a paired sign-flip test"
    for name, differences in report.differences.items():
        texts = [difference_text(differences[measure]) for measure in measures]
        yield f"{name:{width}}" + "".join(f"{text:>{_WIDE_CELL}}" for text in texts)
    if report.n_queries < FEW_QUESTIONS:
        yield f"fewer than {FEW_QUESTIONS} questions: the intervals are rough guesses"


def cells(report: CollectionReport, name: str, measures: Sequence[str]) -> str:
    """Format the mean of each measure for one method, with its interval."""
    method, intervals = report.methods[name], report.intervals[name]
    texts = [f"{method.values(measure).mean():.3f} {interval_text(intervals[measure])}" for measure in measures]
    return "".join(f"{text:>{CELL}}" for text in texts)


def difference_text(difference: MeanDifference) -> str:
    """Format a difference: "+0.013 [-0.01, +0.03] p 0.02"."""
    p = f"{difference.p:.2f}" if difference.p >= 0.095 else f"{difference.p:.1g}"
    return f"{difference.mean:+.3f} [{difference.interval.low:+.2f}, {difference.interval.high:+.2f}] p {p}"


def interval_text(interval: Interval) -> str:
    """Format an interval: "[0.70, 0.78]"."""
    return f"[{interval.low:.2f}, {interval.high:.2f}]"


class Measured(NamedTuple):
    """A report, or those of several embedders by method, and the measures to show of it."""

    reports: Mapping[str, CollectionReport]
    measures: Sequence[str]
    by_embedder: bool

    @property
    def notes(self) -> list[str]:
        """The limits of all figures."""
        return list(dict.fromkeys(note for report in self.reports.values() for note in report.notes))


class CollectionFigures(Result):
    """Performance of methods on the judged questions of a collection."""

    collection: str
    n_queries: int
    compared_with: str
    """Method with which all others are compared."""
    methods: dict[str, dict[str, float]]
    """By method, the mean of each measure over the questions, and the total "seconds"."""
    intervals: dict[str, dict[str, tuple[float, float]]]
    """By method, the 95% interval of each mean."""
    differences: dict[str, dict[str, dict[str, int | float]]]
    """By method and measure, the difference from the one in "compared_with"."""
    median_seconds: dict[str, float]
    """By method, per question."""
    ran: dict[str, list[str]]
    """By method, the stages that ran."""
    fell_back: dict[str, list[str]]
    """By method, the stages that did something other than what the method requests."""


def _record(measured: Measured) -> JsonObject:
    records = {method: report.record() for method, report in measured.reports.items()}
    return records if measured.by_embedder else records[""]


@declare_measurement(
    "evaluate collection",
    needs=(Need.CHAT_IF_ASKED,),
    result=Annotated[CollectionFigures | dict[str, CollectionFigures], BeforeValidator(_record)],
    lines=lambda measured: (line for report in measured.reports.values() for line in _table(report, measured.measures)),
)
def collection(
    _: None,
    folder: Collection,
    documents: Documents = None,
    qrels: Qrels = None,
    methods: Annotated[str, Shell("--methods NAME,NAME", _METHODS)] = "default,tfidf,bm25,dense,hybrid",
    embedder: Annotated[str | None, Shell("--embedder NAME,NAME", _EMBEDDERS)] = None,
    cache: Cache = None,
    measures: Measures = None,
    progress: Progress | None = None,
) -> Measured:
    """Run each search method on a collection of judged questions, and report how good the rankings are."""
    shown, settings = measures_in(measures), read_settings()
    embedders = [load_embedder(name, settings) for name in names_in(embedder)] if embedder else []
    models = models_for(documents or folder, settings)
    options: dict[str, Any] = {
        "corpus": documents,
        "judgements": qrels,
        "methods": names_in(methods),
        "cache": cache,
        "progress": progress,
    }
    if embedders:
        return Measured(compare_embedders(folder, models, embedders, **options), shown, by_embedder=True)
    return Measured({"": evaluate_collection(folder, models, **options)}, shown, by_embedder=False)
