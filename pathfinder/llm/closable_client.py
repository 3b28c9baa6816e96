"""An HTTP client, for servers without TLS, whose connections can be closed while a request waits for its reply."""

from functools import cache, partial
from typing import Any

import httpx

from pathfinder.llm.stopping import CONNECTIONS, Connections

CONNECTION_OPENED = "connection.connect_tcp.complete"
"""Name of httpcore's event for a new connection."""


@cache
def closable_client() -> httpx.Client:
    """Return the client, which opens a connection for each request. Threads may share it."""
    return httpx.Client(
        event_hooks={"request": [_watch]}, limits=httpx.Limits(max_keepalive_connections=0), follow_redirects=True
    )


def _watch(request: httpx.Request) -> None:
    """Remember a request's connection. Raises `httpx.RequestError` if the request is a retry and the reader has pressed
    Stop.
    """
    connections = CONNECTIONS.get()
    if connections is None:
        return
    if connections.is_closed:
        raise httpx.RequestError("the reader has stopped waiting", request=request)
    request.extensions = {**request.extensions, "trace": partial(_remember, connections)}


def _remember(connections: Connections, event: str, details: dict[str, Any]) -> None:
    if event == CONNECTION_OPENED:
        connections.add(details["return_value"].get_extra_info("socket"))
