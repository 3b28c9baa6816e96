"""Runs llama.cpp for a model file: one process for each combination of model and options, started when first needed.

The process ends with the app: it is killed at exit, and it ends by itself once its standard input is closed.
"""

import atexit
import json
import os
import secrets
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Event, Lock, Thread
from time import perf_counter
from typing import IO, cast

from pathfinder.errors import MissingDependency, ProviderError, TimeSpent
from pathfinder.types.texts import one_line

PROGRAM = (sys.executable, "-P", str(Path(__file__).with_name("llama_process.py")))
"""Command that starts the process; `-P` keeps modules in the program's folder from shadowing others of the same name.
"""
LOAD_SECONDS = 600.0
"""Maximum time for loading a model: at 10 MB/s, a network disk delivers 6 GB in that time."""
MAX_LOG_LINES = 20


@dataclass(frozen=True, slots=True)
class LlamaOptions:
    """A model file, and the options with which it runs."""

    path: Path
    context_tokens: int
    """Maximum number of tokens in prompt and reply together, per slot."""
    n_slots: int = 1
    """Number of replies that can be written at the same time; each slot takes memory for its context."""
    n_threads: int = 1
    reply_tokens: int = 1024
    """Maximum number of tokens in one reply."""
    seed: int | None = None
    """Seed for sampling; `None` to draw a new one at each start."""


class LlamaServer:
    """llama.cpp with one model, in a separate process. Threads may share it."""

    def __init__(
        self,
        options: LlamaOptions,
        program: Sequence[str] = PROGRAM,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        """`program` is the command that runs `llama_process`; nothing is started yet."""
        self.options, self.key = options, secrets.token_urlsafe(16)
        self._program, self._clock, self._lock = tuple(program), clock, Lock()
        self._run: _Run | None = None

    @property
    def loading_seconds(self) -> float | None:
        """Seconds since loading began; `None` if nothing is being loaded."""
        run = self._run
        return None if run is None or run.is_over.is_set() else self._clock() - run.start

    def address(self, seconds: float = LOAD_SECONDS) -> str:
        """Return the server's address, loading the model if needed.

        Raises `MissingDependency` if llama.cpp is not installed, `TimeSpent` if loading takes longer than `seconds`
        (loading continues for the next call), and `ProviderError` if the model cannot be loaded.
        """
        with self._lock:
            if self._run is None or self._run.has_ended:
                self._run = _Run(self._start(), self._clock())
            run = self._run
        if not run.is_over.wait(min(seconds, LOAD_SECONDS)):
            raise TimeSpent(
                f"{self.options.path.name} is still being loaded after {self._clock() - run.start:.0f} s: ask again "
                "later, or choose a smaller model"
            )
        if run.address is None:
            raise ProviderError(
                f"llama.cpp cannot load {self.options.path.name}: the file is damaged, of a kind unknown to this "
                f"version, or too large to fit in memory; download it again, or choose a smaller one{run.complaint}"
            )
        return run.address

    def stop(self) -> None:
        """End the process, if there is one."""
        with self._lock:
            if self._run is not None:
                self._run.stop()

    def _start(self) -> "Popen[str]":
        if self._program == PROGRAM and find_spec("xllamacpp") is None:
            raise MissingDependency(
                "a model file needs llama.cpp, which is not installed: pip install 'pathfinder[local-chat]'"
            )
        process = Popen(self._program, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True, encoding="utf-8")  # noqa: S603 - our own program
        options = {**asdict(self.options), "path": str(self.options.path), "key": self.key}
        stdin = cast("IO[str]", process.stdin)
        with suppress(BrokenPipeError):  # it has already ended, and its last messages say why
            stdin.write(json.dumps(options) + "\n")
            stdin.flush()
        return process


class _Run:
    """One run of the process; two threads read its output, so that the process never stalls because nobody reads it."""

    def __init__(self, process: "Popen[str]", start: float) -> None:
        self._process, self.start = process, start
        self.is_over = Event()
        """Set once the model has been loaded, or has failed to load."""
        self.address: str | None = None
        self._error = ""
        self._log: deque[str] = deque(maxlen=MAX_LOG_LINES)
        self._log_reader = Thread(target=self._read_log, name="llama-log", daemon=True)
        self._log_reader.start()
        Thread(target=self._read_address, name="llama", daemon=True).start()

    @property
    def has_ended(self) -> bool:
        """True if the process is gone, whether or not it was ever usable."""
        return self.is_over.is_set() and self._process.poll() is not None

    @property
    def complaint(self) -> str:
        """The last messages from llama.cpp, in brackets; empty if there are none."""
        words = one_line(" ".join([self._error, *self._log]))
        return f" ({words})" if words else ""

    def stop(self) -> None:
        """Kill the process and wait for it to exit."""
        self._process.kill()
        self._process.wait()
        self._log_reader.join()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _read_address(self) -> None:
        line = cast("IO[str]", self._process.stdout).readline()
        try:
            message = json.loads(line) if line else {}
        except ValueError:
            message = {"error": line}
        self.address, self._error = message.get("address"), str(message.get("error", ""))
        if self.address is None:
            self._process.wait()
            self._log_reader.join()
        self.is_over.set()

    def _read_log(self) -> None:
        for line in cast("IO[str]", self._process.stderr):
            if line.strip():
                self._log.append(line.strip())


_SERVERS: dict[LlamaOptions, LlamaServer] = {}
_LOCK = Lock()


def server_for(options: LlamaOptions) -> LlamaServer:
    """Return this app's server for a model and its options; all visitors share it."""
    with _LOCK:
        if not _SERVERS:
            atexit.register(stop_servers)
        if options not in _SERVERS:
            _SERVERS[options] = LlamaServer(options)
        return _SERVERS[options]


def stop_servers() -> None:
    """End all processes of this app."""
    with _LOCK:
        for server in _SERVERS.values():
            server.stop()
        _SERVERS.clear()


def usable_cores() -> int:
    """Return the number of processor cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
