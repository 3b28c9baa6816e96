"""Requests to a provider's web API, which return JSON of the expected shape or raise an error that says what to do."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import quote, quote_plus

import httpx
from pydantic import TypeAdapter

from pathfinder.errors import ProviderError, RateLimited
from pathfinder.llm.providers import ModelProvider as Vendor
from pathfinder.text.strict_json import parse_as, parse_json

MAX_RETRIES = 2
"""Number of further attempts after HTTP 429 or 5xx, or if no answer arrives."""

PAUSE_SECONDS = 2.0
"""Pause before another attempt, if the provider does not specify one."""

MAX_PAUSE_SECONDS = 60.0
"""Longest acceptable pause; a provider that asks for a longer one is not called again."""

TIMEOUT_SECONDS = 30.0
"""Time limit for each attempt, and for the wait between two chunks of a reply."""

Reply = TypeVar("Reply")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Time limits for a reply, and pauses between attempts."""

    timeout_seconds: float = TIMEOUT_SECONDS
    sleep: Callable[[float], None] = time.sleep
    """Function that waits for a given number of seconds."""


DEFAULT_RETRY_POLICY = RetryPolicy()


@dataclass(frozen=True, slots=True)
class WebRequest:
    """A request to a web API."""

    path: str
    parameters: Mapping[str, str | int] | None = None
    """Query parameters of the URL."""
    headers: Mapping[str, str] | None = None
    body: Mapping[str, object] | None = None
    """Body sent as JSON by POST; `None` for a GET without a body."""


class WebApi:
    """A provider's API at one URL, with its retry policy."""

    def __init__(
        self, name: str, base_url: str, *, key_variable: str, api_key: str | None, retry_policy: RetryPolicy
    ) -> None:
        """Use `name` in error messages; the key never appears in them."""
        self.name = name
        secrets = {api_key, quote(api_key, safe=""), quote_plus(api_key)} if api_key else set()
        self._vendor = Vendor(name, key_variable, tuple(sorted(secrets, key=len, reverse=True)))
        self._base_url = base_url.rstrip("/")
        self._retry_policy = retry_policy

    def fetch(self, request: WebRequest, shape: type[Reply]) -> Reply:
        """Fetch the reply as a `shape`. Raises a `ProviderError` if the request fails or the reply has a
        different shape.
        """
        response = self._send_with_retries(request)
        try:
            return parse_as(TypeAdapter(shape), response.content)
        except ValueError as error:
            raise ProviderError(
                f"{self.name} returned an unusable reply ({error}): try again later, or leave this provider out"
            ) from None

    def _send_with_retries(self, request: WebRequest) -> httpx.Response:
        """Return the reply to the first attempt that succeeds, or raise the error of the last one."""
        for n_retries_left in range(MAX_RETRIES, -1, -1):
            try:
                response = self._send(request)
            except httpx.RequestError as error:
                if not n_retries_left:
                    is_unreachable = isinstance(error, httpx.TransportError)
                    raise self._vendor.failure(error, is_unreachable=is_unreachable) from None
                self._retry_policy.sleep(PAUSE_SECONDS)
                continue
            if response.is_success:
                return response
            is_temporary = response.status_code == httpx.codes.TOO_MANY_REQUESTS or response.is_server_error
            if not (n_retries_left and is_temporary):
                break
            self._retry_policy.sleep(self._pause(response))
        failure = httpx.HTTPStatusError(_words(response), request=response.request, response=response)
        raise self._vendor.failure(failure, is_unreachable=False) from None

    def _send(self, request: WebRequest) -> httpx.Response:
        return httpx.request(
            "GET" if request.body is None else "POST",
            f"{self._base_url}/{request.path}",
            params=request.parameters,
            headers=request.headers,
            json=request.body,
            timeout=self._retry_policy.timeout_seconds,
        )

    def _pause(self, response: httpx.Response) -> float:
        """Return the seconds to wait before another attempt. Raises `RateLimited` if that would be too long."""
        wait = response.headers.get("Retry-After", "")
        seconds = float(wait) if wait.isdecimal() else PAUSE_SECONDS
        if seconds > MAX_PAUSE_SECONDS:
            raise RateLimited(
                f"{self.name} asked us to wait {seconds:.0f} s (HTTP {response.status_code}): try again later, or "
                "leave this provider out"
            )
        return seconds


def _words(response: httpx.Response) -> str:
    """Return the provider's own message about a failure."""
    try:
        body = parse_json(response.text)
    except (ValueError, RecursionError):
        return response.text or "an empty reply"
    messages = [body.get(name) for name in ("message", "error")] if isinstance(body, dict) else []
    return next((text for text in messages if isinstance(text, str)), response.text)
