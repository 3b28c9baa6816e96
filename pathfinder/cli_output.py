"""What leaves the command line: results on standard output, notes and one line of complaint on standard error."""

import io
import json
import os
import sys
import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType

import typer
from typer.exceptions import TyperException

from pathfinder.errors import UsageError
from pathfinder.types import without_control_characters


def write_lines(lines: Iterable[str]) -> None:
    """Lines for people; what a paper is called does not steer the terminal."""
    for line in lines:
        typer.echo("\n".join(map(without_control_characters, line.split("\n"))))


def write_json(record: Mapping[str, object]) -> None:
    """One object for programs."""
    typer.echo(json.dumps(record, allow_nan=False, indent=1))


def write_notes(notes: Iterable[str], label: str = "note") -> None:
    """What the reader should know beside the result."""
    for note in notes:
        typer.echo(f"{label}: {_one_line(note)}", err=True)


def complain(error: Exception) -> int:
    """One line that says what went wrong and what to do; returns the exit status."""
    if isinstance(error, BrokenPipeError):
        # Whoever reads the output has left, `head` for one. Python would tell once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    if isinstance(error, TyperException):
        return _tell(f"{error.format_message().rstrip('.')}: see `pathfinder --help`", error.exit_code)
    if isinstance(error, typer.Abort):
        return _tell("stopped; a build goes on where it stood when the same command is given again", 1)
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return _tell(f"{place}{error.strerror or error}: see to it, then give the same command again", 1)
    return _tell(str(error), 2 if isinstance(error, UsageError) else 1)


def prepare_process() -> None:
    """Make this process complain in one line of what nobody foresaw, too, and write to any terminal."""
    sys.excepthook = report_bug
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that knows no Greek shows a title's letters by their numbers.
        sys.stdout.reconfigure(errors="backslashreplace")


def report_bug(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """One line for what nobody foresaw; Python then ends with status 1."""
    place = traceback.extract_tb(trace)[-1] if trace else None
    where = f" in {Path(place.filename).name}, line {place.lineno}" if place else ""
    _tell(f"this is a bug, please report it with the command that you gave: {kind.__name__}{where}: {error}", 1)


def _tell(message: str, status: int) -> int:
    typer.echo(f"pathfinder: {_one_line(message)}", err=True)
    return status


def _one_line(text: str) -> str:
    return without_control_characters(" ".join(text.split()))
