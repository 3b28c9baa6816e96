"""The commands for the full text of papers."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathfinder.cli.operations import run_operation
from pathfinder.cli.options import Folder, JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.errors import CorpusError, UsageError
from pathfinder.settings import read_settings

if TYPE_CHECKING:
    from pathfinder.fulltext.adding import FileOutcome
    from pathfinder.fulltext.document import Document

fulltext = typer.Typer(rich_markup_mode=None, help="Read the full text of papers, and store it in a corpus.")

MAX_SHOWN = 90

_FORMATS = "JATS or TEI XML, LaTeX (.tex, .gz, .tar.gz), PDF, Markdown or text."
_OPEN_ACCESS = (
    "Fetch only open-access texts, each under its own licence, over https and no faster than its host allows."
)
_PAPER = "Id of the paper, for a single file; by default, the paper is recognised by an identifier or its title."

_PaperId = Annotated[str, typer.Argument(metavar="ID", help="Id of the paper, as shown in search results.")]


@fulltext.command()
def read(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=_FORMATS)],
    as_json: JsonFlag = False,
) -> None:
    """Read the sections, figures and references of a paper from a file; uses no corpus and no network."""
    from pathfinder.fulltext.child import read_apart

    _write_document(read_apart(file), as_json)


@fulltext.command()
def add(
    folder: Folder,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help=f"Files, or folders of files: {_FORMATS}")],
    paper: Annotated[str | None, typer.Option("--paper", metavar="ID", help=_PAPER)] = None,
    as_json: JsonFlag = False,
) -> None:
    """Add full texts to the papers in a corpus; after an interruption, texts already added are not read again."""
    from pathfinder.building.progress import report_each
    from pathfinder.cli.progress import build_progress
    from pathfinder.fulltext.adding import add_files, files_in, outcomes_record

    texts = files_in(files)
    if not texts:
        raise CorpusError(f"{', '.join(map(str, files))}: no full-text file found; name files, or other folders")
    with build_progress() as progress:
        progress.start("full texts", len(texts))
        outcomes = list(report_each(add_files(folder, texts, paper_id=paper), progress))
        progress.finish()
    write_json(outcomes_record(outcomes)) if as_json else write_lines(_outcome_lines(outcomes))
    _index(folder)
    if all(outcome.reason for outcome in outcomes):
        raise typer.Exit(1)


@fulltext.command()
def index(folder: Folder) -> None:
    """Index the full texts of a corpus for searches, if that was not done when they were added."""
    n_passages = _index(folder)
    write_lines((f"full-text passages: {n_passages:,}",))


@fulltext.command(hidden=True)
def fetch(
    folder: Folder,
    open_access: Annotated[bool, typer.Option("--open-access", help=_OPEN_ACCESS)] = False,
    n_most: Annotated[int, typer.Option("--max", metavar="N", min=1, help="Add at most this many texts.")] = 100,
    as_json: JsonFlag = False,
) -> None:
    """Fetch open-access full texts for papers that have none: `complete --only texts`."""
    from pathfinder.building.ledger import FULL_TEXT
    from pathfinder.operations.complete import OPERATION

    if not open_access:
        raise UsageError("only open-access texts are fetched: confirm this with --open-access")
    done = run_operation(OPERATION, None, folder, {"only": ["texts"], "max_texts": n_most}, as_json=as_json)
    has_failed = any(gap.field == FULL_TEXT and not gap.is_absent for gap in done.report.missing)
    if has_failed and not done.report.filled[FULL_TEXT]:
        raise typer.Exit(1)


@fulltext.command()
def show(folder: Folder, paper_id: _PaperId, as_json: JsonFlag = False) -> None:
    """Show the full text of a paper in a corpus."""
    from pathfinder.fulltext.store import FullTexts

    _write_document(FullTexts.open(folder).document(paper_id), as_json)


@fulltext.command("cited")
def list_citing_sentences(folder: Folder, paper_id: _PaperId, as_json: JsonFlag = False) -> None:
    """List the sentences in full texts that cite a paper in the corpus."""
    from pathfinder.corpus.store import open_corpus
    from pathfinder.export.records import paper_record
    from pathfinder.fulltext.store import FullTexts
    from pathfinder.fulltext.trails import citing_sentences

    papers = open_corpus(folder).papers
    row = int(papers.rows_of((paper_id,))[0])
    if row < 0:
        raise UsageError(f"no paper in this corpus has the id {paper_id!r}: `pathfinder search` shows ids")
    citing = [*citing_sentences(papers[row], FullTexts.open(folder), papers)]
    if as_json:
        sentences = [
            {**paper_record(each.paper), "sentence": each.sentence, "heading": each.heading, "page": each.page}
            for each in citing
        ]
        write_json({"paper_id": paper_id, "n_sentences": len(citing), "sentences": sentences})
    else:
        write_lines(
            (
                f"sentences that cite it: {len(citing)}",
                *(f'  "{each.sentence}" ({each.address}) {each.paper.paper_id}' for each in citing),
            )
        )


@fulltext.command()
def remove(
    folder: Folder,
    paper_ids: Annotated[
        list[str], typer.Argument(metavar="ID...", help="Ids of the papers whose texts are to be removed.")
    ],
) -> None:
    """Remove the full texts of papers from a corpus; the papers stay."""
    from pathfinder.fulltext import store

    store.remove(folder, paper_ids)
    write_lines(
        (f"removed: {len(set(paper_ids)):,}; papers with full text: {len(store.FullTexts.open(folder).texts):,}",)
    )
    _index(folder)


def _index(folder: Path) -> int:
    """Index the full texts of a corpus, and return the number of passages; 0 if the corpus cannot be searched yet."""
    from pathfinder.building.full_texts import index_full_texts
    from pathfinder.cli.progress import build_progress
    from pathfinder.corpus.manifest import read_manifest
    from pathfinder.models.loading import load_embedder

    manifest, _ = read_manifest(folder)
    if "dense" not in manifest.parts:
        return 0
    embedder = load_embedder(manifest.embedder, read_settings())
    with build_progress() as progress:
        return index_full_texts(folder, embedder, progress)


def _write_document(document: "Document", as_json: bool) -> None:
    from pathfinder.fulltext.document import document_record

    if as_json:
        write_json(document_record(document))
        return
    write_notes(document.provenance.warnings)
    write_lines(_outline(document))


def _outcome_lines(outcomes: "Sequence[FileOutcome]") -> Iterator[str]:
    for outcome in outcomes:
        if outcome.reason is not None:
            yield f"rejected: {outcome.file}: {outcome.reason}"
        elif outcome.match is not None:
            how = f"{outcome.format}, by {outcome.match.by}" if outcome.format else "stored before"
            in_place = f", in place of {outcome.replaced_format}" if outcome.replaced_format else ""
            yield f"{outcome.file} -> {outcome.match.paper_id} ({how}{in_place})"
            yield from (f"  {warning}" for warning in outcome.warnings)
    n_added = sum(outcome.format is not None for outcome in outcomes)
    n_rejected = sum(outcome.reason is not None for outcome in outcomes)
    yield f"added: {n_added:,}; stored before: {len(outcomes) - n_added - n_rejected:,}; rejected: {n_rejected:,}"


def _outline(document: "Document") -> Iterator[str]:
    """Yield the title, each section with its size, and the counts of everything else."""
    from pathfinder.types import without_control_characters

    yield without_control_characters(document.title or "(no title)")
    for section in document.sections:
        n_words = sum(len(paragraph.text.split()) for paragraph in section.paragraphs)
        heading = without_control_characters(section.title or "(no heading)")[:MAX_SHOWN]
        yield f"{'  ' * section.level}{heading} [{section.kind}]: {len(section.paragraphs)} paragraphs, {n_words} words"
    n_tables = sum(figure.is_table for figure in document.figures)
    yield (
        f"{len(document.figures) - n_tables} figures, {n_tables} tables, {len(document.references)} references; "
        f"read as {document.provenance.road}"
    )
