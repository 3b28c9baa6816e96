"""The wait that a host asks for in the headers of its reply."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime

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
