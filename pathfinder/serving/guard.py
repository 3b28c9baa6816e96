"""The door of the API: refuses calls that a web page may make, and bodies that are too long, too late or not JSON."""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Container
from contextlib import asynccontextmanager, suppress
from functools import wraps
from http import HTTPStatus
from typing import ParamSpec, TypeVar

from anyio import CancelScope, CapacityLimiter, move_on_after, to_thread
from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from pathfinder.errors import UsageError
from pathfinder.llm.stopping import STOP, ReaderStopped, StopSignal, stop_signal
from pathfinder.operations import served
from pathfinder.retrieval.request_records import calls_chat
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.errors import HALF_CHARACTER, PREFIX, error_response
from pathfinder.text.strict_json import has_half_characters, parse_json

MAX_BODY = 256 * 1024
"""Longest body of a call, in bytes: an abstract has about 2,000."""

BODY = "body"
"""Name under which the JSON of a call is found in the state of the request."""

BODY_SECONDS = 10.0
"""Seconds within which the whole body of a call must arrive."""


_POLICY_VIOLATION = 1008
"""Code with which a websocket is closed (RFC 6455)."""


class HostGuard:
    """Passes on what is addressed to this server by one of its names.

    A web page that has pointed its own host name at this machine (DNS rebinding) would otherwise be taken for a page or
    a program of this machine; but it sends its own name as Host. Starlette's TrustedHostMiddleware would also refuse IP
    addresses, which no such page can send.
    """

    def __init__(self, app: ASGIApp, access: ServerAccess) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a call, a page or a websocket, or pass it on."""
        host = "" if scope["type"] == "lifespan" else Headers(scope=scope).get("host", "")
        if scope["type"] == "lifespan" or self._access.accepts(host):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(_POLICY_VIOLATION)(scope, receive, send)
        else:
            message = f"the Host {host!r} is not a name of this server"
            way_out = "use its IP address, 127.0.0.1 on its own machine, or ask its owner to add it to PATHFINDER_HOSTS"
            await error_response(HTTPStatus.MISDIRECTED_REQUEST, "host", message, way_out)(scope, receive, send)


class Guard:
    """Passes on calls from programs, and refuses those from web pages of other hosts: a page in a browser reaches
    loopback, too, but it cannot hide its Origin. On a public server, the Origin must match the Host.
    """

    def __init__(self, app: ASGIApp, access: ServerAccess, body_seconds: float = BODY_SECONDS) -> None:
        self._app, self._access, self._body_seconds = app, access, body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the call with a refusal, or pass it on with its whole body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = self._refusal(scope["method"], Headers(scope=scope)) or await self._body(scope, receive)
        if isinstance(body, JSONResponse):
            await body(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)

    def _refusal(self, method: str, headers: Headers) -> JSONResponse | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if origin is not None and not self._access.is_own_origin(origin, host):
            message = f"a web page from {origin!r} may not call this API"
            return error_response(HTTPStatus.FORBIDDEN, "origin", message, "call it from a program")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if method == "POST" and kind != "application/json":
            message = f"the body must be application/json, got {kind!r}"
            return error_response(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "json", message, "send the header Content-Type: application/json"
            )
        return None

    async def _body(self, scope: Scope, receive: Receive) -> bytes | JSONResponse:
        """Return the whole body, or a refusal if it is too late, too long or not JSON."""
        body, is_whole = b"", False
        with move_on_after(self._body_seconds) as limit:
            while not is_whole and len(body) <= MAX_BODY:
                message = await receive()
                body += message.get("body", b"")
                is_whole = not message.get("more_body", False)
        if limit.cancelled_caught:
            reason = f"the body did not arrive within {self._body_seconds:g} s"
            headers = {"Connection": "close"}
            return error_response(HTTPStatus.REQUEST_TIMEOUT, "too_slow", reason, "send the whole call again", headers)
        if len(body) > MAX_BODY:
            reason = f"a body may have at most {MAX_BODY} bytes, and this one is longer"
            return error_response(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_long", reason, "send a shorter text")
        if scope["method"] == "POST" and scope["path"].startswith(PREFIX):  # the MCP SDK checks the bodies of MCP calls
            try:
                record = parse_json(body.decode())
                reason = HALF_CHARACTER if has_half_characters(record) else ""
            except (ValueError, RecursionError) as error:
                reason = f"the body is not JSON: {error}"
            if reason:
                return error_response(HTTPStatus.BAD_REQUEST, "usage", reason, f"see {PREFIX}/openapi.json")
            scope.setdefault("state", {})[BODY] = record
        return body


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives the body first, then whatever the server reports, for example that the caller has
    left.
    """
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_again


# The door of a public API: requires a key if any are set, and counts each caller's calls.

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
        # Start everybody's minute again if the clock has been set back: otherwise, calls made at what is now a future
        # time would count until that time comes.
        now = self._clock()
        if now < self._latest - CLOCK_SLACK_SECONDS:
            self._limiter.storage.reset()
            self._latest = now
        self._latest = max(now, self._latest)
        caller = key or str((scope.get("client") or ("unknown",))[0])
        if self._limiter.hit(self._limit, caller):
            return None
        until = self._limiter.get_window_stats(self._limit, caller).reset_time
        seconds = max(1, math.ceil(until - self._clock()))
        message = f"more than {self._access.per_minute} calls within a minute"
        headers = {"Retry-After": str(seconds)}
        way_out = f"wait {seconds} s"
        return error_response(HTTPStatus.TOO_MANY_REQUESTS, "too_many", message, way_out, headers)


# The queue of the API: a few calls at once, a few that wait, and an immediate refusal for all others.

AT_ONCE = 2
"""Number of calls in one line that are handled at the same time: a search keeps a processor busy."""

MOST_WAITING = 16
"""Number of calls that may wait in one line; on two processors, the last one waits about two seconds if all are
searches.
"""

SECONDS_UNTIL_RETRY = 2

SEND_SECONDS = 30.0
"""Seconds within which a caller must read each part of the reply; otherwise, the call loses its place."""


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
        # Calls to these addresses may wait for a chat model, and searches should not wait for them.
        waiting = (*(f"{PREFIX}/{name}" for name, each in served().items() if each.may_wait), "/mcp")
        self.lines = {name: CapacityLimiter(at_once) for name in (*waiting, WITH_CHAT)}
        self.lines[OTHERS] = CapacityLimiter(at_once if others_at_once is None else others_at_once)
        self._most_waiting = most_waiting

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the call when it is its turn, or refuse it."""
        if scope["type"] != "http" or scope["path"] in UNCOUNTED_PATHS:
            await self._app(scope, receive, send)
            return
        places = self.lines[_line_of(scope, self.lines)]
        if places.statistics().tasks_waiting >= self._most_waiting:
            message = f"{self._most_waiting} calls are already waiting"
            headers = {"Retry-After": str(SECONDS_UNTIL_RETRY)}
            way_out = f"send the call again in {SECONDS_UNTIL_RETRY} s"
            refusal = error_response(HTTPStatus.SERVICE_UNAVAILABLE, "busy", message, way_out, headers)
            await refusal(scope, receive, send)
            return

        async def sent_in_time(message: Message) -> None:
            with move_on_after(self._send_seconds) as limit:
                await send(message)
            if limit.cancelled_caught:
                raise NotRead

        async with watched_caller(receive) as caller:
            if not await caller.has_turn(places):
                return
            try:
                with suppress(NotRead, CallerLeft):  # the server then closes the connection
                    await self._app(scope, caller.receive, sent_in_time)
            finally:
                places.release()


def _line_of(scope: Scope, lines: Container[str]) -> str:
    """Return the name of the line in which a call waits: its address, if that is one of `lines`, or what it needs."""
    if scope["path"] in lines:
        return str(scope["path"])
    with suppress(UsageError):  # the call will be refused with the reason
        if calls_chat(scope.get("state", {}).get(BODY)):
            return WITH_CHAT
    return OTHERS


# The caller of a call, and the work that ends if they leave before the reply.

DISCONNECT = "http.disconnect"
"""Message in which the server says that the caller has closed the connection, or has received the whole reply."""

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class CallerLeft(Exception):
    """Raised in work whose caller has left."""


class Caller:
    """The caller of a call."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._messages: asyncio.Queue[Message] = asyncio.Queue()
        self.stop_signal = StopSignal()
        """Set if the caller leaves."""

    async def receive(self) -> Message:
        """Return the next message from the server; once there are no more, return the last one again."""
        message = await self._messages.get()
        if message["type"] == DISCONNECT:
            self._messages.put_nowait(message)
        return message

    async def watch(self) -> None:
        """Read all messages from the server, so that the caller's departure is noticed even if nothing asks for a
        message.
        """
        while not self.stop_signal.is_set:
            message = await self._receive()
            self._messages.put_nowait(message)
            if message["type"] == DISCONNECT:
                self.stop_signal.set()

    async def has_turn(self, places: CapacityLimiter) -> bool:
        """Wait for one of the `places`, and return True; return False without a place if the caller leaves first."""
        with CancelScope() as waiting:
            self.stop_signal.listen(waiting.cancel)
            try:
                await places.acquire()
            finally:
                self.stop_signal.ignore(waiting.cancel)
        return not waiting.cancelled_caught


@asynccontextmanager
async def watched_caller(receive: Receive) -> AsyncIterator[Caller]:
    """Yield the caller of a call: if they leave, work in this context stops waiting for a chat model."""
    caller = Caller(receive)
    watcher = asyncio.ensure_future(caller.watch())
    earlier = STOP.set(caller.stop_signal)
    try:
        yield caller
    finally:
        STOP.reset(earlier)
        watcher.cancel()


def unless_left(work: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Let work in a thread raise `CallerLeft` when it is stopped: a coroutine would take `ReaderStopped` for its own
    end, and not pass it on.
    """

    @wraps(work)
    def unless_left(*arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
        try:
            return work(*arguments, **options)
        except ReaderStopped as error:
            raise CallerLeft from error

    return unless_left


async def in_thread(work: Callable[[], Result], places: CapacityLimiter) -> Result:
    """Do `work` in a thread, which keeps one of the `places` until it ends.

    If this task is cancelled, or the caller leaves, the work stops waiting for a chat model and makes no further call;
    the cancellation waits until the work has ended.
    """
    async with places:
        with stop_signal() as stop:
            own_place = CapacityLimiter(1)
            thread = asyncio.ensure_future(to_thread.run_sync(unless_left(work), limiter=own_place))
            try:
                return await asyncio.shield(thread)
            except asyncio.CancelledError:
                stop.set()
                with CancelScope(shield=True):
                    await asyncio.gather(thread, return_exceptions=True)
                raise
