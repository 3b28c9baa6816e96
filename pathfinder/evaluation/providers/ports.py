"""The door that literature searches come through, and what all of them return."""

from dataclasses import dataclass
from typing import Protocol

from pathfinder.errors import UsageError
from pathfinder.evaluation.judges import Context

MAX_HITS = 30
"""Of one search: one page of every provider holds as many."""


@dataclass(frozen=True, slots=True)
class ProviderHit:
    """One result, as its provider describes it. `None` and empty mean: the provider does not say."""

    title: str
    chunks: tuple[str, ...] = ()
    """The abstract, or the parts of the text that were found; none where the provider gave no text."""
    url: str | None = None
    doi: str | None = None
    """Without `https://doi.org/`."""
    year: int | None = None

    @property
    def context(self) -> Context:
        """What a judge reads of it."""
        return Context(self.title, "\n".join(self.chunks), self.doi)


class Provider(Protocol):
    """Searches the literature."""

    @property
    def name(self) -> str:
        """What the table shows, such as `openalex`."""

    def search(self, question: str, n: int) -> tuple[ProviderHit, ...]:
        """At most `n` results, 1 to 30, best first. Raises a `ProviderError`, and gives no result that was not given.

        An empty tuple means that the provider found nothing.
        """


def check_n(n: int) -> None:
    """Raises `UsageError` for a number of results that no provider gives."""
    if not 1 <= n <= MAX_HITS:
        raise UsageError(f"the number of results must lie in 1..{MAX_HITS}, got {n}")


def bare_doi(doi: str | None) -> str | None:
    """`10.1/x` of `https://doi.org/10.1/X`: DOIs do not know case."""
    return doi.lower().removeprefix("https://doi.org/") if doi else None
