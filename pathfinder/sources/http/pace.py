"""The pace of requests: one request at a time to a host, and a pause after it, across all processes on this machine.

Each host has a file in the cache folder with two numbers: when the last request was sent (Unix time) and how many
seconds must pass before the next. A wait is never longer than that pause, so that a clock that jumps back cannot stop a
process for a day. After several failed requests, a host is left alone for a while.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from filelock import FileLock


@dataclass(frozen=True, slots=True)
class Clock:
    """The current time and a way to wait, passed in so that tests need not wait."""

    now: Callable[[], float] = time.time
    """Seconds since 1970."""
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace for one host."""

    folder: Path
    """Folder for the files of all hosts; created if necessary."""
    host: str
    """Host name, with its port if it has one."""
    seconds: float
    """Pause after each request, in seconds."""
    clock: Clock

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until a request may be sent to the host; nobody else on this machine may send one within the context."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with FileLock(self._file.with_suffix(".lock")):
            wait = self._wait()
            if wait > 0:
                self.clock.sleep(wait)
            self._note(self.seconds)
            try:
                yield
            finally:
                # In the meantime, the host may have asked for a longer pause; if so, the longer pause applies.
                self._note(max(self.seconds, self._wait()))

    def hold(self, seconds: float) -> None:
        """Keep everybody on this machine from sending requests to the host for this many seconds, because it asked for
        that pause.
        """
        self._note(max(seconds, self.seconds))

    def _wait(self) -> float:
        """Return the remaining seconds of the pause, never more than the pause itself."""
        try:
            last, pause = map(float, self._file.read_text(encoding="ascii").split())
        except (OSError, ValueError):  # No request yet, or a file truncated by a full disk.
            return 0.0
        return min(max(last + pause - self.clock.now(), 0.0), pause)

    def _note(self, seconds: float) -> None:
        self._file.write_text(f"{self.clock.now():.3f} {seconds:.3f}", encoding="ascii")

    @property
    def _file(self) -> Path:
        return self.folder / f"{quote(self.host, safe='')}.pace"


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
