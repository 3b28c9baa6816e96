"""Processes that search, each with the corpus open: in one process, Python lets only one thread work at a time.

The server itself keeps everything that must be in one place: keys, limits, the queue, counts and MCP. A process that is
killed is replaced; whoever was waiting for it is asked to call again. All processes end with the server, however it
ends.
"""

import asyncio
import ctypes
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock, Thread

from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from pathfinder.corpus.manifest import DiskVersion, read_manifest, version_on_disk
from pathfinder.errors import PathfinderError
from pathfinder.facade import Pathfinder
from pathfinder.facade.open_corpus import SearchCache
from pathfinder.llm.stopping import STOP, ReaderStopped, StopSignal
from pathfinder.models.ports import ChatModel
from pathfinder.operations import body_of, call, served
from pathfinder.retrieval.reranking.local.one_thread import keep_one_thread
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.errors import error_record, error_response
from pathfinder.serving.guard import SECONDS_UNTIL_RETRY, CallerLeft
from pathfinder.settings import read_settings
from pathfinder.sources.live.access import allowed_sources
from pathfinder.text.strict_json import parse_json

WATCHED_EVERY = 1.0
"""Seconds after which an idle process that has ended is replaced."""

KEPT_BYTES = 32 * 1024 * 1024
"""Minimum amount of freed memory that a process keeps."""

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Options of `mallopt`."""

Reply = tuple[int, bytes]
"""Status and body of a reply."""

_ServedFolder = tuple[Path, ServerAccess]
"""Folder of a corpus, and who may call its server."""


class SearchProcesses:
    """Several processes that answer calls for a server."""

    def __init__(self, folder: Path, n: int, access: ServerAccess) -> None:
        """Start `n` processes that open the corpus in `folder`, and return without waiting for them."""
        self._folder, self._access = folder, access
        self._processes = [_SearchProcess(folder, access) for _ in range(n)]

    def __len__(self) -> int:
        return len(self._processes)

    async def answer(self, address: str, body: BaseModel, version: DiskVersion) -> Response:
        """Answer a call with this version of the corpus, in the least busy process, or refuse it with status 503 if
        that process is killed.

        Among equally busy processes, the same question goes to the same one, which may remember its search. Raises
        `CallerLeft` if the caller leaves before it is answered.
        """
        request = body.model_dump_json(exclude_unset=True)
        first = hash(getattr(body, "query", None))
        order = sorted(
            range(len(self)), key=lambda place: (self._processes[place].n_calls, (place - first) % len(self))
        )
        try:
            reply = await asyncio.wrap_future(self._submit(order[0], address, request, version))
        except BrokenProcessPool:
            headers = {"Retry-After": str(SECONDS_UNTIL_RETRY)}
            message = "the process that was handling this call has ended"
            return error_response(HTTPStatus.SERVICE_UNAVAILABLE, "ended", message, "send the call again", headers)
        if reply is None:
            raise CallerLeft
        return Response(reply[1], reply[0], media_type="application/json")

    def _submit(self, place: int, address: str, request: str, version: DiskVersion) -> Future[Reply | None]:
        """Hand a call to a process; one that has ended is replaced first."""
        try:
            return self._processes[place].submit(address, request, version)
        except BrokenProcessPool:
            self._replace(place)
            return self._processes[place].submit(address, request, version)

    def _replace(self, place: int) -> None:
        self._processes[place].close()
        self._processes[place] = _SearchProcess(self._folder, self._access)

    async def watch(self, every: float = WATCHED_EVERY) -> None:
        """Replace processes that end while they are idle, so that no call waits for a new one to open the corpus."""
        while True:
            await asyncio.sleep(every)
            for place, process in enumerate(self._processes):
                if process.has_ended:
                    self._replace(place)

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        while self._processes:
            self._processes.pop().close()


class _SearchProcess:
    """A process that answers one call after another."""

    def __init__(self, folder: Path, access: ServerAccess) -> None:
        self._corpus = (folder, access)
        context = get_context("spawn")
        server, self._tell = context.Pipe(duplex=False)
        # A pool of one, so that the end of one process affects only its own callers.
        self._pool = ProcessPoolExecutor(1, context, _open, (self._corpus, server))
        self._calls: set[Future[Reply | None]] = set()
        self._numbers = count()
        self._pool.submit(_is_open)

    @property
    def n_calls(self) -> int:
        """Number of calls that the process has not answered yet."""
        return len(self._calls)

    @property
    def has_ended(self) -> bool:
        """True if the process ended while it was idle, so that it no longer takes calls."""
        if self._calls:
            return False
        try:
            self._pool.submit(_is_open)
        except BrokenProcessPool:
            return True
        return False

    def submit(self, address: str, request: str, version: DiskVersion) -> Future[Reply | None]:
        """Submit a call, whose reply is `None` if its caller leaves before it is answered. Raises
        `BrokenProcessPool` if the process has ended; if the process ends later, the future raises the error.
        """
        number, caller = next(self._numbers), STOP.get() or StopSignal()
        call = self._pool.submit(_answer_unless_left, number, self._corpus, version, address, request)
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        # The pool itself cannot cancel a call that it has already passed to the process, where it may have to wait.
        leave = partial(self._say_left, number)
        caller.listen(leave)
        call.add_done_callback(lambda _: caller.ignore(leave))
        return call

    def _say_left(self, number: int) -> None:
        with suppress(OSError):  # the process has ended, and its calls with it
            self._tell.send_bytes(str(number).encode())

    def close(self) -> None:
        """End the process, whatever it is doing, and wait for it to end."""
        self._tell.close()
        self._pool.shutdown(cancel_futures=True)


_OPEN_CORPORA: dict[DiskVersion, "Pathfinder"] = {}
"""The corpus of this process, by its version; empty if it could not be opened."""

_ABANDONED_CALLS: set[int] = set()
"""Numbers of the calls of this process whose callers have left."""
_STOP_SIGNALS: dict[int, StopSignal] = {}
"""Signal of the call that this process is answering, by its number; it is set when the caller leaves."""
_SERVER_CONNECTIONS: list[Connection] = []
"""The connection through which the server tells this process the numbers of those calls; empty in the server."""
_READING = Lock()
"""Lock to hold while reading from this connection."""


def _open(corpus: _ServedFolder, server: Connection) -> None:
    """Open the corpus in a new process, which ends with the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the server ends the others
    _SERVER_CONNECTIONS.append(server)
    Thread(target=_listen_to_server, args=(server,), daemon=True).start()
    # Keep freed memory for the next search, which needs arrays of the same size: asking the system for memory again
    # takes 8% of the processor time of a search. Only the allocator of GNU/Linux has this setting.
    with suppress(OSError, AttributeError, TypeError):
        set_option = ctypes.CDLL(None).mallopt
        set_option(_TRIM_THRESHOLD, KEPT_BYTES)
        set_option(_MMAP_THRESHOLD, KEPT_BYTES)
    with suppress(PathfinderError):  # the first call tries again, and is answered with the reason
        _open_version(corpus, version_on_disk(corpus[0]))


def _open_version(corpus: _ServedFolder, version: DiskVersion) -> Pathfinder:
    """Return the corpus of this process, after opening it if it is not open in this version."""
    if version not in _OPEN_CORPORA:
        _OPEN_CORPORA.clear()  # this process answers one call at a time, so nobody is reading the earlier version
        _OPEN_CORPORA[version] = open_for_callers(*corpus)
    return _OPEN_CORPORA[version]


def _listen_to_server(server: Connection) -> None:
    """Note the calls whose callers leave, until the connection ends because the server has closed it or has died."""
    with suppress(EOFError, OSError):
        while server.poll(None):
            _note_abandoned_calls(server)
    os._exit(0)


def _note_abandoned_calls(server: Connection) -> None:
    """Note the calls that the server has named so far. Raises `EOFError` or `OSError` if the connection has ended."""
    with _READING:
        while server.poll():
            number = int(server.recv_bytes())
            _ABANDONED_CALLS.add(number)
            if stop := _STOP_SIGNALS.get(number):
                stop.set()


def _is_open() -> bool:
    return bool(_OPEN_CORPORA)


def _answer_unless_left(
    number: int, corpus: _ServedFolder, version: DiskVersion, address: str, request: str
) -> Reply | None:
    """Answer the call with this number, or return `None` if its caller has left, or leaves before it is answered."""
    stop = _STOP_SIGNALS[number] = StopSignal()
    earlier = STOP.set(stop)
    with suppress(EOFError, OSError):  # the listener ends this process
        for server in _SERVER_CONNECTIONS:
            _note_abandoned_calls(server)
    try:
        return None if number in _ABANDONED_CALLS else _answer(corpus, version, address, request)
    except ReaderStopped:
        return None
    finally:
        STOP.reset(earlier)
        del _STOP_SIGNALS[number]
        _ABANDONED_CALLS.discard(number)


def _answer(corpus: _ServedFolder, version: DiskVersion, address: str, request: str) -> Reply:
    operation = served()[address]
    try:
        pf = _open_version(corpus, version)
    except PathfinderError as error:
        way_out = "ask the owner of the server to follow the message, then send the call again"
        reply = error_response(HTTPStatus.INTERNAL_SERVER_ERROR, type(error).__name__, str(error), way_out)
        return reply.status_code, bytes(reply.body)
    try:
        reply = JSONResponse(call(operation, pf, body_of(operation).model_validate(parse_json(request))))
    except PathfinderError as error:
        status, record = error_record(error)
        reply = JSONResponse(record, status)
    return reply.status_code, bytes(reply.body)


# The open corpus of a server, which follows its folder: an update or a removal takes effect with the next call.

CHECKED_EVERY = 1.0
"""Seconds for which a server relies on what it last saw in the folder of its corpus."""


class ServedCorpus:
    """The corpus that a server has open, shared by its threads. After an update, a removal or a rollback, it is opened
    again; calls that have already begun keep the version with which they began.
    """

    def __init__(self, pf: Pathfinder, access: ServerAccess, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._access, self._chat, self._clock = pf.corpus.folder, access, pf.chat, clock
        self._lock = Lock()
        self._pf = for_callers(pf, access)
        self._newest_version, self._seen_at = version_on_disk(self._folder), clock()
        # The folder may have been changed since `pf` was opened.
        is_newest = read_manifest(self._folder)[0] == pf.corpus.manifest
        self._open_version = self._newest_version if is_newest else None

    def version(self) -> DiskVersion:
        """Return the version of the corpus in the folder, as it was at most `CHECKED_EVERY` seconds ago."""
        now = self._clock()
        if now - self._seen_at >= CHECKED_EVERY:
            self._newest_version, self._seen_at = version_on_disk(self._folder), now
        return self._newest_version

    def current(self) -> Pathfinder:
        """Return the corpus, after opening it again if its folder has another version; for use in a thread.

        Raises `CorpusError` or `ModelError` if that version cannot be opened: the earlier one may have papers that were
        removed.
        """
        with self._lock:
            version = self.version()
            if version != self._open_version:
                self._pf = open_for_callers(self._folder, self._access, self._chat)
                self._open_version = version
            return self._pf


def open_for_callers(folder: Path, access: ServerAccess, chat: ChatModel | None = None) -> Pathfinder:
    """Open the corpus in `folder` for many callers, with the server's own settings.

    Raises `CorpusError` or `ModelError` if it cannot be opened.
    """
    return for_callers(Pathfinder.open(folder, settings=read_settings(), chat=chat), access)


def for_callers(pf: Pathfinder, access: ServerAccess) -> Pathfinder:
    """Return an open corpus for many callers: repeated searches come from memory, and callers on other machines may
    query only the live sources that the owner has named.
    """
    keep_one_thread()
    pf = pf.with_searches(SearchCache())
    if pf.live is None or not access.is_public:
        return pf
    return pf.with_live(replace(pf.live, allowed_sources=allowed_sources(pf.live.settings.live)))
