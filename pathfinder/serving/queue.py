"""The queue of the API: a few calls at once, a few that wait, and an immediate refusal for all others."""

from contextlib import suppress
from http import HTTPStatus

from anyio import CapacityLimiter, move_on_after
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pathfinder.errors import UsageError
from pathfinder.retrieval.request_records import calls_chat
from pathfinder.serving.addresses import MAY_WAIT
from pathfinder.serving.callers import CallerLeft, watched_caller
from pathfinder.serving.errors import PREFIX, error_response
from pathfinder.serving.guard import BODY

AT_ONCE = 2
"""Number of calls in one line that are handled at the same time: a search keeps a processor busy."""

MOST_WAITING = 16
"""Number of calls that may wait in one line; on two processors, the last one waits about two seconds if all are
searches.
"""

SECONDS_UNTIL_RETRY = 2

SEND_SECONDS = 30.0
"""Seconds within which a caller must read each part of the reply; otherwise, the call loses its place."""

WITH_A_LINE = (*(f"{PREFIX}/{name}" for name in ("answer", *MAY_WAIT)), "/mcp")
"""Addresses with lines of their own: their calls may wait for a chat model, and searches should not wait for them."""

WITH_CHAT, OTHERS = "with a chat model", "others"
"""Names of the lines for calls to other addresses: those whose settings call a chat model, and all others."""

UNCOUNTED_PATHS = frozenset({f"{PREFIX}/health", f"{PREFIX}/openapi.json", "/metrics"})
"""Addresses that are answered without waiting."""


class NotRead(Exception):
    """Raised if the caller does not read the reply in time."""


class Queue:
    """Lets a few calls run at a time. A call that would have to wait behind too many is refused with 503 at once.

    If its caller leaves, a call that waits gives up its place, and one that is running stops waiting for a chat model.
    """

    def __init__(
        self,
        app: ASGIApp,
        at_once: int = AT_ONCE,
        most_waiting: int = MOST_WAITING,
        send_seconds: float = SEND_SECONDS,
        others_at_once: int | None = None,
    ) -> None:
        """Let `at_once` calls from each line run, and `others_at_once` of all calls without a line of their own."""
        self._app, self._send_seconds = app, send_seconds
        self.lines = {name: CapacityLimiter(at_once) for name in (*WITH_A_LINE, WITH_CHAT)}
        self.lines[OTHERS] = CapacityLimiter(at_once if others_at_once is None else others_at_once)
        self._most_waiting = most_waiting

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the call when it is its turn, or refuse it."""
        if scope["type"] != "http" or scope["path"] in UNCOUNTED_PATHS:
            await self._app(scope, receive, send)
            return
        places = self.lines[_line_of(scope)]
        if places.statistics().tasks_waiting >= self._most_waiting:
            message = f"{self._most_waiting} calls are already waiting"
            headers = {"Retry-After": str(SECONDS_UNTIL_RETRY)}
            way_out = f"send the call again in {SECONDS_UNTIL_RETRY} s"
            refusal = error_response(HTTPStatus.SERVICE_UNAVAILABLE, "busy", message, way_out, headers)
            await refusal(scope, receive, send)
            return
        async with watched_caller(receive) as caller:
            if not await caller.has_turn(places):
                return
            try:
                with suppress(NotRead, CallerLeft):  # the server then closes the connection
                    await self._app(scope, caller.receive, self._in_time(send))
            finally:
                places.release()

    def _in_time(self, send: Send) -> Send:
        """Return a `send` that raises `NotRead` if the caller does not read in time."""

        async def sent_in_time(message: Message) -> None:
            with move_on_after(self._send_seconds) as limit:
                await send(message)
            if limit.cancelled_caught:
                raise NotRead

        return sent_in_time


def _line_of(scope: Scope) -> str:
    """Return the name of the line in which a call waits."""
    if scope["path"] in WITH_A_LINE:
        return str(scope["path"])
    with suppress(UsageError):  # the call will be refused with the reason
        if calls_chat(scope.get("state", {}).get(BODY)):
            return WITH_CHAT
    return OTHERS
