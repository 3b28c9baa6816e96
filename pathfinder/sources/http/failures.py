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
    """Describe a reply with an error status."""
    status, headers = reply.status_code, {name.lower(): value for name, value in reply.headers.items()}
    summary, words = f"answered HTTP {status}", _words(host, reply.content)
    rule = host.refusal(status, reply.content)
    if rule is not None:
        return _final(ProviderError(f"{host.name} refused the request (HTTP {status}): {rule}{words}"), status, summary)
    if status in _PASSING:
        return _passing(host, status, requested_wait(headers, now), now, words)
    if status in (401, 403) and host.credential is not None:
        variable = host.credential.variable
        if host.credential.secret is None:
            error: ProviderError = MissingKey(
                f"{host.name} asks for a key (HTTP {status}): set {variable} in the environment{words}"
            )
        else:
            error = RejectedKey(f"{host.name} does not accept the key (HTTP {status}): check {variable}{words}")
        return _final(error, status, summary)
    if status == 404:
        error = ProviderError(
            f"{host.name} has no such page (HTTP 404): check the spelling of the source, and {host.variable} if "
            f"it is set{words}"
        )
        return _final(error, status, summary)
    return _final(
        ProviderError(f"{host.name} refused the request (HTTP {status}): check the spelling of the source{words}"),
        status,
        summary,
    )


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


def _passing(host: Host, status: int, wait: float | None, now: float, words: str) -> Failure:
    """Describe a failure that may be temporary; it counts as final if the requested wait is longer than the limit."""
    summary = f"answered HTTP {status}"
    if wait is not None and wait > host.longest_wait_seconds:
        until = clock_time(now + wait)
        message = f"{host.name} asks us to wait until {until} (HTTP {status}): {_AGAIN}{words}"
        return _final(RateLimited(message) if status == 429 else Unreachable(message), status, summary)
    message = f"{host.name} failed {host.attempts} times (HTTP {status}): {_AGAIN}{words}"
    error = RateLimited(message) if status == 429 else Unreachable(message)
    return Failure(_with_status(error, status), may_pass=True, summary=summary, wait_seconds=wait)


def _final(error: ProviderError, status: int, summary: str) -> Failure:
    return Failure(_with_status(error, status), may_pass=False, summary=summary)


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
