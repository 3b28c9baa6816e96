"""One request to a provider's web API: JSON of the agreed shape, or an error that says what to do."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import quote, quote_plus

import httpx
from pydantic import TypeAdapter, ValidationError

from pathfinder.errors import ProviderError, RateLimited
from pathfinder.models.failures import Provider as Vendor

MAX_RETRIES = 2
"""Tries after the first one, for HTTP 429, 5xx and no answer."""

PAUSE_SECONDS = 2.0
"""Before another try, where the provider names no time."""

MAX_PAUSE_SECONDS = 60.0
"""A provider that asks for more is not asked again."""

TIMEOUT_SECONDS = 30.0
"""Of each try, between two pieces of a reply."""

Reply = TypeVar("Reply")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long is waited, and how."""

    timeout_seconds: float = TIMEOUT_SECONDS
    sleep: Callable[[float], None] = time.sleep
    """Waits some seconds."""


PATIENT = Patience()


@dataclass(frozen=True, slots=True)
class Ask:
    """What is sent."""

    path: str
    parameters: Mapping[str, str | int] | None = None
    """Of the address."""
    headers: Mapping[str, str] | None = None
    body: Mapping[str, object] | None = None
    """As JSON, by POST; `None`: a GET without one."""


class WebApi:
    """A provider's API at one address, with its patience."""

    def __init__(self, name: str, base_url: str, *, key_variable: str, api_key: str | None, patience: Patience) -> None:
        """`name` is what errors call it; the key is never part of one."""
        self.name = name
        secrets = {api_key, quote(api_key, safe=""), quote_plus(api_key)} if api_key else set()
        self._vendor = Vendor(name, key_variable, tuple(sorted(secrets, key=len, reverse=True)))
        self._base_url = base_url.rstrip("/")
        self._patience = patience

    def fetch(self, ask: Ask, shape: type[Reply]) -> Reply:
        """The reply as a `shape`. Raises a `ProviderError`, also for a reply of another shape."""
        response = self._patiently(ask)
        try:
            return TypeAdapter(shape).validate_json(response.content)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise ProviderError(
                f"{self.name} gave no reply that can be used ({place + ': ' if place else ''}{first['msg']}): try "
                "again later, or leave it out"
            ) from None

    def _patiently(self, ask: Ask) -> httpx.Response:
        """The first reply that is no failure; the last failure, told, where there is none."""
        for n_left in range(MAX_RETRIES, -1, -1):
            try:
                response = self._send(ask)
            except httpx.RequestError as error:
                if not n_left:
                    is_unreachable = isinstance(error, httpx.TransportError)
                    raise self._vendor.failure(error, is_unreachable=is_unreachable) from None
                self._patience.sleep(PAUSE_SECONDS)
                continue
            if response.is_success:
                return response
            is_passing = response.status_code == httpx.codes.TOO_MANY_REQUESTS or response.is_server_error
            if not (n_left and is_passing):
                break
            self._patience.sleep(self._pause(response))
        failure = httpx.HTTPStatusError(_words(response), request=response.request, response=response)
        raise self._vendor.failure(failure, is_unreachable=False) from None

    def _send(self, ask: Ask) -> httpx.Response:
        return httpx.request(
            "GET" if ask.body is None else "POST",
            f"{self._base_url}/{ask.path}",
            params=ask.parameters,
            headers=ask.headers,
            json=ask.body,
            timeout=self._patience.timeout_seconds,
        )

    def _pause(self, response: httpx.Response) -> float:
        """Seconds to wait before another try. Raises `RateLimited` where that is too long."""
        asked = response.headers.get("Retry-After", "")
        seconds = float(asked) if asked.isdecimal() else PAUSE_SECONDS
        if seconds > MAX_PAUSE_SECONDS:
            raise RateLimited(
                f"{self.name} asks to wait {seconds:.0f} s (HTTP {response.status_code}): go on later, or leave it out"
            )
        return seconds


def _words(response: httpx.Response) -> str:
    """What the provider says of a failure."""
    try:
        body = response.json()
    except (ValueError, RecursionError):
        return response.text or "an empty reply"
    told = [body.get(name) for name in ("message", "error")] if isinstance(body, dict) else []
    return next((text for text in told if isinstance(text, str)), response.text)
