"""The door of the page: refuses browsers that know this server by a name that is not its own."""

from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from pathfinder.serving.access import LOOPBACK, ServerAccess, named_hosts
from pathfinder.serving.errors import error_response
from pathfinder.settings import Settings

_POLICY_VIOLATION = 1008
"""Code with which a websocket is closed (RFC 6455)."""


class PageGuard:
    """Passes on what is addressed to this server by one of its names.

    A web page that has pointed its own host name at this machine (DNS rebinding) would otherwise be taken for this
    page, and could ask questions over its websocket; but it sends its own name as Host.
    """

    def __init__(self, app: ASGIApp, access: ServerAccess) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a page or a websocket, or pass it on."""
        host = "" if scope["type"] == "lifespan" else Headers(scope=scope).get("host", "")
        if scope["type"] == "lifespan" or self._access.accepts(host):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(_POLICY_VIOLATION)(scope, receive, send)
        else:
            message = f"the Host {host!r} is not a name of this server"
            way_out = f"open {LOOPBACK} on the server's machine, or ask its owner to add the Host to PATHFINDER_HOSTS"
            await error_response(HTTPStatus.MISDIRECTED_REQUEST, "host", message, way_out)(scope, receive, send)


def page_access(host: str, port: int, settings: Settings) -> ServerAccess | None:
    """Return the names by which a browser may reach a page at `host`: those in the settings, its IP address and those
    of loopback; `None` if any name will do, because other machines can reach the address and the settings name no host.

    Raises `UsageError` if the settings name something that is not a host.
    """
    access = ServerAccess(host, port, hosts=named_hosts(settings))
    return access if access.hosts or not access.is_public else None
