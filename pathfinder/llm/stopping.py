"""A reader's Stop: it wakes the thread that waits for a chat model, and closes the connection to the model's server.

Otherwise, a server that runs on a single core would read a long prompt to the end although nobody is waiting for the
reply.
"""

import socket
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from traceback import clear_frames
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from pathfinder.errors import BudgetExhausted
from pathfinder.llm.usage import ended_by
from pathfinder.types import Ended, Usage


class ReaderStopped(GeneratorExit):
    """Raised in work that the reader has stopped, as if its generator had been closed."""


class StopSignal:
    """Signal that the reader has stopped a piece of work. Threads may share it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_set = False
        self._listeners: list[Callable[[], None]] = []

    @property
    def is_set(self) -> bool:
        """True if the work was stopped."""
        return self._is_set

    def set(self) -> None:
        """Stop the work, and call each listener once."""
        with self._lock:
            listeners, self._listeners, self._is_set = self._listeners, [], True
        for listener in listeners:
            listener()

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` when the work is stopped, or at once if it already has been."""
        with self._lock:
            if not self._is_set:
                self._listeners.append(listener)
                return
        listener()

    def ignore(self, listener: Callable[[], None]) -> None:
        """Remove `listener`, so that it is no longer called when the work is stopped."""
        with self._lock:
            self._listeners = [other for other in self._listeners if other != listener]


class Connections:
    """The connections that one request has opened; any thread may close them."""

    def __init__(self) -> None:
        self._lock, self._sockets = Lock(), list[socket.socket]()
        self.is_closed = False

    def add(self, connection: socket.socket) -> None:
        """Remember a connection; it is closed at once if the request is over."""
        with self._lock:
            self._sockets.append(connection)
        if self.is_closed:
            self.close()

    def close(self) -> None:
        """Close all connections, which wakes the thread that reads from them."""
        with self._lock:
            self.is_closed = True
            for connection in self._sockets:
                with suppress(OSError):  # it may be closed already
                    connection.shutdown(socket.SHUT_RDWR)


STOP: ContextVar[StopSignal | None] = ContextVar("stop", default=None)
"""Stop signal for the work in the current thread; `None` if it cannot be stopped."""
CONNECTIONS: ContextVar[Connections | None] = ContextVar("connections", default=None)
"""Connections of the request made by the current thread; `None` if no other thread may close them."""


def check_stop() -> None:
    """Raise `ReaderStopped` if the work in the current thread was stopped."""
    stop = STOP.get()
    if stop is not None and stop.is_set:
        raise ReaderStopped


@contextmanager
def stop_signal() -> Iterator[StopSignal]:
    """Yield a signal for the work that begins in this block; it is also set when the surrounding work is stopped."""
    outer, signal = STOP.get() or StopSignal(), StopSignal()
    outer.listen(signal.set)
    earlier = STOP.set(signal)
    try:
        yield signal
    finally:
        STOP.reset(earlier)
        outer.ignore(signal.set)


class StoppablePool(ThreadPoolExecutor):
    """Pool of threads that are stopped together with the thread that started them."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run `fn` in the context of the caller."""
        return super().submit(copy_context().run, fn, *args, **kwargs)


# A deadline for a stream, regardless of what the server sends: comments that keep a connection alive do not count as
# a reply.

Chunk = TypeVar("Chunk")


class DeadlinePassed(Exception):
    """Raised if the time runs out before the stream ends."""


def within(seconds: float, stream: Iterator[Chunk], *, first: float | None = None) -> Iterator[Chunk]:
    """Yield whatever `stream` yields, and raise whatever it raises; raise `DeadlinePassed` once it has taken `seconds`
    in total.

    The first chunk must arrive within `first` seconds, if given. The stream is read in a separate thread, because a
    blocking read cannot be cancelled. If the stream ends early, its connections are closed if possible; otherwise the
    thread lives on until the server sends its next chunk. Raises `ReaderStopped` when the reader stops the work of the
    current thread; if the reader has already done so, the stream does not begin.
    """
    check_stop()
    relay: _Relay[Chunk] = _Relay()
    stop = STOP.get() or StopSignal()
    start = monotonic()
    end = start + (seconds if first is None else min(first, seconds))
    stop.listen(relay.end)
    Thread(target=_read, args=(stream, relay), name="stream", daemon=True).start()
    try:
        while True:
            try:
                chunks = relay.chunk_queue.get(timeout=max(end - monotonic(), 0.0))
            except Empty:
                raise DeadlinePassed from None
            if not chunks:
                break
            yield from chunks
            end = start + seconds
    finally:
        stop.ignore(relay.end)
        relay.is_unwanted.set()
        relay.connections.close()
    if stop.is_set:
        raise ReaderStopped
    if relay.error is not None:
        raise relay.error


@dataclass(slots=True)
class _Relay(Generic[Chunk]):
    """Queue into which one thread puts the chunks that it reads, for another thread to take."""

    chunk_queue: "SimpleQueue[tuple[Chunk, ...]]" = field(default_factory=SimpleQueue)
    """Chunks, one per entry; an empty tuple marks the end."""
    is_unwanted: Event = field(default_factory=Event)
    connections: Connections = field(default_factory=Connections)
    error: BaseException | None = None

    def end(self) -> None:
        """Mark the end of the stream."""
        self.chunk_queue.put(())

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> bool:
        """Pass any exception on to the thread that reads the queue, which raises it."""
        self.error = error
        if error is not None:
            _let_go(error)
        self.end()
        return True


def _let_go(error: BaseException) -> None:
    """Close anything held by the frames of an error, such as a server's reply. Otherwise, the garbage collector closes
    it later, in any thread: if that thread is requesting a connection at that moment, the request and the closing both
    need the lock of the same pool, and the thread waits for itself (httpcore 1).
    """
    chain: BaseException | None = error
    while chain is not None:
        clear_frames(chain.__traceback__)
        chain = chain.__cause__ or chain.__context__


def _read(stream: Iterator[Chunk], relay: _Relay[Chunk]) -> None:
    CONNECTIONS.set(relay.connections)
    with relay:
        try:
            for chunk in stream:
                relay.chunk_queue.put((chunk,))
                if relay.is_unwanted.is_set():
                    return
        finally:
            if isinstance(stream, Generator):  # closed here rather than by the garbage collector, see `_let_go`
                stream.close()


# Reads generators as streams, which record the items and the return value; the stream of a reply also stops when the
# budget is spent.

Item = TypeVar("Item")
Result = TypeVar("Result")


class RecordedStream(Iterator[Item], Generic[Item, Result]):
    """A generator whose items are recorded as they pass, and whose return value is `result` once it has ended.

    At the end of a `with` block, the generator is closed, so that the provider's connection is released when a reader
    stops.

    >>> stream = RecordedStream(chat.stream(system, prompt))
    >>> for chunk in stream: ...
    >>> "".join(stream.items), stream.result
    """

    result: Result

    def __init__(self, generator: Generator[Item, None, Result]) -> None:
        self._generator = generator
        self.items: list[Item] = []

    def __next__(self) -> Item:
        try:
            item = next(self._generator)
        except StopIteration as end:
            self.result = end.value
            raise
        self.items.append(item)
        return item

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._generator.close()


def drain(generator: Generator[object, None, Result]) -> Result:
    """Run `generator` to the end and return its result; the items are discarded."""
    stream = RecordedStream(generator)
    for _ in stream:
        pass
    return stream.result


class BudgetedReply(RecordedStream[str, Usage | None]):
    """A reply in chunks that stops when the budget is spent; `cut_reason` says why it stopped early."""

    cut_reason: Ended | None = None

    def __next__(self) -> str:
        try:
            return super().__next__()
        except BudgetExhausted as error:
            self.cut_reason = ended_by(error)
            raise StopIteration from None

    @property
    def text(self) -> str:
        """The text so far, without white space at the ends."""
        return "".join(self.items).strip()
