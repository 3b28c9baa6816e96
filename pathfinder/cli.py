"""The command line: pathfinder build | info | search | similar | ask | consensus | check | map | evaluate.

Results go to standard output, everything else to standard error. The exit status is 0 for a result, 2 for
a usage error and 1 for anything else, with one line on standard error that says what to do.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from typer.exceptions import TyperException

from pathfinder.cli_ask import ask
from pathfinder.cli_check import check
from pathfinder.cli_consensus import consensus
from pathfinder.cli_evaluate import evaluate
from pathfinder.cli_map import draw_map
from pathfinder.cli_options import Day, EmbedderName, JsonFlag, searching
from pathfinder.cli_output import complain, prepare_process, write_json, write_lines, write_notes
from pathfinder.cli_settings import chat_for_names, corpus_folder, embedder_for
from pathfinder.cli_similar import similar
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.settings import read_settings
from pathfinder.types import SearchRequest

# What each command works with is imported when it runs: `--help` and a usage error should not wait for it.

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False, help=__doc__)

_NO_PASSAGES = (
    "Leave out the indexes of passages, titles and tokens: builds faster and smaller, but the look-up of passages "
    "and titles and the local reranker then do not run."
)

_NEW_MAP = (
    "Lay the map out anew. By default papers keep their places on it, and new ones are placed among them; links to "
    "places on the old map lose their meaning."
)
_DRIFT = "Lay the map out afresh, and say how far the papers lie from there; takes as long as the map of a build."
_NAME_LABELS = "Let the chat model name the parts of the map; where it does not, their keywords do."

_Sources: TypeAlias = Annotated[
    list[Path] | None, typer.Argument(metavar="SOURCE...", help="JSON lines or CSV, plain or gzipped.")
]
_ThesaurusFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--thesaurus", metavar="FILE", help="Other names of concepts: SKOS (RDF/XML, JSON-LD) or JSON."),
]
_ReviewsFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--reviews", metavar="FILE", help="Review articles, for the map: JSON lines with title and year."),
]

_INTERRUPTED = 130
"""What Typer ends with after Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, by default that of this process; return the exit status."""
    if arguments is None:
        prepare_process()
    try:
        status = int(app(arguments, prog_name="pathfinder", standalone_mode=False) or 0)
    except (TyperException, PathfinderError, OSError, typer.Abort) as error:
        return complain(error)
    return complain(typer.Abort()) if status == _INTERRUPTED else status


@app.command()
def build(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder of the corpus; papers are added to it.")],
    sources: _Sources = None,
    embedder: EmbedderName = None,
    snapshot: Day = None,
    thesaurus: _ThesaurusFile = None,
    reviews: _ReviewsFile = None,
    no_passages: Annotated[bool, typer.Option("--no-passages", help=_NO_PASSAGES)] = False,
    new_map: Annotated[bool, typer.Option("--new-map", help=_NEW_MAP)] = False,
    name_labels: Annotated[bool, typer.Option("--name-labels", help=_NAME_LABELS)] = False,
) -> None:
    """Make a corpus of papers, or add papers to one."""
    from pathfinder.building import MapWish
    from pathfinder.building import build as build_corpus
    from pathfinder.cli_progress import build_progress
    from pathfinder.cli_text import report_lines
    from pathfinder.corpus.manifest import is_corpus

    if not sources and not ((thesaurus or reviews or new_map or name_labels) and is_corpus(out)):
        raise UsageError(
            "no source is named: name files of papers; a thesaurus or reviews alone go into a corpus that is there"
        )
    model = embedder_for(embedder, out, read_settings())
    wish = MapWish(new_map, chat_for_names(read_settings()) if name_labels else None)
    day = snapshot.date() if snapshot else None
    with build_progress() as progress:
        report = build_corpus(
            sources or [],
            out,
            model,
            snapshot=day,
            thesaurus=thesaurus,
            reviews=reviews,
            progress=progress,
            passages=not no_passages,
            map_wish=wish,
        )
    write_lines(report_lines(report))


@app.command()
def info(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the corpus.")],
    verify: Annotated[bool, typer.Option("--verify", help="Read every byte, not only heads and tails.")] = False,
    drift: Annotated[bool, typer.Option("--drift", help=_DRIFT)] = False,
    as_json: JsonFlag = False,
) -> None:
    """Say what a corpus is made of, and whether it is whole."""
    from dataclasses import asdict

    from pathfinder.building.drifted import drift_lines, map_drift
    from pathfinder.building.intake import count_rejected
    from pathfinder.cli_text import corpus_lines
    from pathfinder.corpus.store import open_corpus, verify_corpus
    from pathfinder.export.corpora import corpus_record

    corpus = verify_corpus(folder) if verify else open_corpus(folder)
    record = corpus_record(corpus, n_rejected=count_rejected(folder), verified=verify)
    drifted = map_drift(corpus) if drift else None
    if as_json:
        write_json(record if drifted is None else {**record, "drift": asdict(drifted)})
    else:
        write_lines((*corpus_lines(record), *(drift_lines(drifted) if drifted else ())))


def _search(request: SearchRequest, folder: Path | None, as_json: bool) -> None:
    """Find the papers that bear on a question, best first."""
    from pathfinder.cli_text import result_lines
    from pathfinder.explorer import Pathfinder
    from pathfinder.export.records import search_record
    from pathfinder.retrieval.advice import weighting_advice

    settings = read_settings()
    result = Pathfinder.open(corpus_folder(folder, settings), settings=settings).search(request)
    write_notes((*result.notes, *weighting_advice(result.candidates, request.weighting)))
    write_json(search_record(result)) if as_json else write_lines(result_lines(result))


app.command("search")(searching(_search))
app.command("ask")(ask)
app.command("consensus")(consensus)
app.command()(similar)
app.command()(check)
app.command("map")(draw_map)

app.add_typer(evaluate, name="evaluate")
