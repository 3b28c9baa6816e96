"""Circuit breakers: after several failed requests, a host is left alone for a while."""

from dataclasses import dataclass, field
from threading import Lock

FAILURES = 3
"""Number of failed requests in a row (each after its retries) after which a host is left alone."""

REST_SECONDS = 300.0
"""Time in seconds for which a host is left alone; after that, one request is tried."""


@dataclass(frozen=True, slots=True)
class _Failures:
    n: int
    first: float
    last: float


@dataclass(frozen=True, slots=True)
class Breakers:
    """Counts the consecutive failures of each host. Threads may share it."""

    _failures: dict[str, _Failures] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def open_since(self, host: str, now: float) -> float | None:
        """Return the Unix time since which `host` has been failing, if it must currently be left alone; otherwise
        `None`.
        """
        with self._lock:
            failures = self._failures.get(host)
        is_resting = failures is not None and failures.n >= FAILURES and 0 <= now - failures.last < REST_SECONDS
        return failures.first if failures is not None and is_resting else None

    def count_failure(self, host: str, now: float) -> None:
        """Count a failed request."""
        with self._lock:
            before = self._failures.get(host, _Failures(0, now, now))
            self._failures[host] = _Failures(before.n + 1, before.first, now)

    def forget(self, host: str) -> None:
        """Forget the failures of a host that has answered."""
        with self._lock:
            self._failures.pop(host, None)
