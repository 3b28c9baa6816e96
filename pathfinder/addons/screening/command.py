"""The commands `pathfinder screen` and `pathfinder evaluate screening`, which measures how well screening works."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

from pathfinder.addons.screening.choices import (
    CONFIDENCE,
    CONTROL_EVERY,
    ODDS,
    PROMISED_RECALL,
    Promise,
    ScreeningVerdict,
    Strategy,
)
from pathfinder.cli.options import JsonFlag, WithinShelf, YearFrom, YearTo
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import models_for, open_pathfinder
from pathfinder.errors import UsageError
from pathfinder.operations.shelves import ids_on
from pathfinder.settings import read_settings

if TYPE_CHECKING:
    from pathfinder.addons.screening.decisions import Screening
    from pathfinder.addons.screening.pool import WeighingWord
    from pathfinder.addons.screening.simulation import ScreeningRecord
    from pathfinder.types import Paper, SearchRequest


screen = typer.Typer(
    rich_markup_mode=None,
    help="Decide paper by paper what to include and what to exclude, in an order that adapts to your decisions.",
)

_Session: TypeAlias = Annotated[Path, typer.Argument(metavar="FILE", help="The screening's file.")]
_Folder: TypeAlias = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the corpus.")]
_Question: TypeAlias = Annotated[str, typer.Option("--question", help="What the papers should be about.")]
_NewSession: TypeAlias = Annotated[
    Path, typer.Option("--session", metavar="FILE", help="New file for the decisions, rewritten after each of them.")
]
_NPapers: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--papers",
        min=2,
        metavar="N",
        help="Screen the first N papers of the question's ranking; by default 1,000, or all papers on a list or shelf.",
    ),
]
_Ids: TypeAlias = Annotated[
    Path | None, typer.Option("--ids", metavar="FILE", help="Screen only the papers with these ids, one per line.")
]
_Strategy: TypeAlias = Annotated[
    Strategy,
    typer.Option(
        "--order", help="Begin with the papers most likely to be relevant, or with those that teach the model most."
    ),
]
_Recall: TypeAlias = Annotated[float, typer.Option("--recall", help="Share of the relevant papers to find.")]
_Confidence: TypeAlias = Annotated[
    float, typer.Option("--confidence", help="Confidence with which this share must have been found.")
]
_Odds: TypeAlias = Annotated[
    float,
    typer.Option(
        "--odds",
        help="The stopping rule assumes that a relevant paper is this many times as likely to be read next as an "
        "irrelevant one; 1 is the published rule, which requires more reading.",
    ),
]
_Control: TypeAlias = Annotated[
    int, typer.Option("--control", min=0, metavar="N", help="Draw every Nth paper at random; 0: none.")
]
_Seed: TypeAlias = Annotated[int, typer.Option("--seed", min=0, help="Seed of the control sample.")]
_Corpus: TypeAlias = Annotated[
    Path | None, typer.Option("--corpus", metavar="DIR", help="Folder of the corpus, if it has been moved.")
]
_Reason: TypeAlias = Annotated[
    str | None, typer.Option("--reason", help="Reason for the decision, such as why a paper is excluded.")
]
_Format: TypeAlias = Annotated[
    Literal["csv", "json", "svg"],
    typer.Option("--format", help="Decisions as CSV, or as JSON with the counts; or the PRISMA flow diagram as SVG."),
]


@screen.command()
def start(
    folder: _Folder,
    question: _Question,
    session: _NewSession,
    papers: _NPapers = None,
    ids: _Ids = None,
    within_shelf: WithinShelf = None,
    year_from: YearFrom = None,
    year_to: YearTo = None,
    order: _Strategy = Strategy.CERTAINTY,
    recall: _Recall = PROMISED_RECALL,
    confidence: _Confidence = CONFIDENCE,
    odds: _Odds = ODDS,
    control: _Control = CONTROL_EVERY,
    seed: _Seed = 0,
) -> None:
    """Start screening the papers that a question finds."""
    from pathfinder.addons.screening.decisions import create_session, start_screening
    from pathfinder.types import SearchRequest

    promise, pf = Promise(recall, confidence, odds), open_pathfinder(folder)
    request = SearchRequest(question, year_from=year_from, year_to=year_to)
    only = _ids_in(ids) if ids is not None else None
    if within_shelf is not None:
        if only is not None:
            raise UsageError("--ids and --within-shelf cannot be used together: use only one of them")
        only = list(ids_on(folder, within_shelf))
    screening = replace(
        start_screening(pf, request, papers, only), strategy=order, promise=promise, control_every=control, seed=seed
    )
    create_session(session, folder.resolve(), screening)
    n_named = len(set(only or screening.paper_ids))
    if n_left_out := n_named - len(screening.paper_ids):
        write_notes((f"{n_left_out:,} of the {n_named:,} papers named are left out: {_limits(papers, request)}",))
    write_lines((f"{len(screening.paper_ids):,} papers to screen: `pathfinder screen next {session}` shows the first",))


def _limits(n_papers: int | None, request: "SearchRequest") -> str:
    """Say which options exclude papers in a list of ids, and should therefore be widened or dropped."""
    years = ("--year-from", request.year_from), ("--year-to", request.year_to)
    limits = [f"{name} {value}" for name, value in (("--papers", n_papers), *years) if value is not None]
    return f"widen or drop {' and '.join(limits)} to screen them too"


def _ids_in(file: Path) -> list[str]:
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{file} is not a list of ids ({error.reason} at byte {error.start}): name a text file in UTF-8 with one "
            "id per line"
        ) from error
    return [line.strip() for line in lines if line.strip()]


@screen.command("next")
def next_(
    session: _Session,
    n: Annotated[int, typer.Option("--n", min=1, help="Number of papers to show.")] = 1,
    corpus: _Corpus = None,
    as_json: JsonFlag = False,
) -> None:
    """Show the next paper to decide on."""
    from pathfinder.addons.screening.decisions import read_session

    folder, screening = read_session(session)
    papers, words = _next_papers(corpus or folder, screening, n)
    control = screening.control_paper()
    if as_json:
        rows = [
            {"id": paper.paper_id, "title": paper.title, "abstract": paper.abstract, "year": paper.year,
             "is_control": paper.paper_id == control} for paper in papers
        ]  # fmt: skip
        write_json({"papers": rows, "words": [{"word": word.word, "weight": word.weight} for word in words]})
        return
    for paper in papers:
        mark = "  [drawn at random]" if paper.paper_id == control else ""
        write_lines((f"{paper.paper_id}{mark}", f"{paper.title} ({paper.year or 'no year'})", paper.abstract, ""))
    write_lines(_status_lines(screening, words) if papers else ("every paper has been decided on",))


@screen.command()
def decide(
    session: _Session,
    paper_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the paper.")],
    verdict: Annotated[ScreeningVerdict, typer.Argument(help="The decision; a later one replaces it.")],
    reason: _Reason = None,
) -> None:
    """Decide on a paper."""
    from pathfinder.addons.screening.decisions import read_session, write_session

    folder, screening = read_session(session)
    screening = screening.decide(paper_id, verdict, datetime.now(UTC), reason)
    write_session(session, folder, screening)
    write_lines(_status_lines(screening))


@screen.command()
def undo(session: _Session) -> None:
    """Undo the last decision."""
    from pathfinder.addons.screening.decisions import read_session, write_session

    folder, screening = read_session(session)
    before = screening.undo()
    write_session(session, folder, before)
    last = screening.decisions[-1]
    write_lines((f"{last.paper_id} is no longer {last.verdict}", *_status_lines(before)))


@screen.command()
def status(session: _Session, corpus: _Corpus = None, as_json: JsonFlag = False) -> None:
    """Say how far the screening has got, which words carry weight, and whether it may stop."""
    from pathfinder.addons.screening.decisions import read_session, status_record

    folder, screening = read_session(session)
    _, words = _next_papers(corpus or folder, screening, 1)
    if as_json:
        write_json(status_record(screening, words))
    else:
        write_lines((*_status_lines(screening, words), *_prisma_lines(status_record(screening)["prisma"])))


@screen.command()
def export(session: _Session, form: _Format = "csv", corpus: _Corpus = None) -> None:
    """Write every decision with its time and reason, or the flow diagram."""
    from pathfinder.addons.screening.decisions import decisions_csv, prisma_counts, read_session, screening_record
    from pathfinder.addons.screening.figure import prisma_svg

    folder, screening = read_session(session)
    if form == "svg":
        typer.echo(prisma_svg(prisma_counts(screening)), nl=False)
        return
    pf = open_pathfinder(corpus or folder)
    decided_ids = [decision.paper_id for decision in screening.decisions]
    rows = pf.corpus.papers.rows_of(list(dict.fromkeys(decided_ids)))
    papers = {paper.paper_id: paper for paper in pf.corpus.papers.take(rows)}
    if missing_ids := set(decided_ids) - papers.keys():
        raise UsageError(f"{folder} no longer contains the paper {min(missing_ids)}: open an earlier version to export")
    if form == "json":
        write_json(screening_record(screening, papers))
    else:
        typer.echo(decisions_csv(screening, papers), nl=False)


def _next_papers(folder: Path, screening: "Screening", n: int) -> "tuple[list[Paper], tuple[WeighingWord, ...]]":
    """Return the next `n` papers, and the words that carry weight."""
    from pathfinder.addons.screening.decisions import fit_model, next_papers, pool_of
    from pathfinder.addons.screening.pool import weighing_words

    pf = open_pathfinder(folder)
    pool = pool_of(pf, screening)
    model = fit_model(pool, screening)
    if model is None:
        write_notes(("the order is the question's ranking until at least one paper is in and one is out",))
    rows = pf.corpus.papers.rows_of(next_papers(pool, screening, model, n))
    papers = list(pf.corpus.papers.take(rows))
    return papers, weighing_words(pool, model) if model is not None else ()


def _status_lines(screening: "Screening", words: "tuple[WeighingWord, ...]" = ()) -> Iterator[str]:
    estimate, promise = screening.estimate(), screening.promise
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
    if screening.may_stop():
        yield f"you may stop: {promise.recall:.0%} recall has been reached, with {promise.confidence:.0%} confidence"
    elif estimate.n_in:
        yield f"the rule says to stop after {screening.papers_to_go()} more papers if none of them is in"
    for name, sign in (("in", 1), ("out", -1)):
        if weighing := [word.word for word in words if word.weight * sign > 0]:
            yield f"words that weigh towards {name}: {', '.join(weighing)}"


def _prisma_lines(counts: dict[str, Any]) -> Iterator[str]:
    yield f"records identified: {counts['identified']:,}; duplicates merged: {counts['duplicates']:,}"
    yield f"outside the pool: {counts['not_in_pool']:,}; screened: {counts['screened']:,}"
    reasons = ", ".join(f"{reason or 'no reason stated'} {n}" for reason, n in counts["excluded_by_reason"].items())
    yield f"excluded: {counts['excluded']:,}{f' ({reasons})' if reasons else ''}; included: {counts['included']:,}"
    yield f"put off: {counts['undecided']:,}; not screened: {counts['not_screened']:,}"


_Collection: TypeAlias = Annotated[
    Path, typer.Argument(metavar="COLLECTION", help="Folder in the BEIR format, or a CSV table in ASReview's layout.")
]
_Documents: TypeAlias = Annotated[
    Path | None, typer.Option("--corpus", metavar="FILE-OR-DIR", help="Documents or a corpus, if not in COLLECTION.")
]
_Qrels: TypeAlias = Annotated[
    Path | None, typer.Option("--qrels", metavar="FILE", help="Judgements, if not in COLLECTION.")
]
_ReviewQuestion: TypeAlias = Annotated[
    str | None, typer.Option("--question", help="The review's question, for a table in ASReview's layout.")
]
_Runs: TypeAlias = Annotated[int, typer.Option("--runs", help="Number of screenings simulated for the stopping rule.")]
_Cache: TypeAlias = Annotated[
    Path | None, typer.Option("--cache", metavar="DIR", help="Cache embeddings here for the next run.")
]


def screening(
    collection: _Collection,
    corpus: _Documents = None,
    qrels: _Qrels = None,
    question: _ReviewQuestion = None,
    recall: _Recall = PROMISED_RECALL,
    confidence: _Confidence = CONFIDENCE,
    odds: _Odds = ODDS,
    runs: _Runs = 100,
    cache: _Cache = None,
    as_json: JsonFlag = False,
) -> None:
    """Simulate screenings for judged questions, and report the work that active learning saves and the recall reached
    when the stopping rule says to stop.
    """
    from pathfinder.addons.screening.simulation import evaluate_screening
    from pathfinder.cli.progress import build_progress

    promise, settings = Promise(recall, confidence, odds), read_settings()
    with build_progress() as progress, _as_folder(collection, question) as folder:
        report = evaluate_screening(
            folder,
            models_for(corpus or folder, settings),
            corpus=corpus,
            judgements=qrels,
            cache=cache,
            promise=promise,
            n_runs=runs,
            progress=progress,
        )
    record = report.record()
    write_notes(report.notes)
    write_json({**record}) if as_json else write_lines(_lines(record))


@contextmanager
def _as_folder(collection: Path, question: str | None) -> Iterator[Path]:
    """Yield the folder of a collection; for a table, yield a temporary folder to which it has been written as a
    collection.
    """
    from pathfinder.addons.screening.simulation import write_collection

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


def _lines(record: "ScreeningRecord") -> Iterator[str]:
    yield f"{record['collection']}: {record['n_questions']} questions"
    for name, figures in record["methods"].items():
        cells = []
        for measure, mean in figures.items():
            low, high = record["intervals"][name][measure]
            digits = 1 if measure == "atd" else 3
            cells.append(f"{measure} {mean:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]")
        yield f"{name:8} {'   '.join(cells)}"
    stop = record["stop"]
    yield (
        f"stopping rule: a recall of {stop['promised']} was promised, and reached in {stop['reached']:.0%} of "
        f"{stop['runs']} runs, after {stop['work']:.0%} of the papers on average; recall {stop['mean_recall']:.3f} on "
        f"average, {stop['lowest_recall']:.3f} at worst"
    )
