"""The pace of requests: one request at a time to a host, and a pause after it, across all processes on this machine.

Each host has a file in the cache folder with two numbers: when the last request was sent (Unix time) and how many
seconds must pass before the next. A wait is never longer than that pause, so that a clock that jumps back cannot stop a
process for a day. After several failed requests, a host is left alone for a while, and it may ask for a
wait itself in the headers of its reply.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from filelock import FileLock

_FIRST_EPOCH = 1e9
"""Reset times above this value are seconds since 1970; those below it are seconds from now."""


def requested_wait(headers: Mapping[str, str], now: float) -> float | None:
    """Return the wait in seconds that a failed reply asks for; `None` if it names no wait.

    `Retry-After` holds seconds or a date, `X-RateLimit-Reset` seconds or a Unix time. A date is compared with the
    host's own clock (its `Date` header) or, if that header is missing, with `now`, the time on this machine, which may
    be wrong.
    """
    host_now = _timestamp(headers.get("date", "")) or now
    after = headers.get("retry-after", "").strip()
    seconds = _number(after)
    if seconds is not None:
        return seconds
    moment = _timestamp(after)
    if moment is not None:
        return max(moment - host_now, 0.0)
    reset = _number(headers.get("x-ratelimit-reset", "").strip())
    if reset is None:
        return None
    return max(reset - host_now, 0.0) if reset > _FIRST_EPOCH else reset


def requested_pause(headers: Mapping[str, str]) -> float:
    """Return the pause in seconds that a host asks for, even in a reply that succeeds: Zotero's `Backoff`."""
    return _number(headers.get("backoff", "").strip()) or 0.0


def host_day(headers: Mapping[str, str], today: date) -> date:
    """Return the day according to the host's clock; without a `Date` header, the day before `today`, in case our clock
    is ahead.
    """
    moment = _timestamp(headers.get("date", ""))
    return today - timedelta(days=1) if moment is None else datetime.fromtimestamp(moment, UTC).date()


def _number(text: str) -> float | None:
    """Return a number of at most 12 digits; `None` for anything else, including "inf" and "-1"."""
    is_number = len(text) <= 12 and text.replace(".", "", 1).isdecimal() and text.isascii()
    return float(text) if is_number else None


def _timestamp(header: str) -> float | None:
    """Return an HTTP date as seconds since 1970."""
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def clock_time(seconds: float) -> str:
    """Write a Unix time as "2026-11-22 14:03 UTC"."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


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
