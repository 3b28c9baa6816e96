"""A stream that ends in time, whatever the other side does: comments that keep a connection alive are no reply."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from types import TracebackType
from typing import Generic, TypeVar

Piece = TypeVar("Piece")


class DeadlinePassed(Exception):
    """The time was over before the stream was."""


def within(seconds: float, stream: Iterator[Piece], *, first: float | None = None) -> Iterator[Piece]:
    """Yield what `stream` yields, and raise what it raises; `DeadlinePassed` once it has taken `seconds` altogether.

    The first piece must come within `first` seconds, where that is given.
    It is read in a thread of its own, because a read that waits cannot be called off. Whoever stops early, or in vain,
    leaves that thread behind until the other side sends its next piece or closes.
    """
    relay: _Relay[Piece] = _Relay()
    start = monotonic()
    end = start + (seconds if first is None else min(first, seconds))
    Thread(target=_read, args=(stream, relay), name="stream", daemon=True).start()
    try:
        while True:
            try:
                pieces = relay.received.get(timeout=max(end - monotonic(), 0.0))
            except Empty:
                raise DeadlinePassed from None
            if not pieces:
                break
            yield from pieces
            end = start + seconds
    finally:
        relay.is_unwanted.set()
    if relay.error is not None:
        raise relay.error


@dataclass(slots=True)
class _Relay(Generic[Piece]):
    """What one thread reads and another takes."""

    received: "SimpleQueue[tuple[Piece, ...]]" = field(default_factory=SimpleQueue)
    """Each piece by itself; an empty tuple is the end."""
    is_unwanted: Event = field(default_factory=Event)
    error: BaseException | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> bool:
        """Whatever was raised is raised where the stream is taken."""
        self.error = error
        self.received.put(())
        return True


def _read(stream: Iterator[Piece], relay: _Relay[Piece]) -> None:
    with relay:
        for piece in stream:
            relay.received.put((piece,))
            if relay.is_unwanted.is_set():
                return
