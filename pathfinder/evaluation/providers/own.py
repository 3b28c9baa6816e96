"""Pathfinder's own search as a provider, with one depth of recursion and one page size."""

from collections.abc import Callable
from dataclasses import replace

from pathfinder.evaluation.providers.ports import ProviderHit, check_n
from pathfinder.export.links import paper_links
from pathfinder.types import Hit, SearchRequest, SearchResult


class OwnSearch:
    """Searches with default settings except for `depth` and `page_size`."""

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
