"""The command that measures how well screening works: pathfinder evaluate screening."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import models_for
from pathfinder.errors import UsageError
from pathfinder.screening.choices import CONFIDENCE, ODDS, PROMISED_RECALL, Promise
from pathfinder.settings import read_settings

if TYPE_CHECKING:
    from pathfinder.evaluation.screening import ScreeningRecord

_Collection: TypeAlias = Annotated[
    Path, typer.Argument(metavar="COLLECTION", help="Folder in the BEIR format, or a CSV table in ASReview's layout.")
]
_Documents: TypeAlias = Annotated[
    Path | None, typer.Option("--corpus", metavar="FILE-OR-DIR", help="Documents or a corpus, if not in COLLECTION.")
]
_Qrels: TypeAlias = Annotated[
    Path | None, typer.Option("--qrels", metavar="FILE", help="Judgements, if not in COLLECTION.")
]
_Question: TypeAlias = Annotated[
    str | None, typer.Option("--question", help="The review's question, for a table in ASReview's layout.")
]
_Recall: TypeAlias = Annotated[float, typer.Option("--recall", help="Recall that the stopping rule promises.")]
_Confidence: TypeAlias = Annotated[
    float, typer.Option("--confidence", help="Confidence with which the stopping rule promises this recall.")
]
_Odds: TypeAlias = Annotated[
    float,
    typer.Option(
        "--odds",
        help="The stopping rule assumes that a relevant paper is this many times as likely to be read next as an "
        "irrelevant one; 1 is the published rule, which requires more reading.",
    ),
]
_Runs: TypeAlias = Annotated[int, typer.Option("--runs", help="Number of screenings simulated for the stopping rule.")]
_Cache: TypeAlias = Annotated[
    Path | None, typer.Option("--cache", metavar="DIR", help="Cache embeddings here for the next run.")
]


def screening(
    collection: _Collection,
    corpus: _Documents = None,
    qrels: _Qrels = None,
    question: _Question = None,
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
    from pathfinder.cli.progress import build_progress
    from pathfinder.evaluation.screening import evaluate_screening

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
    from pathfinder.evaluation.screening import write_collection

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
