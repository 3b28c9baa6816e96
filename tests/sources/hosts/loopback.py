"""A server on loopback that plays a host of papers, with faults on request, and a clock shared with its client.

Nothing waits: sleeping moves the clock. The server writes down when each request came, by that same clock, so that a
test sees the pace as the host would.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from urllib.parse import parse_qsl, urlsplit

from pathfinder.sources.http.pace import Clock

NOON = 1_795_348_800.0  # 2026-11-22 12:00 UTC


@dataclass(frozen=True)
class Reply:
    """A reply of a host."""

    body: bytes
    status: int = 200
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    n_bytes: int | None = None
    """Number of bytes after which the connection breaks."""


@dataclass
class Request:
    """A request as it arrived."""

    path: str
    query: dict[str, str]
    headers: dict[str, str]
    time: float
    body: bytes = b""


@dataclass
class LoopbackHost:
    """A host: `answer` makes the regular reply, and `faults` replace replies by their numbers, from 0."""

    answer: Callable[[Request], Reply]
    faults: dict[int, Reply] = field(default_factory=dict)
    time: float = NOON
    requests: list[Request] = field(default_factory=list)
    address: str = ""

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.time, self.sleep)

    def sleep(self, seconds: float) -> None:
        self.time += seconds

    @property
    def pauses(self) -> list[float]:
        """The seconds between requests, as the host saw them."""
        times = [request.time for request in self.requests]
        return [round(later - earlier, 3) for earlier, later in pairwise(times)]

    def reply(self, request: Request) -> Reply:
        fault = self.faults.get(len(self.requests))
        self.requests.append(request)
        return fault or self.answer(request)


@contextmanager
def running(host: LoopbackHost) -> Iterator[LoopbackHost]:
    """Serve `host` at its `address` until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        wbufsize = -1  # Headers and body leave together: apart, the body waits 40 ms for an acknowledgement.

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = self.rfile.read(int(headers.get("content-length", 0)))
            reply = host.reply(Request(parts.path, dict(parse_qsl(parts.query)), headers, host.time, body))
            self.send_response_only(reply.status)
            self.send_header("Content-Type", reply.kind)
            self.send_header("Content-Length", str(len(reply.body)))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body[: reply.n_bytes])

        do_POST = do_GET  # noqa: N815  the name that the library looks for

        def log_message(self, *args: object) -> None:
            """Stay silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=lambda: server.serve_forever(0.01), daemon=True)
    thread.start()
    host.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
