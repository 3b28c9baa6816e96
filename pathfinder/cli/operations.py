"""The command of an operation: its options, its formats and its output."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from pathfinder.cli.options import Own, SearchCommand
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_for_question
from pathfinder.errors import UsageError
from pathfinder.operations import body_of
from pathfinder.operations.operation import AnyOperation, Shell
from pathfinder.text.files import write_file
from pathfinder.types import SearchRequest, SearchResult

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

SUFFIXES = {"latex": "tex", "markdown": "md"}
"""Suffix of a format's files, if it is not its name."""


def command_of(operation: AnyOperation) -> SearchCommand:
    """Return the command: the options of a search or of the settings that the operation takes, its own, and --format
    and --out if it has formats.
    """

    def run(request: SearchRequest | None, folder: Path | None, as_json: bool, **given: Any) -> None:
        form, out = given.pop("form", None), given.pop("out", None)
        sent = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in given.items()
            if value is not None
        }
        options = (body_of(operation) if operation.settings is not None else operation.options).model_validate(sent)
        pf = open_for_question(folder)
        found = None if request is None else pf.search(request)
        write_outcome(operation, pf, found, options, as_json=as_json, form=form, out=out)

    run.__name__, run.__doc__ = operation.name, operation.help
    return SearchCommand(run, own_options(operation), operation.needs_question, operation.settings)


def own_options(operation: AnyOperation) -> Own:
    """Return the options that only this operation has, with their annotation and default."""
    options = {name: _own_option(name, field) for name, field in operation.options.model_fields.items()}
    if operation.forms:
        forms: Any = Literal[tuple(operation.forms)]
        form = typer.Option("--format", help="Write this format instead of text.")
        out = typer.Option("--out", metavar="FILE", help="Write a file; its suffix says the format.")
        options |= {"form": (Annotated[forms | None, form], None), "out": (Annotated[Path | None, out], None)}
    return options


def _own_option(name: str, field: FieldInfo) -> tuple[Any, Any]:
    shell = next((each for each in field.metadata if isinstance(each, Shell)), Shell(""))
    names = [word for word in shell.form.split() if word.startswith("-")]
    metavar = " ".join(word for word in shell.form.split() if not word.startswith("-")) or None
    is_list = field.annotation in (list[str], list[str] | None)
    kind: Any = list[str] | None if is_list else field.annotation
    if kind == list[float] | None:  # a point
        kind = tuple[float, float] | None
    default = None if is_list else field.get_default()
    if metavar and not names:
        return Annotated[kind, typer.Argument(metavar=metavar, help=field.description)], default
    help_text = f"{field.description} May be repeated." if is_list else field.description
    metavar = metavar or ("NAME" if is_list else "N" if kind is int else None)
    names = names or [f"--{name.replace('_', '-')}"]
    return Annotated[kind, typer.Option(*names, help=help_text, metavar=metavar)], default


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
    write_notes(dict.fromkeys((*(found.notes if found else ()), *operation.notes(outcome))))
    if out is not None and suffix is not None:
        write_file(out, operation.forms[suffix](outcome))
    if as_json:
        write_json(operation.write(outcome))
    elif form is not None:
        typer.echo(operation.forms[form](outcome), nl=False)
    else:
        write_lines(operation.lines(outcome))


def _form_of(operation: AnyOperation, out: Path) -> str:
    """Return the format of a file. Raises `UsageError` for a suffix that no format of the operation has."""
    suffixes = {f".{SUFFIXES.get(form, form)}": form for form in operation.forms}
    if out.suffix not in suffixes:
        raise UsageError(f"{out} must end in {' or '.join(suffixes)}: its suffix says the format to write")
    return suffixes[out.suffix]
