"""The command of an operation: its options, its formats and its output."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from annotated_types import Ge, Le
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from pathfinder.cli.open_corpus import corpus_folder, open_pathfinder
from pathfinder.cli.options import CorpusFolder, Folder, JsonFlag, NewFolder, option, question_options, request_of
from pathfinder.cli.output import limit_build, write_json, write_lines, write_notes
from pathfinder.errors import UsageError
from pathfinder.llm.stopping import RecordedStream
from pathfinder.operations import OPERATIONS, body_of, tell_of_change
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.operations.fields import AUTO, first_mistake
from pathfinder.operations.operation import AnyOperation, Shell
from pathfinder.settings import read_settings
from pathfinder.text.files import write_file
from pathfinder.types import Budget, SearchRequest, StepTaken
from pathfinder.types.setting_kinds import Switch, WholeNumber
from pathfinder.types.settings import Setting, settings_of

SUFFIXES = {"latex": "tex", "markdown": "md"}
"""Suffix of a format's files, if it is not its name."""


@dataclass(eq=False)
class OperationCommand:
    """The command of an operation: with the options of a search or of the settings that the operation takes, its own,
    and --format and --out if it has formats.

    The signature is built only when Typer parses the command line, so that no plug-in is loaded and no environment
    variable is read before that.
    """

    operation: AnyOperation

    def __post_init__(self) -> None:
        self.__name__, self.__doc__ = self.operation.name, self.operation.description

    @property
    def __signature__(self) -> Signature:
        operation, own = self.operation, own_options(self.operation)
        if operation.settings is None:
            options = question_options(needs_question=operation.needs_question) | own
        else:
            folder = Folder if operation.folder_first else NewFolder if operation.makes_folder else None
            chosen = {each.name: (option(each), each.default) for each in settings_of(SearchRequest)}
            options = own | {name: chosen[name] for name in operation.settings} | {"as_json": (JsonFlag, False)}
            if operation.opens != "nothing" and folder is not None:
                options = {"corpus": (folder, Parameter.empty)} | options
            elif operation.opens != "nothing":
                options = own | {"corpus": (CorpusFolder, None)} | options
            if operation.folder_first:
                options["corpus_in_place_of_folder"] = CorpusFolder, None
        return Signature(
            [
                Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
                for name, (annotation, default) in options.items()
            ]
        )

    def __call__(self, as_json: bool, corpus: Path | None = None, **given: Any) -> None:
        operation, request = self.operation, None
        given.pop("corpus_in_place_of_folder", None)  # read by `FolderFirst`
        if operation.settings is None:
            given, options = {name: given.pop(name) for name in own_options(operation)}, given
            request = request_of(corpus, options)
        form, out = given.pop("to_format", None), given.pop("to_file", None)
        paths = {name: given.pop(_name(name)) for name in operation.writers}
        writers = [operation.writers[name][1](path) for name, path in paths.items() if path is not None]
        records: list[JsonObject] | None = [] if as_json else None
        try:
            outcome = _run(operation, request, corpus, given, records, form, out)
        finally:
            if records:
                write_json({name: value for record in reversed(records) for name, value in record.items()})
        for write in (*writers, operation.once_written):
            write(outcome)
        if any(operation.failures(outcome)):
            raise typer.Exit(1)


def _run(
    operation: AnyOperation,
    request: SearchRequest | None,
    folder: Path | None,
    given: Mapping[str, Any],
    records: list[JsonObject] | None,
    form: str | None = None,
    out: Path | None = None,
) -> Any:
    """Run an operation with the options that were `given`, write its notes and its outcome or, for JSON, add that to
    the `records`, and return it; then run the operation that follows or, if the corpus has changed, tell of that.
    """
    opened, found, body = _opened(operation, request, folder, given)
    suffix = _form_of(operation, out) if out is not None else None
    outcome = _outcome(operation, opened, found, body)
    if out is not None and suffix is not None:
        write_file(out, operation.forms[suffix](outcome))
    if records is not None:
        records.append(operation.write(outcome))
    elif form is not None:
        typer.echo(operation.forms[form](outcome), nl=False)
    elif operation.is_text and out is not None:
        write_lines((str(out),))
    elif operation.is_text:
        typer.echo("\n".join(operation.lines(outcome)), nl=False)
    else:
        write_lines(operation.lines(outcome))
    failures = (*operation.failures(outcome),)
    write_notes(failures, "failed")
    following = None if failures else operation.then(body)
    if following is not None:
        _run(OPERATIONS.get(following[0]), None, folder, following[1], records)
    elif operation.changes(body):
        tell_of_change(corpus_folder(folder, read_settings()), write_lines if records is None else write_notes)
    return outcome


def _opened(
    operation: AnyOperation, request: SearchRequest | None, folder: Path | None, given: Mapping[str, Any]
) -> tuple[Any, Any, BaseModel]:
    """Return what an operation runs on: what it opens, what a search for the `request` finds, and its body with the
    options that were `given`. Raises `UsageError` for an option whose value is not valid.
    """
    sent: dict[str, Any] = {
        name: value.date() if isinstance(value, datetime) else value
        for name, value in given.items()
        if value is not None
    }
    if operation.parts:
        # Their numbers are limited by `Budget` alone: limits for strangers do not hold here.
        body = body_of(operation).model_construct(**sent)
    else:
        own = operation.options if operation.settings is None else body_of(operation)
        points = {name: list(value) for name, value in sent.items() if _is_point(own.model_fields[name])}
        try:
            body = own.model_validate(sent | points)
        except ValidationError as error:
            raise UsageError(first_mistake(error)) from error
    budget = operation.check(body)
    if operation.changes(body):
        limit_build()
    if operation.opens == "nothing":
        return None, None, body
    if operation.opens != "session":
        from pathfinder.corpus.store import open_corpus

        place = corpus_folder(folder, read_settings())
        return open_corpus(place) if operation.opens == "corpus" else place, None, body
    pf = open_pathfinder(folder)
    pf = pf.for_question(budget or pf.policy.budget)
    return pf, pf.search(request) if operation.searches and request else request, body


def _outcome(operation: AnyOperation, pf: Any, found: Any, body: BaseModel) -> Any:
    """Run an operation, writing the steps as they come if it streams, and then its notes; return its outcome."""
    if operation.reports or operation.changes(body):
        from pathfinder.cli.progress import build_progress

        with build_progress() as progress:
            outcome = operation.run(pf, progress, body)
    else:
        outcome = operation.run(pf, found, body)
    if operation.streams:
        with RecordedStream(outcome) as events:
            for event in events:
                if isinstance(event, StepTaken):
                    write_notes([f"{event.step.kind.value}: {event.step.text}"], "step")
                elif isinstance(event, str):
                    write_notes([event], "step")
        outcome = events.result
    write_notes(dict.fromkeys((*getattr(found, "notes", ()), *operation.notes(outcome))))
    return outcome


def own_options(operation: AnyOperation) -> dict[str, tuple[Any, Any]]:
    """Return the options that only this operation has, with their annotation and default."""
    options = {each.name: _part_option(each) for part in operation.parts for each in settings_of(part)}
    own = {name: _own_option(name, field) for name, field in operation.options.model_fields.items()}
    options |= {name: entry for name, entry in own.items() if entry is not None}
    for name, (help_text, _) in operation.writers.items():
        options[_name(name)] = (Annotated[Path | None, typer.Option(name, metavar="FILE", help=help_text)], None)
    if operation.forms:
        forms: Any = Literal[tuple(operation.forms)]
        form = typer.Option("--format", help="Write this format instead of text.")
        out = typer.Option("--out", metavar="FILE", help="Write a file; its suffix says the format.")
        options |= {"to_format": (Annotated[forms | None, form], None), "to_file": (Annotated[Path | None, out], None)}
    return options


def _name(option: str) -> str:
    return option.strip("-").replace("-", "_")


def _part_option(setting: Setting) -> tuple[Any, Any]:
    """Return the annotation and the default of a setting's option; a choice may be left to Pathfinder."""
    names = str(setting.option).split()
    if isinstance(setting.kind, Switch | WholeNumber):
        default = getattr(Budget(), setting.name, setting.default)
        return Annotated[type(default), typer.Option(*names, help=setting.help)], default
    choices: Any = Literal[(*setting.kind.values.split(", "), AUTO)]
    help_line = f"{setting.help.rstrip('.')}; {AUTO}: whichever suits the kind of question."
    option = typer.Option(*names, help=help_line, show_default=setting.default is not None)
    return Annotated[choices | None, option], setting.default and str(setting.default)


def _is_point(field: FieldInfo) -> bool:
    return field.annotation == list[float] | None


def _own_option(name: str, field: FieldInfo) -> tuple[Any, Any] | None:
    """Return the annotation and the default of a field's option; `None` if the command leaves it out."""
    shell = next((each for each in field.metadata if isinstance(each, Shell)), Shell(""))
    if shell.form is None:
        return None
    names = [word for word in shell.form.split() if word.startswith("-")]
    metavar = " ".join(word for word in shell.form.split() if not word.startswith("-")) or None
    is_list = field.annotation in (list[str], list[str] | None, list[int] | None)
    kind: Any = field.annotation | None if is_list and not field.is_required() else field.annotation  # type: ignore[operator]
    default = Parameter.empty if field.is_required() else None if is_list else field.get_default()
    if metavar and not names:
        return Annotated[kind, typer.Argument(metavar=metavar, help=field.description)], default
    limits: dict[str, Any] = {
        "min": next((each.ge for each in field.metadata if isinstance(each, Ge)), None),
        "max": next((each.le for each in field.metadata if isinstance(each, Le)), None),
    }
    if _is_point(field):
        kind = tuple[float, float] | None
    elif kind == date | None:
        kind, metavar, limits = datetime | None, "YYYY-MM-DD", {"formats": ["%Y-%m-%d"]}
    help_text = f"{field.description} May be repeated." if is_list else field.description
    metavar = metavar or ("NAME" if is_list else "N" if kind in (int, int | None) else None)
    names = names or [f"--{name.replace('_', '-')}"]
    return Annotated[kind, typer.Option(*names, help=help_text, metavar=metavar, **limits)], default


def _form_of(operation: AnyOperation, out: Path) -> str:
    """Return the format of a file. Raises `UsageError` for a suffix that no format of the operation has."""
    suffixes = {f".{SUFFIXES.get(form, form)}": form for form in operation.forms}
    if out.suffix not in suffixes:
        raise UsageError(f"{out} must end in {' or '.join(suffixes)}: its suffix says the format to write")
    return suffixes[out.suffix]
