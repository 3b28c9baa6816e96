"""Simulated screenings, in which the relevant papers are known: the work that active learning saves, and the recall
reached by the time the stopping rule ends them.

The model is fitted again once 5% more papers have been decided on, and after each of the first 20 decisions, which
takes less time than fitting it after every decision (AutoTAR waits for 10%; Cormack & Grossman 2015, arXiv:1504.06868).
"""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pathfinder.addons.screening.pool import (
    CONTROL_EVERY,
    ScreeningPool,
    Strategy,
    complete_ranking,
    control_order,
    fit,
    is_control_turn,
    make_pool,
    reading_order,
)
from pathfinder.addons.screening.stopping import Promise, may_stop
from pathfinder.building.progress import Progress, Silent, stage_of
from pathfinder.errors import CorpusError, UsageError
from pathfinder.operations.evaluation.collections import Collection, read_collection
from pathfinder.operations.evaluation.indexing import IndexedDocuments, index_documents
from pathfinder.operations.evaluation.methods import Ranker, make_ranker, parts_needed
from pathfinder.operations.evaluation.metrics import MeanDifference, interval_of_mean, paired_difference
from pathfinder.operations.evaluation.run import limits
from pathfinder.retrieval.stages import Models
from pathfinder.text.files import write_file
from pathfinder.types import Floats, Rows

Relevant = NDArray[np.bool_]

WSS_RECALL = 0.95
_GROWTH = 0.05
"""Share by which the number of decisions grows before the model is fitted again."""


@dataclass(frozen=True, slots=True)
class Stop:
    """State at the end of a simulated screening."""

    recall: float
    """Share of the relevant papers that were read, in [0, 1]."""
    work: float
    """Share of the pool that was read, in [0, 1]."""


def active_order(pool: ScreeningPool, relevant: Relevant) -> Rows:
    """Return all rows of `pool` in the order in which active learning reads them: shape (n,)."""
    return np.fromiter(read_actively(pool, relevant), dtype=np.int64, count=len(pool))


def read_actively(pool: ScreeningPool, relevant: Relevant, seed: int = 0, control_every: int = 0) -> Iterator[int]:
    """Yield the rows of `pool` in the order in which they are read; every `control_every`th is a random paper."""
    is_read = np.zeros(len(pool), dtype=np.bool_)
    at_random = iter(control_order(len(pool), seed))
    queue: Iterator[int] = iter(())
    n_read = fit_at = 0
    while n_read < len(pool):
        if n_read >= fit_at:
            in_rows, out_rows = np.flatnonzero(is_read & relevant), np.flatnonzero(is_read & ~relevant)
            model = fit(pool, in_rows, out_rows, seed) if len(in_rows) and len(out_rows) else None
            order: list[int] = reading_order(
                pool, model, np.flatnonzero(~is_read), len(in_rows), Strategy.CERTAINTY
            ).tolist()
            queue = iter(order)
            fit_at = n_read + max(1, int(_GROWTH * n_read))
        source = at_random if is_control_turn(n_read, control_every) else queue
        row = next(row for row in source if not is_read[row])
        is_read[row] = True
        n_read += 1
        yield int(row)


def simulate_stop(
    pool: ScreeningPool, relevant: Relevant, promise: Promise, control_every: int, seed: int, check_every: int = 10
) -> Stop:
    """Screen until the stopping rule, which is consulted after every `check_every` papers, says to stop."""
    decisions: list[bool] = []
    for row in read_actively(pool, relevant, seed=seed, control_every=control_every):
        decisions.append(bool(relevant[row]))
        if len(decisions) % check_every == 0 and may_stop(decisions, len(pool), promise):
            break
    return Stop(sum(decisions) / int(relevant.sum()), len(decisions) / len(pool))


def work_saved(order: Rows, relevant: Relevant) -> float:
    """Return the work saved over a random order at a recall of 95% (WSS; Cohen et al. 2006,
    doi:10.1197/jamia.M1929): the share of papers still unread when that recall is reached, less 0.05.
    """
    found_at = np.flatnonzero(relevant[order]) + 1
    last = found_at[ceil(WSS_RECALL * len(found_at) - 1e-9) - 1]
    return float(WSS_RECALL - last / len(order))


def time_to_discovery(order: Rows, relevant: Relevant) -> float:
    """Return the mean number of papers read until a relevant one is found, including that one (ATD; Ferdinands et al.
    2023, doi:10.1186/s13643-023-02257-7).
    """
    return float((np.flatnonzero(relevant[order]) + 1).mean())


def random_measures(n: int, n_relevant: int) -> tuple[float, float]:
    """Return the expected `work_saved` and `time_to_discovery` of a random order of `n` papers: the kth of R relevant
    ones is expected at place k (n + 1) / (R + 1).
    """
    k = ceil(WSS_RECALL * n_relevant - 1e-9)
    return WSS_RECALL - k * (n + 1) / (n_relevant + 1) / n, (n + 1) / 2


MIN_RELEVANT = 6
"""Minimum number of relevant papers for a question: with fewer, a recall of 95% means little."""
N_RUNS = 100
MEASURES = ("wss@95", "atd")


@dataclass(frozen=True, slots=True)
class StoppingReport:
    """The recall that the stopping rule promised, and what its runs reached."""

    promised: float
    reached: float
    """Share of the runs that reached the recall promised."""
    work: float
    """Mean share of the papers that were read."""
    confidence: float
    runs: int
    interval: tuple[float, float]
    """95% interval of `reached`."""
    mean_recall: float
    lowest_recall: float


@dataclass(frozen=True, slots=True)
class ScreeningReport:
    """Work and recall of simulated screenings."""

    collection: str
    scores: Mapping[str, Mapping[str, Floats]]
    """`scores[method][measure]`, one value per question."""
    promise: Promise
    stops: tuple[Stop, ...]
    """State in which each run of the stopping rule ended."""
    notes: tuple[str, ...]

    @property
    def n_questions(self) -> int:
        """Number of questions."""
        return len(self.scores["active"]["wss@95"])

    @property
    def methods(self) -> dict[str, dict[str, float]]:
        """The means over the questions: `wss@95`, the share of the papers that need not be read to find 95% of the
        relevant ones, less 0.05; `atd`, the mean number of papers read until a relevant one is found.
        """
        return {name: {measure: float(each.mean()) for measure, each in of.items()} for name, of in self.scores.items()}

    @property
    def intervals(self) -> dict[str, dict[str, tuple[float, float]]]:
        """The 95% intervals of the means."""
        return {name: {measure: _interval(each) for measure, each in of.items()} for name, of in self.scores.items()}

    @property
    def differences(self) -> dict[str, MeanDifference]:
        """`wss@95` of active learning less that of each other method."""
        values = {name: of["wss@95"] for name, of in self.scores.items()}
        return {name: paired_difference(each, values["active"]) for name, each in values.items() if name != "active"}

    @property
    def stop(self) -> StoppingReport:
        """What the stopping rule did."""
        recalls = np.array([stop.recall for stop in self.stops])
        is_reached = (recalls >= self.promise.recall).astype(np.float64)
        return StoppingReport(
            promised=self.promise.recall,
            reached=float(is_reached.mean()),
            work=float(np.mean([stop.work for stop in self.stops])),
            confidence=self.promise.confidence,
            runs=len(self.stops),
            interval=_interval(is_reached),
            mean_recall=float(recalls.mean()),
            lowest_recall=float(recalls.min()),
        )


def _interval(values: Floats) -> tuple[float, float]:
    interval = interval_of_mean(values)
    return interval.low, interval.high


def evaluate_screening(
    folder: Path,
    models: Models,
    *,
    corpus: Path | None = None,
    judgements: Path | None = None,
    cache: Path | None = None,
    promise: Promise | None = None,
    n_runs: int = N_RUNS,
    progress: Progress | None = None,
) -> ScreeningReport:
    """Simulate the screening of the collection in `folder` for each question with at least 6 relevant papers.

    Three orders are compared: active learning, the ranking of the default search, and a random order (in expectation).
    The stopping rule is then run `n_runs` times, on each question in turn, each time with a different control sample.
    `corpus` and `judgements` replace the collection's own. Raises `CorpusError` if a file cannot be read, and
    `UsageError` if no question has enough relevant papers.
    """
    if n_runs < 1:
        raise UsageError(f"the number of runs must be at least 1, got {n_runs}")
    progress, promise = progress or Silent(), promise or Promise()
    collection = read_collection(folder, corpus, judgements)
    with index_documents(collection.corpus, models.embedder, cache, progress, parts_needed(["default"])) as ground:
        pools = _pools(collection, ground, models, progress)
        scores = _scores(pools, progress)
        notes = (*limits(collection, ground), *_few_relevant(len(collection.questions), len(pools)))
    stops = []
    for run in stage_of(range(n_runs), progress, "stopping rule"):
        pool, relevant = pools[run % len(pools)]
        stops.append(simulate_stop(pool, relevant, promise, CONTROL_EVERY, seed=run))
    return ScreeningReport(collection.name, scores, promise, tuple(stops), notes)


def _few_relevant(n_judged: int, n_used: int) -> Iterator[str]:
    if n_used < n_judged:
        yield f"{n_judged - n_used} of {n_judged} questions have fewer than {MIN_RELEVANT} relevant papers: left out"


def _pools(
    collection: Collection, ground: IndexedDocuments, models: Models, progress: Progress
) -> list[tuple[ScreeningPool, Relevant]]:
    """Make the pool of each question with enough relevant papers, and mark the relevant ones."""
    papers = ground.corpus.papers
    ids = papers.paper_ids()
    ranker = make_ranker("default", ground.corpus, models)
    pools = []
    for question, text in stage_of(collection.questions.items(), progress, "ranking"):
        left_out = collection.left_out.get(question, frozenset()) | {question}
        rows = np.flatnonzero(~papers.with_ids(left_out))
        grades = collection.judgements[question]
        relevant = np.array([grades.get(ids[row], 0) > 0 for row in rows], dtype=np.bool_)
        if relevant.sum() >= MIN_RELEVANT:
            pools.append((_pool(text, rows, ground, models, ranker), relevant))
    if not pools:
        raise UsageError(
            f"no question in {collection.name} has {MIN_RELEVANT} or more relevant papers in the corpus: name "
            "another collection"
        )
    return pools


def _pool(text: str, rows: Rows, ground: IndexedDocuments, models: Models, ranker: Ranker) -> ScreeningPool:
    """Make the pool of the papers at `rows`, in the order of the default search; papers below its candidates
    are ordered by their cosine similarity to the question.
    """
    corpus = ground.corpus
    vectors = corpus.dense.vectors(rows)
    vector = models.embedder.embed([text], "query")[0]
    place = np.full(len(corpus.papers), -1, dtype=np.int64)
    place[rows] = np.arange(len(rows))
    candidates = place[ranker(text, frozenset()).rows]
    ranking = complete_ranking(candidates[candidates >= 0], vectors, vector)
    papers = corpus.papers.take(rows)
    return make_pool(papers.paper_ids(), [paper.text for paper in papers], vectors, text, vector, ranking)


def _scores(pools: Sequence[tuple[ScreeningPool, Relevant]], progress: Progress) -> dict[str, dict[str, Floats]]:
    rows: dict[str, list[tuple[float, float]]] = {"active": [], "ranking": [], "random": []}
    for pool, relevant in stage_of(pools, progress, "screening"):
        for name, order in (("active", active_order(pool, relevant)), ("ranking", pool.ranking)):
            rows[name].append((work_saved(order, relevant), time_to_discovery(order, relevant)))
        rows["random"].append(random_measures(len(pool), int(relevant.sum())))
    return {name: dict(zip(MEASURES, np.array(pairs).T, strict=True)) for name, pairs in rows.items()}


# Papers with labels in the layout of ASReview: a CSV table with a title, an abstract and a column of 0s and 1s.

LABELS = ("label_included", "included", "label", "included_label", "final_included")
"""Possible names of the column that says whether a paper is included, in the order in which they are looked for; 1
means yes, 0 means no.
"""
_IDS = ("record_id", "openalex_id", "id")
_TITLES = ("title", "primary_title")
_ABSTRACTS = ("abstract", "notes_abstract")
_QUESTION = "review"
"""Id of the collection's only question."""


def write_collection(path: Path, question: str, folder: Path) -> None:
    """Write the papers from a table in ASReview's layout to `folder`, as a collection in BEIR's layout with a single
    question.

    Rows without a label, or with neither a title nor an abstract, are left out. Raises `CorpusError` if the table
    lacks a column or cannot be read.
    """
    rows = list(_rows(path))
    documents = [{"_id": name, "title": title, "text": abstract} for name, title, abstract, _ in rows]
    judgements = "".join(f"{_QUESTION}\t{name}\t{label}\n" for name, _, _, label in rows)
    folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / "corpus.jsonl", "".join(f"{json.dumps(row)}\n" for row in documents))
    write_file(folder / "queries.jsonl", json.dumps({"_id": _QUESTION, "text": question}) + "\n")
    write_file(folder / "qrels.tsv", judgements)


def _rows(path: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yield the id, title, abstract and label of each usable row; a paper without an id is numbered."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file)
            columns = {name.strip().casefold(): name for name in table.fieldnames or ()}
            label = _column(path, columns, LABELS)
            title, abstract = _column(path, columns, _TITLES), _column(path, columns, _ABSTRACTS)
            key = next((columns[name] for name in _IDS if name in columns), None)
            for number, row in enumerate(table, start=1):
                name = (row[key] or "").strip() if key else ""
                cells = [" ".join((row[column] or "").split()) for column in (title, abstract, label)]
                if cells[2] in ("0", "1") and (cells[0] or cells[1]):
                    yield name or f"row-{number}", cells[0], cells[1], cells[2]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CorpusError(f"{path} cannot be read ({error}): check the file") from error


def _column(path: Path, columns: dict[str, str], names: tuple[str, ...]) -> str:
    for name in names:
        if name in columns:
            return columns[name]
    choices = " or ".join(names)
    raise CorpusError(f"{path} has no column {choices}: ASReview's layout has a title, an abstract and a label")
