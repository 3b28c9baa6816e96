"""The command line: pathfinder build | info | search | ask | similar | evaluate.

Results go to standard output, everything else to standard error. The exit status is 0 for a result, 2 for
a usage error and 1 for anything else, with one line on standard error that says what to do.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError
from typer.exceptions import TyperException

from pathfinder.cli_options import CorpusFolder, Day, EmbedderName, JsonFlag, TopK, YearFrom, YearTo, searching
from pathfinder.cli_output import complain, prepare_process, write_json, write_lines, write_notes
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.models.ports import Embedder
from pathfinder.settings import LOCAL_EMBEDDER, Settings
from pathfinder.types import DEFAULT_TOP_K, SearchRequest

# What each command works with is imported when it runs: `--help` and a usage error should not wait for it.

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False, help=__doc__)

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
    sources: Annotated[
        list[Path] | None, typer.Argument(metavar="SOURCE...", help="JSON lines or CSV, plain or gzipped.")
    ] = None,
    embedder: EmbedderName = None,
    snapshot: Day = None,
    thesaurus: Annotated[
        Path | None,
        typer.Option("--thesaurus", metavar="FILE", help="Other names of concepts: SKOS (RDF/XML, JSON-LD) or JSON."),
    ] = None,
) -> None:
    """Make a corpus of papers, or add papers to one."""
    from pathfinder.building import build as build_corpus
    from pathfinder.cli_progress import build_progress
    from pathfinder.cli_text import report_lines
    from pathfinder.corpus.manifest import is_corpus

    if not sources and not (thesaurus and is_corpus(out)):
        raise UsageError("no source is named: name files of papers; a thesaurus alone goes into a corpus that is there")
    model = _embedder(embedder, out, _settings())
    day = snapshot.date() if snapshot else None
    with build_progress() as progress:
        report = build_corpus(sources or [], out, model, snapshot=day, thesaurus=thesaurus, progress=progress)
    write_lines(report_lines(report))


@app.command()
def info(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the corpus.")],
    verify: Annotated[bool, typer.Option("--verify", help="Read every byte, not only heads and tails.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Say what a corpus is made of, and whether it is whole."""
    from pathfinder.building.intake import count_rejected
    from pathfinder.cli_text import corpus_lines
    from pathfinder.corpus.store import open_corpus, verify_corpus
    from pathfinder.export.corpora import corpus_record

    corpus = verify_corpus(folder) if verify else open_corpus(folder)
    record = corpus_record(corpus, n_rejected=count_rejected(folder), verified=verify)
    write_json(record) if as_json else write_lines(corpus_lines(record))


def _search(request: SearchRequest, folder: Path | None, as_json: bool) -> None:
    """Find the papers that bear on a question, best first."""
    from pathfinder.cli_text import result_lines
    from pathfinder.explorer import Pathfinder
    from pathfinder.export.records import search_record

    settings = _settings()
    result = Pathfinder.open(_corpus_folder(folder, settings), settings=settings).search(request)
    write_notes(result.notes)
    write_json(search_record(result)) if as_json else write_lines(result_lines(result))


def _ask(request: SearchRequest, folder: Path | None, as_json: bool) -> None:
    """Answer a question from the papers that bear on it, each sentence with its papers."""
    from pathfinder.cli_text import answer_lines
    from pathfinder.explorer import Pathfinder
    from pathfinder.export.records import answer_record

    settings = _settings()
    pf = Pathfinder.open(_corpus_folder(folder, settings), settings=settings)
    result = pf.search(request)
    answer = pf.answer(result)
    write_notes((*result.notes, *answer.notes))
    write_json(answer_record(result, answer)) if as_json else write_lines(answer_lines(result, answer))


app.command("search")(searching(_search))
app.command("ask")(searching(_ask))


@app.command()
def similar(
    papers: Annotated[list[str] | None, typer.Argument(metavar="PAPER_ID...", help="Papers to be like.")] = None,
    less: Annotated[
        list[str] | None, typer.Option("--less", metavar="PAPER_ID", help="A paper to be unlike; may be repeated.")
    ] = None,
    text: Annotated[str | None, typer.Option("--text", help="A text to be like, such as an abstract.")] = None,
    place: Annotated[
        tuple[float, float] | None, typer.Option("--place", metavar="X Y", help="A point of the map to be near.")
    ] = None,
    corpus: CorpusFolder = None,
    top_k: TopK = DEFAULT_TOP_K,
    year_from: YearFrom = None,
    year_to: YearTo = None,
    as_json: JsonFlag = False,
) -> None:
    """Find papers like others, like a text, or near a point of the map."""
    from pathfinder.cli_text import result_lines
    from pathfinder.explorer import Pathfinder
    from pathfinder.export.records import search_record

    settings = _settings()
    pf = Pathfinder.open(_corpus_folder(corpus, settings), settings=settings)
    result = pf.similar(
        *(papers or ()), less=less or (), text=text, place=place, top_k=top_k, year_from=year_from, year_to=year_to
    )
    write_notes(result.notes)
    write_json(search_record(result)) if as_json else write_lines(result_lines(result))


evaluate = typer.Typer(rich_markup_mode=None, help="Measure how good the search is.")
app.add_typer(evaluate, name="evaluate")


@evaluate.command()
def collection(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="corpus.jsonl, queries.jsonl and qrels, as BEIR has them.")
    ],
    corpus: Annotated[
        Path | None, typer.Option(metavar="FILE-OR-DIR", help="Documents, or a corpus, from elsewhere.")
    ] = None,
    qrels: Annotated[Path | None, typer.Option(metavar="FILE", help="Judgements from elsewhere.")] = None,
    methods: Annotated[
        str, typer.Option(metavar="NAME,NAME", help="Which to compare.")
    ] = "default,tfidf,bm25,dense,hybrid",
    cache: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keeps what was embedded for the next time.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Rank a collection of judged questions by each method, and say how good the rankings are."""
    from pathfinder.cli_evaluate import evaluation_lines
    from pathfinder.cli_progress import build_progress
    from pathfinder.evaluation.run import evaluate_collection

    embedder = _embedder(None, corpus or folder, _settings())
    names = [name.strip() for name in methods.split(",")]
    with build_progress() as progress:
        report = evaluate_collection(
            folder, embedder, corpus=corpus, judgements=qrels, methods=names, cache=cache, progress=progress
        )
    write_notes(report.notes)
    write_json(report.record()) if as_json else write_lines(evaluation_lines(report.record()))


def _corpus_folder(folder: Path | None, settings: Settings) -> Path:
    chosen = folder or settings.corpus
    if chosen is None:
        raise UsageError("no corpus is named: add --corpus DIR, or set PATHFINDER_CORPUS")
    return chosen


def _embedder(name: str | None, folder: Path, settings: Settings) -> Embedder:
    """The embedder that is asked for, or else the one of the corpus that is in `folder`, or that of the settings."""
    from pathfinder.corpus.manifest import is_corpus, read_manifest
    from pathfinder.models.loading import load_embedder

    own = read_manifest(folder)[0].embedder if is_corpus(folder) else None
    return load_embedder(name or own or settings.embedder or LOCAL_EMBEDDER, settings)


def _settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(f"the setting {first['loc'][0]} in the environment or .env: {first['msg']}") from error
