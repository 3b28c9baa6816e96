"""The door of the API: refuses calls that a web page may make, and bodies that are too long, too late or not JSON."""

from http import HTTPStatus

from anyio import move_on_after
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pathfinder.serving.access import ServerAccess
from pathfinder.serving.errors import HALF_CHARACTER, PREFIX, error_response
from pathfinder.text.strict_json import has_half_characters, parse_json

MAX_BODY = 256 * 1024
"""Longest body of a call, in bytes: an abstract has about 2,000."""

BODY = "body"
"""Name under which the JSON of a call is found in the state of the request."""

BODY_SECONDS = 10.0
"""Seconds within which the whole body of a call must arrive."""


class Guard:
    """Passes on calls from programs, and refuses those from web pages of other hosts.

    A page in a browser reaches loopback, too. It cannot hide its Origin, and a page that has pointed its own host name
    at 127.0.0.1 (DNS rebinding) sends that name as Host. On a public server, the Origin must match the Host.
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
        if not self._access.accepts(host):
            message, way_out = _refused_host(host, is_public=self._access.is_public)
            return error_response(HTTPStatus.MISDIRECTED_REQUEST, "host", message, way_out)
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
        body: bytes | None = None
        with move_on_after(self._body_seconds) as limit:
            body = await _read(receive)
        if limit.cancelled_caught:
            message = f"the body did not arrive within {self._body_seconds:g} s"
            headers = {"Connection": "close"}
            return error_response(HTTPStatus.REQUEST_TIMEOUT, "too_slow", message, "send the whole call again", headers)
        if body is None:
            message = f"a body may have at most {MAX_BODY} bytes, and this one is longer"
            return error_response(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_long", message, "send a shorter text")
        is_own = scope["method"] == "POST" and scope["path"].startswith(PREFIX)
        if is_own:
            try:
                scope.setdefault("state", {})[BODY] = _json_of(body)
            except ValueError as error:
                return error_response(HTTPStatus.BAD_REQUEST, "usage", str(error), f"see {PREFIX}/openapi.json")
        return body


def _refused_host(host: str, *, is_public: bool) -> tuple[str, str]:
    """Say why a call to `host` is refused, and the way out."""
    if not is_public:
        return f"the Host {host!r} is not this machine", "call 127.0.0.1 or localhost"
    return (
        f"the Host {host!r} is not a name of this server",
        "call the server's IP address, or ask its owner to add the Host to PATHFINDER_HOSTS",
    )


def _json_of(body: bytes) -> object:
    """Read the JSON of a body. Raises `ValueError` with the reason if it is not JSON, or contains half a character (an
    unpaired surrogate). The MCP SDK checks the bodies of MCP calls.
    """
    try:
        record = parse_json(body.decode())
        is_text = not has_half_characters(record)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the body is not JSON: {error}") from error
    if not is_text:
        raise ValueError(HALF_CHARACTER)
    return record


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
    """Return a `receive` that gives the body first, then whatever the server reports, for example that the caller has
    left.
    """
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_again
