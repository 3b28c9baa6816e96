"""Finds chat servers on this machine at the ports that they use by default: Ollama, llama.cpp, LM Studio, vLLM."""

import http.client
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from socket import SHUT_RDWR, socket
from threading import Timer

from pydantic import TypeAdapter

from pathfinder.text.strict_json import parse_as

HOST = "127.0.0.1"
SECONDS = 0.3
"""Time limits in seconds for a server to accept a connection and to answer; on the same machine, both take
milliseconds.
"""
PROGRAMS = {"Ollama": 11434, "llama.cpp": 8080, "LM Studio": 1234, "vLLM": 8000}
"""Programs, each with its documented port; other programs may listen there too."""
MAX_BYTES = 1_000_000
MAX_MODELS = 50
MAX_NAME = 200


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered, and its models."""

    program: str
    """Program that uses this port by default."""
    base_url: str
    models: tuple[str, ...]


@dataclass(frozen=True)
class _Model:
    id: str


@dataclass(frozen=True)
class _Models:
    data: tuple[_Model, ...]


def find_local_servers(
    programs: Sequence[tuple[str, int]] = tuple(PROGRAMS.items()), seconds: float = SECONDS
) -> tuple[LocalServer, ...]:
    """Ask all ports of `programs` on this machine at once which models are served there; return the servers that list
    any.

    Nothing is sent except the request for this list. A program that does not answer within `seconds` and in the
    expected form is not taken for a chat server.
    """
    with ThreadPoolExecutor(len(programs) or 1) as pool:
        servers = pool.map(lambda entry: _server(entry[0], entry[1], seconds), programs)
        return tuple(server for server in servers if server is not None)


def _server(program: str, port: int, seconds: float) -> LocalServer | None:
    try:
        content = _list_of_models(port, seconds)
        names = [model.id for model in parse_as(TypeAdapter(_Models), content).data]
    except (OSError, http.client.HTTPException, ValueError):
        return None
    names = [name for name in names if 0 < len(name) <= MAX_NAME and name.isprintable()][:MAX_MODELS]
    return LocalServer(program, f"http://{HOST}:{port}/v1", tuple(names)) if names else None


def _list_of_models(port: int, seconds: float) -> bytes:
    connection, end = http.client.HTTPConnection(HOST, port, timeout=seconds), None
    try:
        connection.connect()
        end = Timer(seconds, shut_down, (connection.sock,))  # for a server whose answer trickles in
        end.start()
        connection.request("GET", "/v1/models", headers={"Accept": "application/json"})
        response = connection.getresponse()
        return response.read(MAX_BYTES) if response.status == http.client.OK else b""
    finally:
        if end is not None:
            end.cancel()
        connection.close()


def shut_down(connection: socket) -> None:
    """End a connection, so that whoever reads from it stops; it may have been closed in the meantime."""
    with suppress(OSError):
        connection.shutdown(SHUT_RDWR)
