"""The command that measures the search on judged questions; add-ons add more ways to measure to its group."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import models_for
from pathfinder.errors import UsageError
from pathfinder.settings import read_settings

if TYPE_CHECKING:
    from pathfinder.evaluation.report import CollectionRecord, DifferenceRecord

evaluate = typer.Typer(rich_markup_mode=None, help="Measure how good the search is.")

Folder: TypeAlias = Annotated[
    Path, typer.Argument(metavar="DIR", help="Folder with corpus.jsonl, queries.jsonl and qrels, in the BEIR format.")
]
Documents: TypeAlias = Annotated[
    Path | None, typer.Option("--corpus", metavar="FILE-OR-DIR", help="File of documents, or a corpus, if not in DIR.")
]
Qrels: TypeAlias = Annotated[Path | None, typer.Option(metavar="FILE", help="Relevance judgements, if not in DIR.")]
Cache: TypeAlias = Annotated[Path | None, typer.Option(metavar="DIR", help="Cache embeddings here for the next run.")]
Measures: TypeAlias = Annotated[
    str | None, typer.Option(metavar="NAME,NAME", help="Measures to show in the table; JSON contains all of them.")
]


@evaluate.command()
def collection(
    folder: Folder,
    corpus: Documents = None,
    qrels: Qrels = None,
    methods: Annotated[
        str,
        typer.Option(
            metavar="NAME,NAME", help="Methods; the others are compared with the first. A + combines methods."
        ),
    ] = "default,tfidf,bm25,dense,hybrid",
    embedder: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME",
            help="Embedders; the others are compared with the first. All papers are embedded with each; JSON has one "
            "report for each method.",
        ),
    ] = None,
    cache: Cache = None,
    measures: Measures = None,
    as_json: JsonFlag = False,
) -> None:
    """Run each search method on a collection of judged questions, and report how good the rankings are."""
    from pathfinder.cli.progress import build_progress
    from pathfinder.evaluation.run import compare_embedders, evaluate_collection
    from pathfinder.models.loading import load_embedder

    chosen_measures, settings = measures_in(measures), read_settings()
    embedders = [load_embedder(name, settings) for name in names_in(embedder)] if embedder else []
    models = models_for(corpus or folder, settings)
    with build_progress() as progress:
        options: dict[str, Any] = {
            "corpus": corpus,
            "judgements": qrels,
            "methods": names_in(methods),
            "cache": cache,
            "progress": progress,
        }
        if embedders:
            reports = compare_embedders(folder, models, embedders, **options)
        else:
            reports = {"": evaluate_collection(folder, models, **options)}
    write_notes(dict.fromkeys(note for report in reports.values() for note in report.notes))
    records = {method: report.record() for method, report in reports.items()}
    if as_json:
        write_json(records if embedders else {**records[""]})
    else:
        write_lines(line for record in records.values() for line in evaluation_lines(record, chosen_measures))


def names_in(text: str) -> list[str]:
    """Return the names in a list with commas."""
    return [name.strip() for name in text.split(",")]


def measures_in(text: str | None) -> list[str]:
    """Return the measures to show. Raises `UsageError` for a name that no measure has."""
    from pathfinder.evaluation.metrics import MEASURES, SHOWN_MEASURES

    names = list(SHOWN_MEASURES) if text is None else names_in(text)
    if unknown_names := [name for name in names if name not in MEASURES]:
        raise UsageError(f"there is no measure {unknown_names[0]!r}: choose from {', '.join(MEASURES)}")
    return names


# The results as plain-text tables.

CELL = 22
"""Column width in characters: holds "0.738 [0.70, 0.78]" and a gap."""
_WIDE_CELL = 34
"""Column width in characters: holds "+0.013 [-0.01, +0.03] p 0.02"."""


def evaluation_lines(record: "CollectionRecord", measures: Sequence[str]) -> Iterator[str]:
    """Format one line per method with the interval of each mean, then one line per method with its difference from the
    first method.
    """
    yield f"{record['collection']}: {record['n_queries']} judged questions"
    width = max(map(len, (*record["methods"], "default"))) + 2
    yield " " * width + "".join(f"{measure:>{CELL}}" for measure in measures) + f"{'seconds':>10}"
    for name, figures in record["methods"].items():
        cells = [f"{figures[measure]:.3f} {interval_text(*record['intervals'][name][measure])}" for measure in measures]
        yield f"{name:{width}}" + "".join(f"{cell:>{CELL}}" for cell in cells) + f"{figures['seconds']:10.3f}"
    for name, of_method in record["fell_back"].items():
        yield from (f"{name}, as it ran: {line}" for line in of_method)
    yield from _difference_lines(record, measures, width)


def _difference_lines(record: "CollectionRecord", measures: Sequence[str], width: int) -> Iterator[str]:
    from pathfinder.evaluation.report import FEW_QUESTIONS

    if not record["differences"]:
        return
    yield ""
    yield f"difference from {record['compared_with']}, its 95% interval and the p-value of a paired sign-flip test"
    for name, of_method in record["differences"].items():
        yield f"{name:{width}}" + "".join(
            f"{difference_text(of_method[measure]):>{_WIDE_CELL}}" for measure in measures
        )
    if record["n_queries"] < FEW_QUESTIONS:
        yield f"fewer than {FEW_QUESTIONS} questions: the intervals are rough guesses"


def difference_text(difference: "DifferenceRecord") -> str:
    """Format a difference: "+0.013 [-0.01, +0.03] p 0.02"."""
    p = f"{difference['p']:.2f}" if difference["p"] >= 0.095 else f"{difference['p']:.1g}"
    return f"{difference['difference']:+.3f} [{difference['low']:+.2f}, {difference['high']:+.2f}] p {p}"


def interval_text(low: float, high: float) -> str:
    """Format an interval: "[0.70, 0.78]"."""
    return f"[{low:.2f}, {high:.2f}]"
