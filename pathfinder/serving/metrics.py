"""Counts and times of calls, for Prometheus. They hold no questions, ids, keys or callers' addresses."""

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from starlette.responses import Response

from pathfinder.serving.watching import FinishedCall

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
