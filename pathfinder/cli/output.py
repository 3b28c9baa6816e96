"""Output of the command line: results on standard output; notes and one-line errors on standard error."""

import io
import json
import os
import sys
import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType

import typer
from pydantic import ValidationError
from typer.exceptions import TyperException

from pathfinder.errors import UsageError
from pathfinder.types import without_control_characters


def write_lines(lines: Iterable[str]) -> None:
    """Write lines meant for people, without control characters."""
    for line in lines:
        typer.echo("\n".join(map(without_control_characters, line.split("\n"))))


def write_json(record: Mapping[str, object]) -> None:
    """Write one JSON object meant for programs."""
    typer.echo(json.dumps(record, allow_nan=False, indent=1))


def write_notes(notes: Iterable[str], label: str = "note") -> None:
    """Write notes about the result to standard error."""
    for note in notes:
        typer.echo(f"{label}: {_one_line(note)}", err=True)


def complain(error: Exception) -> int:
    """Write one line that says what went wrong and what to do; return the exit status."""
    if isinstance(error, BrokenPipeError):
        # The program reading the pipe, such as `head`, has closed it. Python would report that again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    if isinstance(error, TyperException):
        return _tell(f"{_usage_message(error)}: see `{_command_path(error)} --help`", error.exit_code)
    if isinstance(error, typer.Abort):
        return _tell("stopped; run the same command again to continue a build where it stopped", 1)
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return _tell(f"{place}{error.strerror or error}: fix this, then run the same command again", 1)
    return _tell(str(error), 2 if isinstance(error, UsageError) else 1)


def prepare_process() -> None:
    """Have unexpected errors reported in one line, and make output safe for any terminal."""
    sys.excepthook = report_bug
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that cannot display Greek shows the Greek letters of a title as code points.
        sys.stdout.reconfigure(errors="backslashreplace")


def report_bug(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Report an unexpected error in one line; Python then exits with status 1."""
    place = traceback.extract_tb(trace)[-1] if trace else None
    where = f" in {Path(place.filename).name}, line {place.lineno}" if place else ""
    _tell(f"this is a bug; please report it with the command you ran: {kind.__name__}{where}: {error}", 1)


def _usage_message(error: TyperException) -> str:
    """Say what is wrong with the arguments, and which value was given."""
    message = error.format_message().rstrip(".").replace("Value error, ", "")
    if not isinstance(error.__cause__, ValidationError):
        return message
    fault = error.__cause__.errors()[0]
    names_value = fault["type"] == "value_error"  # raised by our own checks, whose messages name the value
    return message if names_value else f"{message}, got {fault['input']!r}"


def _command_path(error: TyperException) -> str:
    """Return the command that was called, such as `pathfinder search`, because its help lists its options."""
    context = getattr(error, "ctx", None)
    return context.command_path if context is not None else "pathfinder"


def _tell(message: str, status: int) -> int:
    typer.echo(f"pathfinder: {_one_line(message)}", err=True)
    return status


def _one_line(text: str) -> str:
    return without_control_characters(" ".join(text.split()))
