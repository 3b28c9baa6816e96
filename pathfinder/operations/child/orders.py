"""Orders for the process that changes corpora, and the messages that it sends back, both as lines of JSON."""

import os
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Event, Lock, Thread
from time import perf_counter
from typing import IO, Any, ClassVar, cast

from pydantic import ConfigDict, TypeAdapter, ValidationError

from pathfinder.errors import CorpusError
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.text.files import write_file
from pathfinder.text.strict_json import first_fault
from pathfinder.types.texts import MAX_QUOTE

PREVIEW = "preview"
_RESUMABLE = frozenset({"build", "update", "fulltext add", "complete"})
"""Operations that, when repeated, continue where they stopped; a repeated rollback would undo the first."""
_FILES = ("sources", "files", "profile", "thesaurus")
"""Options that may hold the paths of files."""


@dataclass(frozen=True, slots=True)
class Order:
    """An operation to be run by the process. It contains no API keys, which are passed in the environment of the
    process.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    work: str
    """Name of the operation."""
    folder: Path = Path()
    """Folder of the corpus; a preview uses none."""
    options: JsonObject = field(default_factory=dict)
    """Options of the operation, as JSON."""
    names: tuple[str, ...] = ()
    """Names that the PDFs among `files` have on the visitor's machine, in their order."""

    @property
    def files(self) -> tuple[str, ...]:
        """Everything that may be the path of a file: sources, files of full texts, profile, thesaurus."""
        values = (self.options.get(name) or () for name in _FILES)
        return tuple(path for value in values for path in ([value] if isinstance(value, str) else value))

    @property
    def completes(self) -> bool:
        """True if hosts are asked what the papers lack."""
        return self.work == "complete" or bool(self.options.get("complete"))

    @property
    def can_resume(self) -> bool:
        """True if the operation, when repeated, continues where it stopped."""
        return self.work in _RESUMABLE


@dataclass(frozen=True, slots=True)
class StageProgress:
    """Progress of a stage of a build."""

    name: str
    n_done: int = 0
    total: int | None = None
    """Number of steps; `None` if it is unknown."""
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """A report from the process; all fields but one are `None`."""

    stage: StageProgress | None = None
    note: str | None = None
    result: dict[str, Any] | None = None
    """The result of the order, once it is done: the preview or the report, as JSON."""
    error: str | None = None
    """The error that ended the order, sent as its last message and worded as a `PathfinderError`."""


_ORDER, _MESSAGE = TypeAdapter(Order), TypeAdapter(Message)


def write_order(order: Order) -> str:
    """Return an order as one line of JSON."""
    return _ORDER.dump_json(order).decode()


def read_order(line: str | bytes) -> Order:
    """Read an order. Raises `CorpusError` if the line is not an order."""
    try:
        return _ORDER.validate_json(line, strict=True)
    except ValidationError as error:
        raise CorpusError(
            f"the instructions for a build cannot be read ({first_fault(error)}): discard them, and build again"
        ) from error


def write_message(message: Message) -> str:
    """Return a message as one line of JSON."""
    return _MESSAGE.dump_json(message, exclude_none=True).decode()


def read_message(line: str | bytes) -> Message:
    """Read a message. Raises `ValueError` if the line is not a message."""
    return _MESSAGE.validate_json(line, strict=True)


# Carries out an order in a separate process, and stores what the process reports.

PROGRAM = (sys.executable, "-P", "-m", "pathfinder.operations.child.program")
"""Command that starts the process; with `-P`, modules in the working folder do not shadow others of the same name."""
ROOT = Path(__file__).parents[3]
"""Folder that holds the package, for a server that runs it without installing it."""
MAX_LOG_LINES = 5


class OrderState(StrEnum):
    """State of an order."""

    RUNNING = "running"
    COMPLETE = "complete"
    FAILED = "failed"
    STOPPED = "stopped"


class Child:
    """An order and the process that carries it out. Threads may share it; `stop` it before the app ends."""

    def __init__(
        self,
        order: Order,
        reminder: Path | None = None,
        keys: Mapping[str, str] | None = None,
        program: Sequence[str] = PROGRAM,
        clock: Callable[[], float] = perf_counter,
        *,
        is_private: bool = False,
    ) -> None:
        """Start the process. The file `reminder` holds the order until it has been carried out, so that it can be
        resumed after a restart of the app; `keys` become environment variables of the process and are stored nowhere
        else. With `is_private`, only the user who runs the app may read what the process writes.
        """
        self.order, self.state = order, OrderState.RUNNING
        self.result: dict[str, Any] | None = None
        self.error = ""
        self._reminder, self._clock, self._lock = reminder, clock, Lock()
        start, now = StageProgress("starting"), clock()
        self._stages = {start.name: (start, now)}
        self._notes: list[str] = []
        self._log: deque[str] = deque(maxlen=MAX_LOG_LINES)
        self._is_over = Event()
        if reminder is not None:
            reminder.parent.mkdir(parents=True, exist_ok=True)
            write_file(reminder, write_order(order), private=True)
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        environment = os.environ | (keys or {}) | {"PYTHONPATH": path}
        umask = 0o077 if is_private else -1
        self._process = Popen(  # noqa: S603
            program, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True, encoding="utf-8", env=environment, umask=umask
        )
        self._log_reader = Thread(target=self._read_log, name="build-log", daemon=True)
        self._log_reader.start()
        Thread(target=self._read_messages, name="build", daemon=True).start()

    @property
    def stage(self) -> tuple[StageProgress, float]:
        """The stage that began last, the start of the process before any, with the seconds since it began."""
        with self._lock:
            stage, began = [*self._stages.values()][-1]
            return stage, self._clock() - began

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user since the stage that runs now began, in order."""
        with self._lock:
            return tuple(self._notes)

    def wait(self, seconds: float) -> bool:
        """Wait for the process to end; return whether it has ended."""
        return self._is_over.wait(seconds)

    def stop(self) -> None:
        """Kill the process: a build can be stopped at any moment, and the same order resumes it."""
        with self._lock:
            if self.state is not OrderState.RUNNING:
                return
            self.state = OrderState.STOPPED
        self._process.kill()
        self._is_over.wait()

    def _read_messages(self) -> None:
        stdin, stdout = cast("IO[str]", self._process.stdin), cast("IO[str]", self._process.stdout)
        with suppress(BrokenPipeError):  # it has already ended, and its last messages say why
            stdin.write(write_order(self.order) + "\n")
            stdin.flush()
        for line in stdout:
            with self._lock, suppress(ValueError):  # the last line from a process that was killed may be incomplete
                message = read_message(line)
                if (stage := message.stage) is not None:
                    now = self._clock()
                    if not stage.n_done and not stage.is_over:
                        self._notes.clear()  # such as waits that are over
                    _, began = self._stages.get(stage.name, (stage, now))
                    self._stages[stage.name] = stage, began
                if message.note is not None:
                    self._notes.append(message.note)
                self.result = message.result or self.result
                self.error = message.error or self.error
        self._process.wait()
        self._log_reader.join()
        with self._lock:
            self._end()
        for pipe in (stdin, stdout, cast("IO[str]", self._process.stderr)):
            with suppress(BrokenPipeError):
                pipe.close()
        self._is_over.set()

    def _end(self) -> None:
        if self.result is not None:
            self.state = OrderState.COMPLETE
            if self._reminder is not None:
                self._reminder.unlink(missing_ok=True)
            return
        if self.state is OrderState.STOPPED:
            return
        self.state = OrderState.FAILED
        if not self.error:
            words = " ".join(" ".join(self._log).split())[-MAX_QUOTE:]
            status = self._process.returncode
            end = f"ended with status {status}" if status >= 0 else f"was killed (signal {-status})"
            self.error = (
                f"the process {end} before it produced a result"
                f"{f' ({words})' if words else ''}: nothing was damaged; resume, or leave out the source that it was "
                "reading"
            )

    def _read_log(self) -> None:
        for line in cast("IO[str]", self._process.stderr):
            if line.strip():
                self._log.append(line.strip())
