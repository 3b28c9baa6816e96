"""A chat model in a file on this machine: llama.cpp runs it in a separate process, and is called like any other server.

There is one process for each combination of model and options, started when it is first needed. It ends with the app:
it is killed at exit, and it ends by itself once its standard input is closed.
"""

import atexit
import json
import os
import re
import secrets
import sys
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryFile
from threading import Lock, Thread
from time import perf_counter
from typing import IO, Any, cast

from pathfinder.errors import MissingDependency, ProviderError, TimeSpent
from pathfinder.llm.chat import Chat
from pathfinder.llm.langchain_chat import langchain_chat
from pathfinder.models.ports import ChatReply, ChatRequest
from pathfinder.settings import MIN_CONTEXT, Settings
from pathfinder.types.texts import one_line

MAX_CONTEXT = 8_192
"""Context length in tokens, used if none is set and the model was trained for a longer one: a longer context takes more
memory, and a CPU takes minutes to read a prompt of that length.
"""

PATIENCE_SECONDS = 600.0
"""Minimum time to wait for the first word: a CPU reads a long prompt at 10 to 100 tokens a second. The question's
budget may end the wait earlier.
"""

LOAD_SECONDS = 600.0
"""Maximum time for loading a model: at 10 MB/s, a network disk delivers 6 GB in that time."""

PROGRAM = (sys.executable, "-P", str(Path(__file__).with_name("llama_process.py")))
"""Command that starts the process; `-P` keeps modules in the program's folder from shadowing others of the same name.
"""

HEAD_BYTES = 1024 * 1024
"""Part of a model file in which its context length is looked for; lists of many megabytes, such as the tokens, follow
it.
"""
_CONTEXT = re.compile(rb"\.context_length(?:[\x04\x05]\0{3}(.{4})|[\x0a\x0b]\0{3}(.{8}))", re.DOTALL)
"""Key of the context length, type of its value (a whole number of 32 or 64 bits) and value, as a GGUF file has them
(https://github.com/ggml-org/ggml/blob/master/docs/gguf.md).
"""


class GgufModels:
    """The vendor `gguf`: chat models in files on this machine."""

    @staticmethod
    def from_settings(model: str, settings: Settings) -> Chat:
        """Return the chat model in the file `model`. Raises `ProviderError` if no file is named."""
        if not model.strip():
            raise ProviderError("gguf: names no file: write gguf:/path/to/model.gguf in PATHFINDER_CHAT_MODEL")
        return gguf_chat(Path(model.strip()).expanduser(), settings)


def gguf_chat(path: Path, settings: Settings, server_of: "Callable[[LlamaOptions], LlamaServer] | None" = None) -> Chat:
    """Return the chat model in a GGUF file. Nothing is read or started before the first reply is requested, which
    raises a `ProviderError` for a file that cannot be used, and `MissingDependency` if llama.cpp is not installed.
    """
    model = _FileModel(path, settings, server_of or server_for)
    return Chat(model.name, model.send, model.context_tokens, model.loading)


class _FileModel:
    """A model in a file, run by llama.cpp."""

    def __init__(self, path: Path, settings: Settings, server_of: "Callable[[LlamaOptions], LlamaServer]") -> None:
        # The file's folders are private to the owner.
        self.name = f"gguf:{path.stem}"
        self._path, self._settings, self._server_of = path, settings, server_of

    def context_tokens(self) -> int | None:
        """Return the maximum number of tokens in prompt and reply together; `None` for a file that cannot be read."""
        try:
            return self._options.context_tokens
        except ProviderError:
            return None

    def loading(self) -> str | None:
        """Return the progress of loading; `None` if nothing is being loaded."""
        try:
            seconds = self._server_of(self._options).loading_seconds
        except ProviderError:
            return None
        size = f"{self._path.stat().st_size / 1e6:,.0f} MB"
        return None if seconds is None else f"loading {self._path.stem} ({size}), {seconds:.0f} s"

    def send(self, request: ChatRequest) -> Generator[str, None, ChatReply]:
        """Send a request to the running server, after loading the model if needed; loading counts as waiting time."""
        options = self._options
        server = self._server_of(options)
        chat = langchain_chat(
            f"openai:{self._path.stem}",
            api_key=server.key,
            base_url=f"{server.address(request.begins)}/v1",
            timeout_seconds=max(self._settings.chat_timeout_seconds, PATIENCE_SECONDS),
            label=self.name,
        )
        max_tokens = min(request.max_tokens or options.reply_tokens, options.reply_tokens)
        return (yield from chat.send(replace(request, max_tokens=max_tokens)))

    @cached_property
    def _options(self) -> "LlamaOptions":
        settings = self._settings
        trained = read_context(self._path) or MAX_CONTEXT
        context = settings.chat_context or max(min(trained, MAX_CONTEXT), MIN_CONTEXT)
        affinity = getattr(os, "sched_getaffinity", None)
        n_cores = len(affinity(0)) if affinity else os.cpu_count() or 1
        return LlamaOptions(
            self._path,
            context,
            settings.chat_slots,
            settings.chat_threads or n_cores,
            min(settings.chat_reply_tokens, context // 4),
            settings.chat_seed,
        )


def read_context(path: Path) -> int | None:
    """Return the number of tokens that the model in a GGUF file was trained to read; `None` if the file does not say.

    Raises `ProviderError` for a file that is missing or in another format; llama.cpp itself says what else is wrong
    with one.
    """
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except FileNotFoundError:
        raise ProviderError(f"there is no model file {path}: check the path in PATHFINDER_CHAT_MODEL") from None
    except IsADirectoryError:
        raise ProviderError(f"{path} is a folder: set PATHFINDER_CHAT_MODEL to the .gguf file inside it") from None
    except OSError as error:
        raise ProviderError(f"the model file {path} cannot be read ({error.strerror}): check its permissions") from None
    if not head.startswith(b"GGUF"):
        raise ProviderError(
            f"{path} is no GGUF file: it does not begin with GGUF; download a model in that format, such as "
            "SmolLM2-135M-Instruct.Q4_1.gguf"
        )
    context = _CONTEXT.search(head)
    return int.from_bytes(context[1] or context[2], "little") if context else None


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


@dataclass(frozen=True, slots=True)
class _Run:
    """One run of the process."""

    process: "Popen[str]"
    log: IO[str]
    """Its standard error output."""
    start: float
    report: "Future[dict[str, Any]]" = field(default_factory=Future)
    """What the process says once the model has been loaded, or has failed to load."""

    def read_report(self) -> None:
        """Wait for the line of JSON in which the process reports."""
        line = cast("IO[str]", self.process.stdout).readline()
        try:
            report = json.loads(line)
        except ValueError:
            report = {"error": line}
        if "address" not in report:
            self.process.wait()
        self.report.set_result(report)


class LlamaServer:
    """llama.cpp with one model, in a separate process. Threads may share it."""

    def __init__(
        self, options: LlamaOptions, program: Sequence[str] = PROGRAM, clock: Callable[[], float] = perf_counter
    ) -> None:
        """`program` is the command that runs `llama_process`; nothing is started yet."""
        self.options, self.key = options, secrets.token_urlsafe(16)
        self._program, self._clock, self._lock = tuple(program), clock, Lock()
        self._run: _Run | None = None

    @property
    def loading_seconds(self) -> float | None:
        """Seconds since loading began; `None` if nothing is being loaded."""
        run = self._run
        return None if run is None or run.report.done() else self._clock() - run.start

    def address(self, seconds: float = LOAD_SECONDS) -> str:
        """Return the server's address, loading the model if needed.

        Raises `MissingDependency` if llama.cpp is not installed, `TimeSpent` if loading takes longer than `seconds`
        (loading continues for the next call), and `ProviderError` if the model cannot be loaded.
        """
        with self._lock:
            run = self._run
            if run is None or (run.report.done() and run.process.poll() is not None):
                run = self._run = self._start()
        try:
            report = run.report.result(min(seconds, LOAD_SECONDS))
        except TimeoutError:
            raise TimeSpent(
                f"{self.options.path.name} is still being loaded after {self._clock() - run.start:.0f} s: ask again "
                "later, or choose a smaller model"
            ) from None
        if "address" not in report:
            run.log.seek(0)
            words = one_line(f"{report.get('error', '')} {run.log.read()}")
            raise ProviderError(
                f"llama.cpp cannot load {self.options.path.name}: the file is damaged, of a kind unknown to this "
                "version, or too large to fit in memory; download it again, or choose a smaller one"
                + (f" ({words})" if words else "")
            )
        return str(report["address"])

    def stop(self) -> None:
        """End the process, if there is one, and wait for it to exit."""
        with self._lock:
            if self._run is not None:
                self._run.process.kill()
                self._run.process.wait()
                self._run.report.result()
                for file in (self._run.process.stdin, self._run.process.stdout, self._run.log):
                    cast("IO[str]", file).close()

    def _start(self) -> _Run:
        if self._program == PROGRAM and find_spec("xllamacpp") is None:
            raise MissingDependency(
                "a model file needs llama.cpp, which is not installed: pip install 'pathfinder[local-chat]'"
            )
        log = TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 - `stop` closes it
        process = Popen(self._program, stdin=PIPE, stdout=PIPE, stderr=log, text=True, encoding="utf-8")  # noqa: S603 - our own program
        options = {**asdict(self.options), "path": str(self.options.path), "key": self.key}
        stdin = cast("IO[str]", process.stdin)
        with suppress(BrokenPipeError):  # it has already ended, and its last messages say why
            stdin.write(json.dumps(options) + "\n")
            stdin.flush()
        run = _Run(process, log, self._clock())
        Thread(target=run.read_report, name="llama", daemon=True).start()
        return run


_SERVERS: dict[LlamaOptions, LlamaServer] = {}
_LOCK = Lock()


def server_for(options: LlamaOptions) -> LlamaServer:
    """Return this app's server for a model and its options; all visitors share it."""
    with _LOCK:
        if not _SERVERS:
            atexit.register(stop_servers)
        return _SERVERS.setdefault(options, LlamaServer(options))


def stop_servers() -> None:
    """End all processes of this app."""
    with _LOCK:
        for server in _SERVERS.values():
            server.stop()
        _SERVERS.clear()
