"""The door of the API: refuses calls that a web page may have made, bodies that are not JSON, and long bodies."""

from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pathfinder.serving.access import Access, names_of
from pathfinder.serving.errors import error_response

SCHEMES = ("http", "https")

MAX_BODY = 256 * 1024
"""Longest body of a call, in bytes: an abstract has about 2,000."""

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


class Guard:
    """Passes on the calls of programs.

    A page in a browser reaches loopback, too. It cannot hide its Origin, and a page that renamed its own host to
    127.0.0.1 (DNS rebinding) sends that name as Host. A public server has whatever name its owner gave it: there, an
    Origin must be that of the Host.
    """

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._hosts = None if access.is_public else names_of(LOOPBACK_NAMES, access.port)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the call with a refusal, or pass it on with its whole body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope["method"], Headers(scope=scope))
        body = None if refusal else await _read(receive)
        if refusal is None and body is None:
            message = f"a body has at most {MAX_BODY} bytes, this one is longer"
            refusal = error_response(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_long", message, "send a shorter text")
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        await self._app(scope, _replay(body or b"", receive), send)

    def _refusal(self, method: str, headers: Headers) -> JSONResponse | None:
        host, origin = headers.get("host", "").lower(), headers.get("origin")
        if self._hosts is not None and host not in self._hosts:
            message = f"the Host {host!r} is not this machine"
            return error_response(HTTPStatus.MISDIRECTED_REQUEST, "host", message, "call 127.0.0.1 or localhost")
        own = self._hosts if self._hosts is not None else {host}
        if origin is not None and origin.lower() not in {f"{kind}://{name}" for name in own for kind in SCHEMES}:
            message = f"a web page of {origin!r} may not call this API"
            return error_response(HTTPStatus.FORBIDDEN, "origin", message, "call it from a program")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if method == "POST" and kind != "application/json":
            message = f"a body is application/json, got {kind!r}"
            return error_response(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "json", message, "send the header Content-Type: application/json"
            )
        return None


async def _read(receive: Receive) -> bytes | None:
    """Return the whole body, or `None` as soon as it exceeds `MAX_BODY`."""
    body = b""
    while len(body) <= MAX_BODY:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return body if len(body) <= MAX_BODY else None
    return None


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives the body first, then whatever the server reports, such as a caller who left."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed
