"""The queue of the API: a few calls at once, a few that wait, and an honest refusal for the rest."""

from http import HTTPStatus

from anyio import CapacityLimiter
from starlette.types import ASGIApp, Receive, Scope, Send

from pathfinder.serving.errors import PREFIX, error_response

AT_ONCE = 2
"""Calls at work at the same time: a search keeps a processor busy."""

MOST_WAITING = 16
"""Calls that wait; on two processors, the last of them waits about two seconds for searches."""

SECONDS_UNTIL_RETRY = 2

UNCOUNTED = frozenset({f"{PREFIX}/health", f"{PREFIX}/openapi.json", "/metrics"})
"""Addresses that are answered without waiting."""


class Queue:
    """Lets a few calls work at once. A call that would have to wait behind too many is refused with 503 at once."""

    def __init__(self, app: ASGIApp, at_once: int = AT_ONCE, most_waiting: int = MOST_WAITING) -> None:
        self._app = app
        self._places = CapacityLimiter(at_once)
        self._most_waiting = most_waiting

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the call when it is its turn, or refuse it."""
        if scope["type"] != "http" or scope["path"] in UNCOUNTED:
            await self._app(scope, receive, send)
            return
        if self._places.statistics().tasks_waiting >= self._most_waiting:
            message = f"{self._most_waiting} calls are waiting already"
            headers = {"Retry-After": str(SECONDS_UNTIL_RETRY)}
            way_out = f"send the call again in {SECONDS_UNTIL_RETRY} s"
            refusal = error_response(HTTPStatus.SERVICE_UNAVAILABLE, "busy", message, way_out, headers)
            await refusal(scope, receive, send)
            return
        async with self._places:
            await self._app(scope, receive, send)
