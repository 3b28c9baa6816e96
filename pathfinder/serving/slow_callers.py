"""Closes connections on which no call begins: a thousand of them would use up the connections of the server."""

from asyncio import Transport

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""Seconds in which the head of a call must arrive."""


def closing_after(seconds: float = HEAD_SECONDS) -> type[H11Protocol]:
    """Return the protocol of a server that closes a connection if the head of the next call takes longer than
    `seconds`. Uvicorn itself waits for ever.
    """

    class Closing(H11Protocol):
        def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._wait()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._wait()

        def _wait(self) -> None:
            self.loop.call_later(seconds, self._close_unless_called, self.scope)

        def _close_unless_called(self, earlier: object) -> None:
            if self.scope is earlier:
                self.transport.close()

    return Closing
