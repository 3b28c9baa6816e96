"""What a provider's SDK raised, as one of our errors: which provider and model, what happened, what to do."""

from dataclasses import dataclass
from urllib.parse import quote

from pathfinder.errors import ProviderError, RateLimited, RejectedKey, Unreachable

NO_KEY = "no-key-needed"
"""Sent to a server at an address of the reader's own, when no key is set: most local servers take any."""

UNREADABLE_ERRORS = (AttributeError, KeyError, RecursionError, TypeError, ValueError)
"""What a provider's package raises when a reply is not of the shape that was agreed on."""

MAX_QUOTE = 200
"""Characters of a provider's own words that are passed on."""


@dataclass(frozen=True, slots=True)
class Provider:
    """Who was asked, and what must not be said aloud."""

    name: str
    """`vendor:model`."""
    key_variable: str
    """Where its key is set, such as `OPENAI_API_KEY`."""
    secrets: tuple[str, ...] = ()
    """Never part of a message."""

    def failure(
        self, error: Exception, *, is_unreachable: bool, status: int | None = None, words: str | None = None
    ) -> ProviderError:
        """The error to raise for what the SDK raised; `status` counts where the SDK's error carries none, and `words`
        are quoted where the SDK's own say less.

        Chain it `from None`: an SDK's own words may hold the key.
        """
        status = _status(error) or status
        if status is not None:
            return self._refusal(status, self._quote(error, words or str(error)))
        if is_unreachable:
            quoted = self._quote(error, str(_root(error)))
            return Unreachable(f"{self.name} does not answer: check the network and the address{quoted}")
        quoted = self._quote(error, words or str(error))
        return ProviderError(f"{self.name} gave no reply that can be used: ask again, or choose another model{quoted}")

    def too_long(self, error: Exception) -> ProviderError:
        """The error to raise for a prompt that is longer than the model can read."""
        return ProviderError(
            f"{self.name} cannot read as much at once: ask for fewer papers, or choose a model with a longer context"
            f"{self._quote(error, str(error))}"
        )

    def _refusal(self, status: int, quoted: str) -> ProviderError:
        if status in (401, 403):
            return RejectedKey(f"{self.name} does not accept the key (HTTP {status}): check {self.key_variable}")
        if status == 429:
            return RateLimited(f"{self.name} asks to slow down (HTTP 429): wait a minute, or check the quota{quoted}")
        if status == 404:
            return ProviderError(f"{self.name} was not found (HTTP 404): check the model's name and address{quoted}")
        remedy = "try again later" if status >= 500 else "check the model's name and settings"
        return ProviderError(f"{self.name} failed with HTTP {status}: {remedy}{quoted}")

    def _quote(self, error: Exception, words: str) -> str:
        words = " ".join(words.split())
        for secret in self.secrets:
            words = words.replace(secret, "***").replace(quote(secret, safe=""), "***")
        return f" ({type(error).__name__}: {words[:MAX_QUOTE]})"


def _status(error: Exception) -> int | None:
    """The HTTP status that an SDK's error carries: most call it `status_code`, Google's `code`, httpx has it inside.

    A reply that came with a status below 400 and could not be read is no refusal.
    """
    holders = (error, getattr(error, "response", None))
    found = [getattr(holder, name, None) for holder in holders for name in ("status_code", "code")]
    return next((status for status in found if isinstance(status, int) and status >= 400), None)


def _root(error: BaseException) -> BaseException:
    """The first cause: "Connection error." says less than the "connection refused" below it."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error
