"""The command of an operation: its options, its formats and its output."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from pydantic import BaseModel

from pathfinder.cli.options import Own, SearchCommand
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_for_question
from pathfinder.errors import UsageError
from pathfinder.operations.operation import AnyOperation
from pathfinder.text.files import write_file
from pathfinder.types import SearchRequest, SearchResult, without_control_characters

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

SUFFIXES = {"latex": "tex", "markdown": "md"}
"""Suffix of a format's files, if it is not its name."""


def command_of(operation: AnyOperation) -> SearchCommand:
    """Return the command: the options of a search, those of the operation, and --format and --out if it has formats."""

    def run(request: SearchRequest | None, folder: Path | None, as_json: bool, **own: Any) -> None:
        form, out = own.pop("form", None), own.pop("out", None)
        pf = open_for_question(folder)
        found = None if request is None else pf.search(request)
        options = operation.options.model_validate({name: value for name, value in own.items() if value is not None})
        write_outcome(operation, pf, found, options, as_json=as_json, form=form, out=out)

    run.__name__, run.__doc__ = operation.name, operation.help
    return SearchCommand(run, own_options(operation), needs_question=operation.takes_question)


def own_options(operation: AnyOperation) -> Own:
    """Return the options that only this operation has, with their annotation and default."""
    options: dict[str, tuple[Any, Any]] = {}
    for name, field in operation.options.model_fields.items():
        if name == "query":
            continue
        extra: Mapping[str, Any] = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        names = str(extra.get("option", f"--{name.replace('_', '-')}")).split()
        is_list = field.annotation in (list[str], list[str] | None)
        help_text = f"{field.description} May be repeated." if is_list else field.description
        default = None if is_list else field.get_default()
        kind = list[str] | None if is_list else field.annotation
        metavar = "NAME" if is_list else "N" if kind is int else None
        options[name] = (Annotated[kind, typer.Option(*names, help=help_text, metavar=metavar)], default)
    if operation.forms:
        forms: Any = Literal[tuple(operation.forms)]
        form = typer.Option("--format", help="Write this format instead of text.")
        out = typer.Option("--out", metavar="FILE", help="Write a file; its suffix says the format.")
        options |= {"form": (Annotated[forms | None, form], None), "out": (Annotated[Path | None, out], None)}
    return options


def write_outcome(
    operation: AnyOperation,
    pf: "Pathfinder",
    found: SearchResult | None,
    options: BaseModel,
    *,
    as_json: bool,
    form: str | None,
    out: Path | None = None,
) -> None:
    """Run an operation, and write its notes and its outcome."""
    suffix = _form_of(operation, out) if out is not None else None
    outcome = operation.run(pf, found, options)
    write_notes((*(found.notes if found else ()), *operation.notes(outcome)))
    if out is not None and suffix is not None:
        write_file(out, operation.forms[suffix](outcome))
    if as_json:
        write_json(operation.write(outcome).model_dump(mode="json"))
    elif form is not None:
        typer.echo(operation.forms[form](outcome), nl=False)
    else:
        write_lines(map(without_control_characters, operation.lines(outcome)))


def _form_of(operation: AnyOperation, out: Path) -> str:
    """Return the format of a file. Raises `UsageError` for a suffix that no format of the operation has."""
    suffixes = {f".{SUFFIXES.get(form, form)}": form for form in operation.forms}
    if out.suffix not in suffixes:
        raise UsageError(f"{out} must end in {' or '.join(suffixes)}: its suffix says the format to write")
    return suffixes[out.suffix]
