"""Failures of a request: whether they are temporary, how long to wait, and which error to raise if they persist."""

import re
from dataclasses import dataclass

import httpx2

from pathfinder.errors import MissingKey, ProviderError, RateLimited, RejectedKey, Unreachable, UnusableReply
from pathfinder.sources.http.host import Host
from pathfinder.sources.http.pace import clock_time, requested_wait
from pathfinder.sources.http.transport import ReplyTooLarge, SentElsewhere
from pathfinder.types.texts import one_line

_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""HTTP statuses of failures that may be temporary."""

_AGAIN = "run the same command again later: it resumes after the last page fetched"

_TAG = re.compile(r"<[^<>]*>")


class LeftAlone(Unreachable):
    """A host that is left alone for a few minutes, because it has failed several times in a row."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed attempt."""

    error: ProviderError
    """Error to raise if no attempts are left."""
    may_pass: bool
    summary: str
    """Short description of what happened; it follows the name of the host."""
    wait_seconds: float | None = None
    """Wait that the host requested; `None` if it requested none."""


def refusal(host: Host, reply: httpx2.Response, now: float) -> Failure:
    """Describe a reply with an error status. A failure that may be temporary counts as final if the host asks for a
    longer wait than its limit.
    """
    status, kind, wait = reply.status_code, ProviderError, None
    rule = host.refusal(status, reply.content)
    if rule is not None:
        message = f"refused the request (HTTP {status}): {rule}"
    elif status in _PASSING:
        kind = RateLimited if status == 429 else Unreachable
        wait = requested_wait({name.lower(): value for name, value in reply.headers.items()}, now)
        message = f"failed {host.attempts} times (HTTP {status}): {_AGAIN}"
        if wait is not None and wait > host.longest_wait_seconds:
            message = f"asks us to wait until {clock_time(now + wait)} (HTTP {status}): {_AGAIN}"
    elif status in (401, 403) and host.credential is not None and host.credential.secret is None:
        kind = MissingKey
        message = f"asks for a key (HTTP {status}): set {host.credential.variable} in the environment"
    elif status in (401, 403) and host.credential is not None:
        kind = RejectedKey
        message = f"does not accept the key (HTTP {status}): check {host.credential.variable}"
    elif status == 404:
        message = f"has no such page (HTTP 404): check the spelling of the source, and {host.variable} if it is set"
    else:
        message = f"refused the request (HTTP {status}): check the spelling of the source"
    error = _with_status(kind(f"{host.name} {message}{_words(host, reply.content)}"), status)
    may_pass = rule is None and status in _PASSING and (wait or 0) <= host.longest_wait_seconds
    return Failure(error, may_pass, f"answered HTTP {status}", wait if may_pass else None)


def broken_connection(host: Host, error: httpx2.RequestError) -> Failure:
    """Describe a request that got no reply, or only the beginning of one."""
    kind = "timed out" if isinstance(error, httpx2.TimeoutException) else "does not answer"
    message = f"{host.name} {kind} after {host.attempts} attempts ({type(error).__name__}): {host.hint}; {_AGAIN}"
    return Failure(Unreachable(message), may_pass=True, summary=kind)


def unusable(host: Host, error: Exception, reply: httpx2.Response | None = None) -> Failure:
    """Describe a reply whose content cannot be used."""
    if isinstance(error, ReplyTooLarge):
        message = f"sent more than {host.max_bytes} bytes, the limit for a page: narrow the source"
    elif isinstance(error, SentElsewhere):
        message = (
            f"redirects to another host ({_plain(str(error))}): if that is right, set {host.variable} to its address"
        )
    elif isinstance(error, httpx2.RequestError):
        message = f"sent a reply that cannot be read ({type(error).__name__}): {_AGAIN}"
    else:
        kind = _plain(reply.headers.get("content-type", "no content type")) if reply is not None else ""
        fault = host.credential.hide(_plain(str(error))) if host.credential else _plain(str(error))
        message = f"sent an unusable page ({one_line(fault)}; {kind[:60]}) {host.attempts} times: {_AGAIN}"
        return Failure(_with_status(UnusableReply(f"{host.name} {message}"), 200), True, "sent an unusable page")
    return Failure(UnusableReply(f"{host.name} {message}"), may_pass=False, summary="sent an unusable page")


def left_alone(host: Host, since: str) -> ProviderError:
    """Make the error for a host whose circuit breaker is open."""
    return LeftAlone(
        f"{host.name} has been failing since {since} and will be sent no requests for a few minutes: {_AGAIN}, or "
        f"leave {host.name} out"
    )


def _with_status(error: ProviderError, status: int) -> ProviderError:
    error.status = status
    return error


def _words(host: Host, content: bytes) -> str:
    """Quote the host's own message, without markup, control characters or the key; empty if there is none."""
    text = _plain(_TAG.sub(" ", content[:4096].decode("utf-8", errors="replace")))
    safe_text = host.credential.hide(text) if host.credential else text
    return f" ({one_line(safe_text)})" if safe_text else ""


def _plain(text: str) -> str:
    """Return `text` on one line without control characters, which could control a terminal."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
