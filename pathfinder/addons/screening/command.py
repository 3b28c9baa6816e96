"""The operations of a screening in a file, the one that lists those of the page, and the one that measures how well
screening works.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import GenericAlias
from typing import Annotated, Any, NamedTuple, TypeAlias

from pydantic import Field

from pathfinder.addons.screening.decisions import (
    Decision,
    DecisionRow,
    Screening,
    ScreeningVerdict,
    create_session,
    decided_papers,
    decision_rows,
    decisions_csv,
    fit_model,
    next_papers,
    pool_of,
    read_session,
    start_screening,
    write_session,
)
from pathfinder.addons.screening.figure import prisma_svg, written_count
from pathfinder.addons.screening.pool import CONTROL_EVERY, Strategy, WeighingWord, weighing_words
from pathfinder.addons.screening.simulation import ScreeningReport, evaluate_screening, write_collection
from pathfinder.addons.screening.stopping import CONFIDENCE, ODDS, PROMISED_RECALL, Control, Promise
from pathfinder.addons.screening.store import ScreeningStore, take_files
from pathfinder.building import Progress
from pathfinder.cli.open_corpus import open_pathfinder
from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.operations.evaluate import Cache, declare_measurement, models_for
from pathfinder.operations.evaluation.metrics import MeanDifference
from pathfinder.operations.fields import settings_given
from pathfinder.operations.operation import Count, Declarer, Options, Result, Shell, declare, result_of
from pathfinder.settings import read_settings
from pathfinder.shelves.shelf import ShelfStore
from pathfinder.types import Paper, SearchRequest
from pathfinder.user_data import data_folder

_ORDER = "Begin with the papers most likely to be relevant, or with those that teach the model most."
_ODDS = (
    "The stopping rule assumes that a relevant paper is this many times as likely to be read next as an irrelevant "
    "one; 1 is the published rule, which requires more reading."
)
_N_PAPERS = "Screen the first N papers of the question's ranking; by default 1,000, or all papers on a list or shelf."
_Session: TypeAlias = Annotated[Path, Shell("FILE", "The screening's file.")]
_Corpus: TypeAlias = Annotated[Path | None, Shell("--corpus DIR", "Folder of the corpus, if it has been moved.")]
_Recall: TypeAlias = Annotated[float, Field(description="Share of the relevant papers to find.")]
_Confidence: TypeAlias = Annotated[float, Field(description="Confidence with which this share must have been found.")]
_Odds: TypeAlias = Annotated[float, Field(description=_ODDS)]


class StartedScreening(NamedTuple):
    """A screening that has begun."""

    session: Path
    """Its file."""
    n: int
    """Number of papers to screen."""
    notes: list[str]


@declare(
    "screen start",
    settings=("year_from", "year_to"),
    folder_first=True,
    lines=lambda started: (
        f"{started.n:,} papers to screen: `pathfinder screen next {started.session}` shows the first",
    ),
)
def start(
    pf: Pathfinder,
    body: Options,
    question: Annotated[str, Field(description="What the papers should be about.")],
    session: Annotated[Path, Shell("--session FILE", "New file for the decisions, rewritten after each of them.")],
    papers: Annotated[int | None, Field(ge=2, description=_N_PAPERS)] = None,
    ids: Annotated[Path | None, Shell("--ids FILE", "Screen only the papers with these ids, one per line.")] = None,
    within_shelf: Annotated[
        str | None, Shell("--within-shelf SHELF", "Only papers on this shelf that are not marked as out.")
    ] = None,
    order: Annotated[Strategy, Field(description=_ORDER)] = Strategy.CERTAINTY,
    recall: _Recall = PROMISED_RECALL,
    confidence: _Confidence = CONFIDENCE,
    odds: _Odds = ODDS,
    control: Annotated[int, Field(ge=0, description="Draw every Nth paper at random; 0: none.")] = CONTROL_EVERY,
    seed: Annotated[int, Field(ge=0, description="Seed of the control sample.")] = 0,
) -> StartedScreening:
    """Start screening the papers that a question finds."""
    if ids is not None and within_shelf is not None:
        raise UsageError("--ids and --within-shelf cannot be used together: use only one of them")
    promise, years = Promise(recall, confidence, odds), settings_given(body)
    only = (
        ShelfStore.of(pf.corpus.folder).inside(within_shelf) if within_shelf else None if ids is None else _ids_in(ids)
    )
    screening = replace(
        start_screening(pf, SearchRequest(question, **years), papers, only),
        strategy=order,
        promise=promise,
        control_every=control,
        seed=seed,
    )
    create_session(session, pf.corpus.folder.resolve(), screening)
    n_named = len(set(only or screening.paper_ids))
    n_left_out = n_named - len(screening.paper_ids)
    limits = ({"papers": papers} | years).items()
    widened = " and ".join(f"--{name.replace('_', '-')} {value}" for name, value in limits if value is not None)
    note = f"{n_left_out:,} of the {n_named:,} papers named are left out: widen or drop {widened} to screen them too"
    notes = [note] if n_left_out else []
    return StartedScreening(session, len(screening.paper_ids), notes)


def _ids_in(file: Path) -> list[str]:
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{file} is not a list of ids ({error.reason} at byte {error.start}): name a text file in UTF-8 with one "
            "id per line"
        ) from error
    return [line.strip() for line in lines if line.strip()]


class NextPaper(NamedTuple):
    """A paper to decide on."""

    paper: Paper
    is_control: bool
    """True if it was drawn at random."""


class ShownScreening(NamedTuple):
    """A screening as it stands."""

    screening: Screening
    papers: Sequence[NextPaper] = ()
    """The next papers to decide on."""
    words: Sequence[WeighingWord] = ()
    """The words that weigh most towards the verdicts in and out."""
    notes: Sequence[str] = ()
    undone: Decision | None = None
    decisions: Sequence[DecisionRow] = ()
    """Every decision, in order, for an export."""


def _status(without: str = "", **others: Any) -> Any:
    """Derive the model of how a screening stands from `ShownScreening`."""
    estimate = result_of(
        Screening,
        " ".join(each.name for each in fields(Screening)),
        recall="estimate.recall",
        recall_at_least="estimate.recall_at_least",
        missed="estimate.n_missed",
        missed_at_most="estimate.n_missed_at_most",
        promised="promise.recall",
        confidence="promise.confidence",
        odds="promise.odds",
        may_stop="may_stop",
        papers_to_go="papers_to_go",
    )
    return result_of(
        ShownScreening,
        f"screening papers notes undone {without}",
        question="screening.question",
        n=(Count, "screening.paper_ids"),
        read="screening.n_read",
        unread="screening.estimate.n_unread",
        estimate=(estimate, "screening"),
        control=(result_of(Control, **{"in": "n_in"}), "screening.control"),
        prisma="screening.prisma",
        **others,
    )


def _lines(shown: ShownScreening) -> Iterator[str]:
    screening, undone = shown.screening, shown.undone
    if undone:
        yield f"{undone.paper_id} is no longer {undone.verdict}"
    estimate, promise = screening.estimate, screening.promise
    n_later = len(screening.with_verdict(ScreeningVerdict.LATER))
    yield (
        f"{estimate.n_in} in, {len(screening.with_verdict(ScreeningVerdict.OUT))} out, {n_later} later, "
        f"{estimate.n_unread - n_later} unread"
    )
    if estimate.recall is not None and estimate.recall_at_least is not None:
        yield (
            f"recall is at least {estimate.recall_at_least:.0%} with {promise.confidence:.0%} confidence, and at least "
            f"{estimate.recall:.0%} with 50% confidence; up to {estimate.n_missed_at_most:,} unread papers may be "
            "relevant"
        )
    if screening.may_stop:
        yield f"you may stop: {promise.recall:.0%} recall has been reached, with {promise.confidence:.0%} confidence"
    elif estimate.n_in:
        yield f"the rule says to stop after {screening.papers_to_go} more papers if none of them is in"
    for name, sign in (("in", 1), ("out", -1)):
        if weighing := [word.word for word in shown.words if word.weight * sign > 0]:
            yield f"words that weigh towards {name}: {', '.join(weighing)}"


_declare: Declarer = partial(
    declare,
    settings=(),
    opens="nothing",
    result=lambda: _status("decisions"),
    lines=_lines,
)


def _shown(session: Path, corpus: Path | None, n: int) -> ShownScreening:
    folder, screening = read_session(session)
    pf = open_pathfinder(corpus or folder)
    pool = pool_of(pf, screening)
    model = fit_model(pool, screening)
    rows, control = pf.corpus.papers.rows_of(next_papers(pool, screening, model, n)), screening.control_paper()
    papers = [NextPaper(paper, paper.paper_id == control) for paper in pf.corpus.papers.take(rows)]
    if model is None:
        note = "the order is the question's ranking until at least one paper is in and one is out"
        return ShownScreening(screening, papers, notes=(note,))
    return ShownScreening(screening, papers, weighing_words(pool, model))


def _next_lines(shown: ShownScreening) -> Iterator[str]:
    for paper, is_control in shown.papers:
        yield f"{paper.paper_id}{'  [drawn at random]' if is_control else ''}"
        yield from (f"{paper.title} ({paper.year or 'no year'})", paper.abstract, "")
    yield from _lines(shown) if shown.papers else ("every paper has been decided on",)


_NEXT = {"id": "paper.paper_id", "title": "paper.title", "abstract": "paper.abstract", "year": "paper.year"}


@_declare(
    "screen next",
    result=lambda: result_of(
        ShownScreening, "screening notes undone decisions", papers=[result_of(NextPaper, paper=Result, **_NEXT)]
    ),
    lines=_next_lines,
)
def show_next(
    _: None,
    session: _Session,
    n: Annotated[int, Field(ge=1, description="Number of papers to show.")] = 1,
    moved_to: _Corpus = None,
) -> ShownScreening:
    """Show the next paper to decide on."""
    return _shown(session, moved_to, n)


@_declare("screen decide")
def decide(
    _: None,
    session: _Session,
    paper_id: Annotated[str, Shell("ID", "Id of the paper.")],
    verdict: Annotated[ScreeningVerdict, Shell("in|out|later", "The decision; a later one replaces it.")],
    reason: Annotated[
        str | None, Field(description="Reason for the decision, such as why a paper is excluded.")
    ] = None,
) -> ShownScreening:
    """Decide on a paper."""
    folder, before = read_session(session)
    screening = before.decide(paper_id, verdict, datetime.now(UTC), reason)
    write_session(session, folder, screening)
    return ShownScreening(screening)


@_declare("screen undo")
def undo(_: None, session: _Session) -> ShownScreening:
    """Undo the last decision."""
    folder, screening = read_session(session)
    before = screening.undo()
    write_session(session, folder, before)
    return ShownScreening(before, undone=screening.decisions[-1])


def _with_counts(shown: ShownScreening) -> Iterator[str]:
    counts = shown.screening.prisma
    yield from _lines(shown)
    yield f"records identified: {counts.identified:,}; duplicates merged: {written_count(counts.duplicates)}"
    yield f"outside the pool: {counts.not_in_pool:,}; screened: {counts.screened:,}"
    reasons = ", ".join(f"{reason or 'no reason stated'} {n}" for reason, n in counts.excluded_by_reason.items())
    yield f"excluded: {counts.excluded:,}{f' ({reasons})' if reasons else ''}; included: {counts.included:,}"
    yield f"put off: {counts.undecided:,}; not screened: {counts.not_screened:,}"


@_declare("screen status", lines=_with_counts)
def status(_: None, session: _Session, moved_to: _Corpus = None) -> ShownScreening:
    """Say how far the screening has got, which words carry weight, and whether it may stop."""
    return _shown(session, moved_to, 1)


def _csv(shown: ShownScreening) -> str:
    return decisions_csv(shown.decisions)


def _json(shown: ShownScreening) -> str:
    return json.dumps(export.write(shown), indent=1) + "\n"


@_declare(
    "screen export",
    result=lambda: _status(
        strategy="screening.strategy", control_every="screening.control_every", seed="screening.seed"
    ),
    lines=lambda shown: (_csv(shown),),
    is_text=True,
    forms={
        "csv": _csv,
        "json": _json,
        "svg": lambda shown: prisma_svg(shown.screening.prisma),
    },
)
def export(_: None, session: _Session, moved_to: _Corpus = None) -> ShownScreening:
    """Write every decision with its time and reason as CSV, or as JSON with the counts, or the flow diagram as SVG."""
    folder, screening = read_session(session)
    papers = decided_papers(open_pathfinder(moved_to or folder), screening)
    return ShownScreening(screening, decisions=decision_rows(screening, papers))


class ListedScreening(NamedTuple):
    """A screening of the owner of this machine."""

    name: str
    question: str
    progress: str
    """How far it is, in words."""


class ListedScreenings(NamedTuple):
    """Screenings of the owner of this machine, and what is wrong with files of earlier versions that hold others."""

    screenings: list[ListedScreening]
    notes: list[str]


@_declare(
    "screen list",
    folder_first=True,
    opens="corpus",
    result=lambda: result_of(ListedScreenings, "notes"),
    lines=lambda listed: (": ".join(each) for each in listed.screenings),
)
def list_stored(
    corpus: Corpus,
    to: Annotated[
        Path | None, Shell("--to FOLDER", "Also write each as NAME.json in this folder, for `pathfinder screen`.")
    ] = None,
) -> ListedScreenings:
    """List the screenings of a corpus that the owner of this machine has begun on the page, the last one first."""
    folder = data_folder(read_settings())
    problems = take_files(folder, corpus.name, corpus.papers.paper_ids())
    screenings = ScreeningStore(folder, corpus.name).screenings()
    if to is not None:
        if there := next((path for name in screenings if (path := to / f"{name}.json").exists()), None):
            raise UsageError(f"{there} already exists, so nothing was written: name a new folder")
        to.mkdir(parents=True, exist_ok=True)
        for name, screening in screenings.items():
            create_session(to / f"{name}.json", corpus.folder.resolve(), screening)
    listed = [ListedScreening(name, each.question, each.progress) for name, each in screenings.items()]
    return ListedScreenings(listed, problems)


@contextmanager
def _as_folder(collection: Path, question: str | None) -> Iterator[Path]:
    """Yield the folder of a collection; for a table, yield a temporary folder to which it has been written as a
    collection.
    """
    if not collection.exists():
        raise UsageError(
            f"there is no {collection}: name a folder in the BEIR format (corpus.jsonl, queries.jsonl, qrels), or a "
            "CSV table in ASReview's layout with --question"
        )
    if collection.is_dir():
        if question is not None:
            raise UsageError(f"--question is only for a table, but {collection} is a folder with its own questions")
        yield collection
        return
    if question is None:
        raise UsageError(f"{collection} has papers but no question: add --question TEXT, the question of the review")
    with TemporaryDirectory(prefix="pathfinder-") as scratch:
        folder = Path(scratch) / collection.stem
        write_collection(collection, question, folder)
        yield folder


def _measured(report: ScreeningReport) -> Iterator[str]:
    yield f"{report.collection}: {report.n_questions} questions"
    for name, figures in report.methods.items():
        cells = []
        for measure, mean in figures.items():
            low, high = report.intervals[name][measure]
            digits = 1 if measure == "atd" else 3
            cells.append(f"{measure} {mean:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]")
        yield f"{name:8} {'   '.join(cells)}"
    stop = report.stop
    yield (
        f"stopping rule: a recall of {stop.promised} was promised, and reached in {stop.reached:.0%} of {stop.runs} "
        f"runs, after {stop.work:.0%} of the papers on average; recall {stop.mean_recall:.3f} on average, "
        f"{stop.lowest_recall:.3f} at worst"
    )


def _measures() -> Any:
    difference = result_of(
        MeanDifference, "interval", low="interval.low", high="interval.high", better="n_better", worse="n_worse"
    )
    return result_of(
        ScreeningReport,
        "scores promise stops",
        n_questions="n_questions",
        methods="methods",
        intervals="intervals",
        differences=(GenericAlias(dict, (str, difference)), "differences"),
        stop="stop",
    )


@declare_measurement(
    "evaluate screening",
    result=_measures,
    lines=_measured,
)
def evaluate(
    _: None,
    collection: Annotated[Path, Shell("COLLECTION", "Folder in the BEIR format, or a CSV table in ASReview's layout.")],
    documents: Annotated[
        Path | None, Shell("--corpus FILE-OR-DIR", "Documents or a corpus, if not in COLLECTION.")
    ] = None,
    qrels: Annotated[Path | None, Shell("--qrels FILE", "Judgements, if not in COLLECTION.")] = None,
    question: Annotated[
        str | None, Field(description="The review's question, for a table in ASReview's layout.")
    ] = None,
    recall: _Recall = PROMISED_RECALL,
    confidence: _Confidence = CONFIDENCE,
    odds: _Odds = ODDS,
    runs: Annotated[int, Field(description="Number of screenings simulated for the stopping rule.")] = 100,
    cache: Cache = None,
    progress: Progress | None = None,
) -> ScreeningReport:
    """Simulate screenings for judged questions, and report the work that active learning saves and the recall reached
    when the stopping rule says to stop.
    """
    promise, settings = Promise(recall, confidence, odds), read_settings()
    with _as_folder(collection, question) as folder:
        return evaluate_screening(
            folder,
            models_for(documents or folder, settings),
            corpus=documents,
            judgements=qrels,
            cache=cache,
            promise=promise,
            n_runs=runs,
            progress=progress,
        )
