"""A deadline for a stream, regardless of what the server sends: comments that keep a connection alive do not count as a
reply.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from traceback import clear_frames
from types import TracebackType
from typing import Generic, TypeVar

from pathfinder.llm.stopping import CONNECTIONS, STOP, Connections, ReaderStopped, StopSignal, check_stop

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
        for chunk in stream:
            relay.chunk_queue.put((chunk,))
            if relay.is_unwanted.is_set():
                return
