"""The command that checks a text against its sources."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.errors import ModelError

if TYPE_CHECKING:
    from pathfinder.models.ports import Embedder


def check(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help='JSON: {"text": "... [1].", "sources": [{"id", "title", "text"}]}')
    ],
    meanings: Annotated[
        bool, typer.Option("--meanings", help="Also compare meanings, with the local embedder; this is slower.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Check every sentence in a text against the sources that it cites; uses no corpus, chat model or network."""
    from pathfinder.assessment.evidence.ledger import check_text, read_check_input
    from pathfinder.assessment.values.stated_values import claimed_values
    from pathfinder.operations.check import CheckedText, check_lines, check_record

    text, sources = read_check_input(file.read_bytes(), str(file))
    ledger = check_text(text, sources, _embedder() if meanings else None)
    # Without --meanings, the note that only words were compared is redundant.
    write_notes(ledger.notes if meanings else ())
    checked = CheckedText(ledger, claimed_values(text))
    write_json(check_record(checked)) if as_json else write_lines(check_lines(checked))


def _embedder() -> "Embedder | None":
    """Return the embedder that ships with Pathfinder; `None`, with a note, if it is not installed."""
    from pathfinder.models.loading import load_embedder
    from pathfinder.settings import LOCAL_EMBEDDER, Settings

    try:
        return load_embedder(LOCAL_EMBEDDER, Settings())
    except ModelError as error:
        write_notes([str(error)])
        return None
