"""Counts and times of calls, for Prometheus. They hold no question, no id, no key and no address of a caller."""

from time import perf_counter

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pathfinder.serving.errors import PREFIX

ADDRESS = "/metrics"
PAPERS = f"{PREFIX}/papers"
OTHER = "other"
"""Name of every call that does not exist: a stranger must not be able to make names."""


class Tally:
    """Calls by name and status, and the seconds until the end of each reply."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._calls = Counter("pathfinder_calls", "Calls", ("call", "status"), registry=self._registry)
        self._seconds = Histogram(
            "pathfinder_call_seconds", "Seconds from a call to the end of its reply", ("call",), registry=self._registry
        )

    def add(self, call: str, status: int, seconds: float) -> None:
        """Count a call."""
        self._calls.labels(call, str(status)).inc()
        self._seconds.labels(call).observe(seconds)

    def response(self) -> Response:
        """Return all counts in the format of Prometheus."""
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)


class Metrics:
    """Counts every call, refused ones too. `calls` are the addresses that have a name of their own."""

    def __init__(self, app: ASGIApp, tally: Tally, calls: frozenset[str]) -> None:
        self._app, self._tally, self._calls = app, tally, calls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the call on, and count it when its reply has ended."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, statuses = perf_counter(), []

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:  # also if the caller leaves
            for status in statuses:
                self._tally.add(self._name(scope["path"]), status, perf_counter() - started)

    def _name(self, path: str) -> str:
        """Return the name of a call, without the id of a paper."""
        path = PAPERS if path.startswith(f"{PAPERS}/") else path
        return path.removeprefix(f"{PREFIX}/") if path in self._calls else OTHER
