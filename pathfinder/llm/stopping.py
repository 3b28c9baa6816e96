"""A reader's Stop: it wakes the thread that waits for a chat model, and closes the connection to the model's server.

Otherwise, a server that runs on a single core would read a long prompt to the end although nobody is waiting for the
reply.
"""

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from threading import Lock
from typing import Any


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
