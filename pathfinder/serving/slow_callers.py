"""Closes connections on which no call begins: a thousand of them would use up the server's connections."""

import sys
from asyncio import Transport

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""Seconds within which the head of a call must arrive."""

BACKLOG = 100
"""Number of connections that the server accepts at once; each takes a file handle before anything can close it."""

MOST = 500
"""Maximum number of connections if the system sets no limit on file handles."""


def most_connections() -> int:
    """Return half the number of file handles that this process may have: without a spare handle, Python cannot even log
    what is wrong.
    """
    if sys.platform == "win32":
        return MOST
    import resource

    handles, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if handles == resource.RLIM_INFINITY else handles // 2


def closing_after(seconds: float = HEAD_SECONDS, most: int | None = None) -> type[H11Protocol]:
    """Return the protocol of a server that closes a connection if the head of the next call takes longer than
    `seconds`; uvicorn itself waits for ever, and its `limit_concurrency` would refuse everybody meanwhile. If there are
    `most` connections, by default `most_connections`, the one that has waited longest makes room for a new one.
    """
    limit = most_connections() if most is None else most
    waiting: dict[H11Protocol, object] = {}

    class Closing(H11Protocol):
        def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if len(self.connections) > limit:
                _close_the_first(waiting)
            self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            waiting.pop(self, None)
            super().connection_lost(exc)

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._wait()

        def _wait(self) -> None:
            waiting.pop(self, None)
            waiting[self] = self.scope
            self.loop.call_later(seconds, self._close_unless_called, self.scope)

        def _close_unless_called(self, earlier: object) -> None:
            if self.scope is earlier:
                self.transport.close()

    return Closing


def _close_the_first(waiting: dict[H11Protocol, object]) -> None:
    """Close the connection that has waited longest; a connection on which a call has begun no longer waits."""
    while waiting:
        first = next(iter(waiting))
        if first.scope is waiting.pop(first):
            first.transport.close()
            return
