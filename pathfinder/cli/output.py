"""Output of the command line: results on standard output; notes and one-line errors on standard error."""

import atexit
import io
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType

import typer
from pydantic import ValidationError
from typer.exceptions import TyperException

from pathfinder.errors import StoreError, UsageError, shortage, shortened
from pathfinder.settings import read_settings
from pathfinder.types import without_control_characters
from pathfinder.types.texts import MAX_QUOTE

MIN_BYTES = 1 << 30
"""Address space in bytes with which no command can load its libraries."""
SECONDS_IN_VAIN = 5.0
"""System time, in seconds, that a process may spend at the limit without getting memory: OpenBLAS asks for ever."""
SECONDS_BETWEEN_LOOKS = 0.1
_BYTES_OF_A_LIBRARY = 64 << 20
"""Largest piece of memory, in bytes, for which a library is known to ask for ever; OpenBLAS takes 33 MB a thread."""


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
    if shortage(error) is not None:
        return _tell(_shortage_line(error), 1)
    if isinstance(error, BrokenPipeError):
        # The program reading the pipe, such as `head`, has closed it. Python would report that again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    if isinstance(error, TyperException):
        return _tell(f"{_usage_message(error)}: see `{_command_path(error)} --help`", error.exit_code)
    if isinstance(error, typer.Abort):
        # OpenBLAS interrupts its own process, like Ctrl-C, where it cannot start its threads.
        limit = _limit_on_memory()
        doubt = "" if limit is None else f"; if nobody stopped it, there is too little memory: {_raise_limit(limit)}"
        return _tell(f"stopped; run the same command again to continue a build where it stopped{doubt}", 1)
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
    if shortage(error) is not None or _limit_on_memory() is not None:
        _tell(_shortage_line(error), 1)
        return
    place = traceback.extract_tb(trace)[-1] if trace else None
    where = f" in {Path(place.filename).name}, line {place.lineno}" if place else ""
    _tell(f"this is a bug; please report it with the command you ran: {kind.__name__}{where}: {error}", 1)


def check_memory() -> int | None:
    """Return the exit status if the system limits the memory of this process (`ulimit -v`) so much that no command can
    run, or if the command has already run in a process of its own; `None` if it is to run here.

    With too little memory, libraries do not always raise an error: some crash, end the process, or wait for ever. If
    there is a limit, another process therefore runs the command, and this one says what happened.
    """
    limit = _limit_on_memory()
    if limit is None:
        return None
    if limit < MIN_BYTES:
        return _tell(f"there is too little memory: {_raise_limit(limit)}", 1)
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    child = os.fork()
    if child == 0:
        atexit.register(os.write, writer, b"1")  # Python itself ends the process, and has said why
        return None
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches both processes
    signal.signal(signal.SIGTERM, lambda number, _: os.kill(child, number))
    status = _wait(child, limit)
    if status is None:
        return _tell(f"there is too little memory (a library waits for more): {_raise_limit(limit)}", 1)
    if -status in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS):
        return _tell(f"there is too little memory ({signal.strsignal(-status)}): {_raise_limit(limit)}", 1)
    if status > 0 and not _has_bytes(reader):
        return _tell(f"there is too little memory (a library ended the command): {_raise_limit(limit)}", 1)
    return status if status >= 0 else 128 - status


def _wait(child: int, limit: int) -> int | None:
    """Return how `child` ended; `None` if this process has ended it because it asked for memory in vain: at the limit,
    it spent `SECONDS_IN_VAIN` in the system, and got not a page more. Only Linux tells.
    """
    usage, seen, since = Path(f"/proc/{child}/stat"), ("", ""), 0.0
    while usage.exists():
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        fields = usage.read_text(encoding="utf-8").rpartition(")")[2].split()  # proc(5), from its third field on
        faults_and_size, seconds = (fields[7], fields[20]), int(fields[12]) / os.sysconf("SC_CLK_TCK")
        if faults_and_size != seen or limit - int(fields[20]) > _BYTES_OF_A_LIBRARY:
            seen, since = faults_and_size, seconds
        elif seconds - since > SECONDS_IN_VAIN:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        time.sleep(SECONDS_BETWEEN_LOOKS)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _has_bytes(reader: int) -> bool:
    try:
        return bool(os.read(reader, 1))
    except BlockingIOError:
        return False


def limit_build() -> None:
    """Limit the memory of a build or an update as the settings say, before its libraries are loaded."""
    from pathfinder.operations.child.program import limit_memory

    if read_settings().build_memory_gb is None:
        return
    limit_memory("build")
    if (status := check_memory()) is not None:
        raise typer.Exit(status)


def _limit_on_memory() -> int | None:
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if limit == resource.RLIM_INFINITY else limit


def _raise_limit(limit: int) -> str:
    return (
        f"{limit >> 20:,} MiB are allowed, and at least {MIN_BYTES >> 20:,} and often 4,000 are needed: raise the "
        "limit (`ulimit -v unlimited`, or PATHFINDER_BUILD_MEMORY_GB if it is set)"
    )


def _shortage_line(error: BaseException) -> str:
    """Say what was too little, and what to do about it."""
    if shortage(error) == "disk":
        place = f"{error.filename}: " if isinstance(error, OSError) and error.filename else ""
        return (
            str(error)
            if isinstance(error, StoreError)
            else f"{place}the disk is full, or a limit on the size of files is reached; what stood there before is "
            "unchanged: free some space, then run the same command again"
        )
    limit = _limit_on_memory()
    what = " ".join(str(error).split())[:MAX_QUOTE] or type(error).__name__
    remedy = "close other programs or take a machine with more memory" if limit is None else _raise_limit(limit)
    return f"there is too little memory ({what}): {remedy}; then run the same command again"


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
    typer.echo(f"pathfinder: {shortened(_one_line(message))}", err=True)
    return status


def _one_line(text: str) -> str:
    return without_control_characters(" ".join(text.split()))
