"""The door of a public API: requires a key if any are set, and counts each caller's calls."""

import math
import time
from collections.abc import Callable
from http import HTTPStatus

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pathfinder.serving.access import ServerAccess
from pathfinder.serving.errors import PREFIX, error_response

CLOCK_SLACK_SECONDS = 1.0
"""Largest step back that counts as a routine correction of the clock."""

OPEN_TO_ALL = frozenset({f"{PREFIX}/health", f"{PREFIX}/openapi.json"})


class Door:
    """Answers 401 to callers without a valid key, and 429 to those who call too often."""

    def __init__(self, app: ASGIApp, access: ServerAccess, clock: Callable[[], float] = time.time) -> None:
        self._app, self._access, self._clock = app, access, clock
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._limit = RateLimitItemPerMinute(access.per_minute)
        self._latest = clock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the call with a refusal, or pass it on."""
        if scope["type"] == "http" and self._access.is_public and scope["path"] not in OPEN_TO_ALL:
            refusal = self._refusal(scope)
            if refusal is not None:
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        kind, _, credentials = Headers(scope=scope).get("authorization", "").partition(" ")
        key = self._access.key_of(credentials.strip()) if kind.lower() == "bearer" else None
        if key is None and self._access.digests:
            message = "this API requires a key" if not credentials else "this API does not know the key"
            way_out = "send the header Authorization: Bearer KEY; the owner of the server gives out keys"
            headers = {"WWW-Authenticate": "Bearer"}
            return error_response(HTTPStatus.UNAUTHORIZED, "key", message, way_out, headers)
        self._forget_a_later_time()
        caller = key or str((scope.get("client") or ("unknown",))[0])
        if self._limiter.hit(self._limit, caller):
            return None
        until = self._limiter.get_window_stats(self._limit, caller).reset_time
        seconds = max(1, math.ceil(until - self._clock()))
        message = f"more than {self._access.per_minute} calls within a minute"
        headers = {"Retry-After": str(seconds)}
        way_out = f"wait {seconds} s"
        return error_response(HTTPStatus.TOO_MANY_REQUESTS, "too_many", message, way_out, headers)

    def _forget_a_later_time(self) -> None:
        """Start everybody's minute again if the clock has been set back: otherwise, calls made at what is now a future
        time would count until that time comes.
        """
        now = self._clock()
        if now < self._latest - CLOCK_SLACK_SECONDS:
            self._limiter.storage.reset()
            self._latest = now
        self._latest = max(now, self._latest)
