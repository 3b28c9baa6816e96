"""Explore the literature from the command line: search it, get answers with citations, and draw its map.

Results go to standard output, everything else to standard error. The exit status is 0 for a result, 2 for a usage error
and 1 for any other error; one line on standard error says what to do.
"""

import logging
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer
from typer.exceptions import TyperException
from typer.main import get_command_name

from pathfinder.cli.ads import ads
from pathfinder.cli.check import check
from pathfinder.cli.corpus_folder import take_corpus
from pathfinder.cli.data import data
from pathfinder.cli.evaluate import evaluate
from pathfinder.cli.extension_help import ExtensionHelp
from pathfinder.cli.fulltext import fulltext
from pathfinder.cli.operations import command_of, run_operation
from pathfinder.cli.options import Day, EmbedderName, MaxPapers, Since, Until, window_of
from pathfinder.cli.output import check_memory, complain, limit_build, prepare_process, tell_of_change, write_lines
from pathfinder.cli.serve import app as page
from pathfinder.cli.serve import mcp, serve
from pathfinder.cli.settings import chat_for_names
from pathfinder.cli.shelf import shelf
from pathfinder.cli.sources import preview, sources
from pathfinder.errors import CorpusError, PathfinderError, UsageError
from pathfinder.operations import OPERATIONS
from pathfinder.plugins import Registry
from pathfinder.settings import read_settings

if TYPE_CHECKING:
    from pathfinder.models.ports import Embedder

# Commands import their modules when they run, so that `--help` and usage errors are fast.

_LOG = logging.getLogger(__name__)
app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False, help=__doc__)

_OPEN_EARLY = "Make a new corpus searchable as soon as its papers are indexed, before its map is finished."
_NO_PASSAGES = (
    "Leave out the indexes of passages, titles and tokens: the build is faster and the corpus smaller, "
    "but searches cannot use passages, titles or the local reranker."
)
_TOKENS = (
    "Form of a new corpus's token vectors, which the local reranker reads: small ones take a seventh of the space, but "
    "reranking helps less. An existing corpus keeps its own."
)
_TokenVectors: TypeAlias = Annotated[
    Literal["full", "small"] | None, typer.Option("--token-vectors", "--tokens", help=_TOKENS)
]

_VECTORS = (
    "Parquet column with the papers' vectors: they are checked and used as they are, and nothing "
    "is embedded. --embedder names the model that made them."
)

_ENGINE = (
    "Engine that holds the vectors in place of files; needs --uri and --collection. Updates and removals use it too."
)
_URI = "Address of the engine, such as http://localhost:19530; its token is read from PATHFINDER_MILVUS_TOKEN."
_COLLECTION = "Collection in the engine: letters, digits and underscores."

_NEW_MAP = "Make a new map; links to places on the old one become meaningless. By default, papers keep their places."
_DRIFT = "Compute the map again and report how far papers have drifted; this takes as long as building the map."
_NAME_LABELS = (
    "Let the chat model name the clusters of the map; any that it leaves unnamed are named after their keywords."
)

_COMPLETE = (
    "Then fetch what the papers lack, as `pathfinder complete` does: abstracts, references, counts, open full texts."
)

_Sources: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(metavar="SOURCE...", help="Files or folders of papers, or SCHEME:QUERY; see `pathfinder sources`."),
]
_ThesaurusFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--thesaurus",
        metavar="FILE",
        help="Synonyms of concepts: SKOS (RDF/XML, JSON-LD) or JSON; uat: fetch the astronomy thesaurus.",
    ),
]
_ProfileFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--profile", metavar="FILE", help="Profile of the papers' field of science, as TOML; astronomy by default."
    ),
]
_ReviewsFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--reviews", metavar="FILE", help="Review articles, for the map: JSON lines with title and year."),
]

_INTERRUPT_STATUS = 130
"""Exit status that Typer returns after Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, by default with the arguments of this process; return the exit status."""
    if arguments is None:
        prepare_process()
        if (status := check_memory()) is not None:
            return status
    try:
        # Typer's own way of calling an app would replace the hook for unexpected errors.
        status = int(command_line()(arguments, prog_name="pathfinder", standalone_mode=False) or 0)
    except (TyperException, PathfinderError, OSError, typer.Abort) as error:
        return complain(error)
    return complain(typer.Abort()) if status == _INTERRUPT_STATUS else status


@app.command(cls=ExtensionHelp)
def build(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder of the corpus; papers are added to it.")],
    sources: _Sources = None,
    embedder: EmbedderName = None,
    snapshot: Day = None,
    thesaurus: _ThesaurusFile = None,
    reviews: _ReviewsFile = None,
    profile: _ProfileFile = None,
    no_passages: Annotated[bool, typer.Option("--no-passages", help=_NO_PASSAGES)] = False,
    tokens: _TokenVectors = None,
    new_map: Annotated[bool, typer.Option("--new-map", help=_NEW_MAP)] = False,
    name_labels: Annotated[bool, typer.Option("--name-labels", help=_NAME_LABELS)] = False,
    open_early: Annotated[bool, typer.Option("--open-early", help=_OPEN_EARLY)] = False,
    complete: Annotated[bool, typer.Option("--complete", help=_COMPLETE)] = False,
    since: Since = None,
    until: Until = None,
    max_papers: MaxPapers = None,
    vectors: Annotated[str | None, typer.Option("--vectors", metavar="COLUMN", help=_VECTORS)] = None,
    engine: Annotated[Literal["milvus"] | None, typer.Option("--engine", help=_ENGINE)] = None,
    uri: Annotated[str | None, typer.Option("--uri", metavar="URI", help=_URI)] = None,
    collection: Annotated[str | None, typer.Option("--collection", metavar="NAME", help=_COLLECTION)] = None,
) -> None:
    """Build a corpus from papers, or add papers to a corpus."""
    limit_build()
    from pathfinder import building
    from pathfinder.cli.progress import build_progress
    from pathfinder.corpus.manifest import is_corpus
    from pathfinder.index.milvus import CollectionName
    from pathfinder.operations.upkeep import build_lines

    if not sources and not (is_corpus(out) and any((thesaurus, reviews, profile, new_map, name_labels))):
        raise UsageError(
            "no source was given: name files of papers; only a thesaurus, reviews or a profile may come alone, "
            "into a corpus that exists"
        )
    pdfs, sources = _pdfs_among(sources or []) if complete else ([], sources)
    model = _embedder(embedder, vectors, sources or list(map(str, pdfs)), out)
    in_engine = None
    if engine is not None and uri is not None and collection is not None:
        in_engine = CollectionName(uri, collection)
    elif engine or uri or collection:
        raise UsageError("an engine needs all three of --engine milvus, --uri URI and --collection NAME")
    if pdfs:
        _take_in(pdfs, out, model)
        if not sources and not is_corpus(out):
            raise CorpusError("no PDF was recognised, so there is no corpus: the reason is beside each of them above")
    with build_progress() as progress:
        report = building.build(
            sources or [],
            out,
            model,
            progress=progress,
            map_options=building.MapOptions(new_map, chat_for_names(read_settings()) if name_labels else None),
            snapshot=snapshot.date() if snapshot else None,
            thesaurus=thesaurus,
            reviews=reviews,
            profile=profile,
            passages=not no_passages,
            tokens=tokens,
            opens_early=open_early,
            window=window_of(since, until, max_papers),
            vectors=vectors,
            collection=in_engine,
        )
    write_lines(build_lines(report))
    if complete:
        given = {"zotero": "zotero:" in (sources or [])}
        run_operation(OPERATIONS.get("complete"), None, out, given, as_json=False)
    else:
        tell_of_change(out, as_json=False)


def _pdfs_among(sources: list[str]) -> tuple[list[Path], list[str]]:
    """Return the PDFs in `sources` and their folders, and the sources without those that have PDFs but no records."""
    from pathfinder.fulltext.adding import files_in
    from pathfinder.sources.kinds.files import has_records

    pdfs: list[Path] = []
    others: list[str] = []
    for source in sources:
        files = files_in([Path(source)]) if Path(source).exists() else ()
        own = [path for path in files if path.suffix.lower() == ".pdf"]
        pdfs += own
        if not own or has_records(Path(source)):
            others.append(source)
    return pdfs, others


def _take_in(pdfs: list[Path], out: Path, embedder: "Embedder") -> None:
    """Make papers of PDFs, with progress on the screen, and write what became of each."""
    from pathfinder.building.filling import guests_of
    from pathfinder.building.paper_files import take_in_files
    from pathfinder.cli.progress import build_progress
    from pathfinder.operations.complete import file_lines

    with build_progress() as progress:
        files = take_in_files(out, embedder, guests_of(read_settings(), progress), pdfs, progress)
    write_lines(file_lines(files))


def _embedder(name: str | None, vectors: str | None, sources: list[str] | None, out: Path) -> "Embedder":
    """Return the embedder for a build; its key may be missing if nothing will be embedded.

    Raises `UsageError` if vectors are to be read but the command does not name their source or the model that made
    them.
    """
    from pathfinder.building.embedder_choice import embedder_for, embedder_of_sources
    from pathfinder.corpus.manifest import is_corpus

    if vectors is not None and not sources:
        raise UsageError("--vectors names a column of the sources, but no source was given: name the Parquet files")
    if vectors is not None and not name and not is_corpus(out):
        raise UsageError(
            "--vectors needs the model that made the vectors, because questions are embedded with it: name it, for "
            "example with --embedder openai:text-embedding-3-small"
        )
    if name is None and not is_corpus(out):
        name = embedder_of_sources(sources or [])
    return embedder_for(name, out, read_settings(), needs_key=bool(sources) and vectors is None)


@cache
def command_line() -> Any:
    """Return the command `pathfinder` with all its subcommands. Operations are read here, because plug-ins and the
    settings may hold a mistake, which is to be told in one line.
    """
    app.command(hidden=True)(ads)  # `complete --only ads` asks about all papers
    app.command("app")(page)
    for command in (sources, preview, check, serve, mcp):
        app.command()(command)
    for name, group in (
        *(("evaluate", evaluate), ("fulltext", fulltext)),
        *(("shelf", shelf), ("data", data)),
    ):
        app.add_typer(group, name=name)
        _add_commands(group, f"pathfinder.commands.{name}")
    taken = _names(app)
    for operation in OPERATIONS.all():
        if operation.is_command and operation.name in taken:
            _LOG.warning("the operation %r is no command, because Pathfinder has one of that name", operation.name)
        elif operation.is_command:
            app.command(cls=ExtensionHelp)(command_of(operation))
    _add_commands(app, "pathfinder.commands")
    command = typer.main.get_command(app)
    take_corpus(command)
    return command


def _names(group: typer.Typer) -> set[str]:
    """Return the names of the commands, and groups of commands, of a group."""
    names = {
        each.name or get_command_name(each.callback.__name__) for each in group.registered_commands if each.callback
    }
    return names | {str(each.name) for each in group.registered_groups}


def _add_commands(group: typer.Typer, place: str) -> None:
    """Add the commands, and groups of commands, that add-ons and packages declare for a place."""
    taken = _names(group)

    def fault_of_name(name: str) -> str | None:
        return f"Pathfinder has a command {name} already" if name in taken else None

    commands: Registry[Any] = Registry(place, object, {}, "command", fault_of_name=fault_of_name)
    for command, name in zip(commands.all(), commands.names(), strict=True):
        if isinstance(command, typer.Typer):
            group.add_typer(command, name=name)
        else:
            group.command(name, cls=ExtensionHelp)(command)
