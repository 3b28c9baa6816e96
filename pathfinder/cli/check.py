"""The command that checks a text against its sources."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.errors import ModelError

if TYPE_CHECKING:
    from pathfinder.models.ports import Embedder
    from pathfinder.types import Ledger, StatedValue


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
    from pathfinder.export.sentence_checks import check_record

    text, sources = read_check_input(file.read_bytes(), str(file))
    ledger = check_text(text, sources, _embedder() if meanings else None)
    # Without --meanings, the note that only words were compared is redundant.
    write_notes(ledger.notes if meanings else ())
    values = claimed_values(text)
    if as_json:
        write_json(check_record(ledger, values))
    else:
        write_lines((*_lines(ledger), *_value_lines(values), _totals(ledger)))


def _value_lines(values: "Sequence[StatedValue]") -> Iterator[str]:
    from pathfinder.assessment.values.candidate import value_as_text
    from pathfinder.types import without_control_characters

    for value in values:
        about = ", ".join(part for part in (value.quantity, value.of) if part)
        yield without_control_characters(f"claims {value_as_text(value)} ({about})")


def _embedder() -> "Embedder | None":
    """Return the embedder that ships with Pathfinder; `None`, with a note, if it is not installed."""
    from pathfinder.models.loading import load_embedder
    from pathfinder.settings import LOCAL_EMBEDDER, Settings

    try:
        return load_embedder(LOCAL_EMBEDDER, Settings())
    except ModelError as error:
        write_notes([str(error)])
        return None


def _lines(ledger: "Ledger") -> Iterator[str]:
    from pathfinder.types import without_control_characters

    for sentence in ledger.sentences:
        marks = f" [{', '.join(sentence.citations)}]" if sentence.citations else ""
        yield without_control_characters(f"{sentence.verdict.value}: {sentence.text}{marks}")
        yield from (without_control_characters(f"    {reason}") for reason in sentence.reasons)
        for evidence in sentence.evidence[:1]:
            yield without_control_characters(f"    [{evidence.source_id}] {evidence.sentence}")


def _totals(ledger: "Ledger") -> str:
    sums = (("precision", ledger.precision), ("recall", ledger.recall), ("F1", ledger.f1))
    return "citation " + ", ".join(f"{name} {'-' if value is None else f'{value:.2f}'}" for name, value in sums)
