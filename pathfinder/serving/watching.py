"""Reports every call, answered or refused, to watchers that count or log calls."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import TextIO

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pathfinder.serving.errors import PREFIX
from pathfinder.settings import Settings

PAPERS = f"{PREFIX}/papers"
OTHER = "other"
"""Name that all calls to unknown addresses share: a stranger must not be able to create names."""

QUESTION = "question"
"""Name under which a call leaves its question in the state of the request."""


@dataclass(frozen=True, slots=True)
class FinishedCall:
    """A call whose reply has ended. It holds no id, no key and no caller's address."""

    call: str
    status: int
    seconds: float
    question: str | None = None
    """The question, if the call had one and was not refused."""


Watcher = Callable[[FinishedCall], None]


class Watching:
    """Notifies the watchers of every call, including refused ones. `calls` are the addresses that have names of
    their own.
    """

    def __init__(self, app: ASGIApp, watchers: Sequence[Watcher], calls: frozenset[str]) -> None:
        self._app, self._watchers, self._calls = app, watchers, calls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the call on, and notify the watchers when its reply has ended."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, statuses = perf_counter(), []

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:  # even if the caller disconnects
            question = scope.get("state", {}).get(QUESTION)
            for status in statuses:
                finished_call = FinishedCall(self._name(scope["path"]), status, perf_counter() - start, question)
                for watcher in self._watchers:
                    watcher(finished_call)

    def _name(self, path: str) -> str:
        """Return the name of the call to `path`; a paper's id is left out of it."""
        path = PAPERS if path.startswith(f"{PAPERS}/") else path
        return path.removeprefix(f"{PREFIX}/") if path in self._calls else OTHER


# Counts and times of calls, for Prometheus. They hold no questions, ids, keys or callers' addresses.

ADDRESS = "/metrics"


class Tally:
    """Calls by name and status, and the seconds until the end of each reply."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._calls = Counter("pathfinder_calls", "Calls", ("call", "status"), registry=self._registry)
        self._seconds = Histogram(
            "pathfinder_call_seconds", "Seconds from a call to the end of its reply", ("call",), registry=self._registry
        )

    def add(self, finished_call: FinishedCall) -> None:
        """Count a call."""
        self._calls.labels(finished_call.call, str(finished_call.status)).inc()
        self._seconds.labels(finished_call.call).observe(finished_call.seconds)

    def response(self) -> Response:
        """Return all counts in Prometheus's format."""
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)


# The log of calls: one JSON object per line, for programs that collect logs.


def log_of(settings: Settings, stream: TextIO) -> tuple[Watcher, ...]:
    """Return the watcher that writes the log requested in the settings to `stream`; none if they request no log."""
    if settings.log == "off":
        return ()
    return (json_log(stream, lambda: datetime.now(UTC), with_questions=settings.keep_questions),)


def json_log(stream: TextIO, now: Callable[[], datetime], *, with_questions: bool) -> Watcher:
    """Return a watcher that writes a line for each call: its time, name, status and duration in seconds, and its
    question if requested. Neither keys nor callers' addresses are written.
    """

    def write(finished_call: FinishedCall) -> None:
        record: dict[str, str | int | float] = {
            "time": now().isoformat(timespec="seconds"),
            "call": finished_call.call,
            "status": finished_call.status,
            "seconds": round(finished_call.seconds, 3),
        }
        if with_questions and finished_call.question is not None:
            record[QUESTION] = finished_call.question
        stream.write(json.dumps(record, ensure_ascii=False) + "\n")
        stream.flush()

    return write
