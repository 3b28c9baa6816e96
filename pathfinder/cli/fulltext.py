"""The commands for the full text of papers."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes

if TYPE_CHECKING:
    from pathfinder.fulltext.document import Document

fulltext = typer.Typer(rich_markup_mode=None, help="Read the full text of papers.")

MAX_SHOWN = 90


@fulltext.callback()
def _group() -> None:
    """Keep `read` a command of its own as long as it is the only one."""


@fulltext.command()
def read(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="JATS or TEI XML, LaTeX (.tex, .gz, .tar.gz), PDF, Markdown or text.")
    ],
    as_json: JsonFlag = False,
) -> None:
    """Read the sections, figures and references of a paper from a file; uses no corpus and no network."""
    from pathfinder.fulltext.child import read_apart
    from pathfinder.fulltext.records import document_record

    document = read_apart(file)
    if as_json:
        write_json(document_record(document))
        return
    write_notes(document.provenance.warnings)
    write_lines(_outline(document))


def _outline(document: "Document") -> Iterator[str]:
    """Yield the title, each section with its size, and the counts of the rest."""
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
