"""Turns a provider SDK's exception into one of Pathfinder's errors, which says which provider and model failed, what
happened, and what to do.
"""

from dataclasses import dataclass
from urllib.parse import quote

from pathfinder.errors import ProviderError, RateLimited, RejectedKey, Unreachable
from pathfinder.types.one_line import one_line

NO_KEY = "no-key-needed"
"""Placeholder key sent, if no key is set, to a server whose address the reader chose: most local servers accept any
key.
"""

UNREADABLE_ERRORS = (AttributeError, KeyError, RecursionError, TypeError, ValueError)
"""Errors raised by a provider's package when a reply does not have the expected form."""


@dataclass(frozen=True, slots=True)
class ModelProvider:
    """The provider of a model, and the secrets that must not appear in any message."""

    name: str
    """`vendor:model`."""
    key_variable: str
    """Environment variable that holds the provider's key, such as `OPENAI_API_KEY`."""
    secrets: tuple[str, ...] = ()
    """Strings that must never appear in a message."""

    def failure(
        self, error: Exception, *, is_unreachable: bool, status: int | None = None, words: str | None = None
    ) -> ProviderError:
        """Make the error to raise for an SDK's exception. `status` is used if the SDK's error has none, and `words` are
        quoted if they say more than the SDK's own message.

        Raise it with `from None`: an SDK's own message may contain the key.
        """
        status = _status(error) or status
        if status is not None:
            return self._refusal(status, self._quote(error, words or str(error)))
        if is_unreachable:
            quotation = self._quote(error, str(_root(error)))
            return Unreachable(f"{self.name} does not answer: check the network and the address{quotation}")
        quotation = self._quote(error, words or str(error))
        return ProviderError(f"{self.name} returned no usable reply: ask again, or choose another model{quotation}")

    def too_long(self, error: Exception) -> ProviderError:
        """Make the error for a prompt that exceeds the model's context length."""
        return ProviderError(
            f"{self.name} cannot read that much at once: ask for fewer papers, or choose a model with a longer context"
            f"{self._quote(error, str(error))}"
        )

    def _refusal(self, status: int, quotation: str) -> ProviderError:
        error = self._error_for(status, quotation)
        error.status = status
        return error

    def _error_for(self, status: int, quotation: str) -> ProviderError:
        if status in (401, 403):
            return RejectedKey(f"{self.name} does not accept the key (HTTP {status}): check {self.key_variable}")
        if status == 429:
            return RateLimited(
                f"{self.name} asked us to slow down (HTTP 429): wait a minute, or check the quota{quotation}"
            )
        if status == 404:
            return ProviderError(f"{self.name} was not found (HTTP 404): check the model's name and address{quotation}")
        remedy = "try again later" if status >= 500 else "check the model's name and settings"
        return ProviderError(f"{self.name} failed with HTTP {status}: {remedy}{quotation}")

    def _quote(self, error: Exception, words: str) -> str:
        words = " ".join(words.split())
        for secret in self.secrets:
            words = words.replace(secret, "***").replace(quote(secret, safe=""), "***")
        return f" ({type(error).__name__}: {one_line(words)})"


def _status(error: Exception) -> int | None:
    """Return the HTTP status that an SDK's error carries: most call it `status_code`, Google calls it `code`, and httpx
    nests it.

    A status below 400 is ignored: it belongs to a reply that could not be read, not to a refusal.
    """
    holders = (error, getattr(error, "response", None))
    values = [getattr(holder, name, None) for holder in holders for name in ("status_code", "code")]
    return next((status for status in values if isinstance(status, int) and status >= 400), None)


def _root(error: BaseException) -> BaseException:
    """Return the root cause: the underlying "connection refused" is more informative than "Connection error."."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error
