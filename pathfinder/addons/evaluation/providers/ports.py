"""Interface of the literature searches to be compared, the result that they all return, and Pathfinder's own search."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from pathfinder.addons.evaluation.judges import Context
from pathfinder.errors import UsageError
from pathfinder.export.links import paper_links
from pathfinder.types import Hit, SearchRequest, SearchResult

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


class OwnSearch:
    """Pathfinder's own search, with default settings except for `depth` and `page_size`."""

    def __init__(self, search: Callable[[SearchRequest], SearchResult], depth: int, page_size: int) -> None:
        """After the first search, run `depth` rounds of refined questions, each reading `page_size` hits of the
        previous round; `page_size` has no effect if `depth` is 0.

        Raises `UsageError` if either is out of range.
        """
        self.name = f"pathfinder depth {depth}" + (f" page {page_size}" if depth else "")
        self._search = search
        self._request = SearchRequest("any question", depth=depth, page_size=page_size)

    def search(self, question: str, n: int) -> tuple[ProviderHit, ...]:
        """Find the first `n` papers."""
        check_n(n)
        result = self._search(replace(self._request, query=question, top_k=n))
        return tuple(_hit(hit) for hit in result.hits)


def _hit(hit: Hit) -> ProviderHit:
    paper = hit.paper
    link, date = next(iter(paper_links(paper)), None), paper.published
    return ProviderHit(
        title=paper.title,
        chunks=(paper.abstract,) if paper.abstract else (),
        url=link.url if link else None,
        doi=paper.doi,
        year=date.year if date else None,
    )
