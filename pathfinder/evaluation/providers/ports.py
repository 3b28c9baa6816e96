"""Interface of the literature searches to be compared, and the type of result that they all return."""

from dataclasses import dataclass
from typing import Protocol

from pathfinder.errors import UsageError
from pathfinder.evaluation.judges import Context

MAX_HITS = 30
"""Maximum number of results of one search, which every provider can return on one page."""


@dataclass(frozen=True, slots=True)
class ProviderHit:
    """A result as described by its provider. `None` or an empty value means that the provider did not supply it."""

    title: str
    chunks: tuple[str, ...] = ()
    """Abstract, or the retrieved parts of the text; empty if the provider supplied no text."""
    url: str | None = None
    doi: str | None = None
    """DOI without `https://doi.org/`."""
    year: int | None = None

    @property
    def context(self) -> Context:
        """Return the part of the result that a judge reads."""
        return Context(self.title, "\n".join(self.chunks), self.doi)


class SearchProvider(Protocol):
    """Searches the literature."""

    @property
    def name(self) -> str:
        """Name in the table, such as `openalex`."""

    def search(self, question: str, n: int) -> tuple[ProviderHit, ...]:
        """Return at most `n` results, 1 to 30, best first. Raises a `ProviderError` rather than making up a result.

        An empty tuple means that the provider found nothing.
        """


def check_n(n: int) -> None:
    """Raise `UsageError` for a number of results that no provider can return."""
    if not 1 <= n <= MAX_HITS:
        raise UsageError(f"the number of results must lie in 1..{MAX_HITS}, got {n}")
