"""Providers of search by name: remote ones, each with its key from the settings, and Pathfinder's own search."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from pydantic import SecretStr

from pathfinder.errors import UsageError
from pathfinder.evaluation.providers.exa import Exa
from pathfinder.evaluation.providers.openalex import OpenAlex
from pathfinder.evaluation.providers.ports import ProviderHit, SearchProvider, check_n
from pathfinder.evaluation.providers.semantic_scholar import SemanticScholar
from pathfinder.export.links import paper_links
from pathfinder.settings import Settings
from pathfinder.types import Hit, SearchRequest, SearchResult

OWN = "pathfinder"

REMOTE_PROVIDERS: dict[str, Callable[[Settings], SearchProvider]] = {
    "semantic-scholar": lambda settings: SemanticScholar(_plain(settings.semantic_scholar_api_key)),
    "openalex": lambda settings: OpenAlex(_plain(settings.openalex_api_key)),
    "openalex-semantic": lambda settings: OpenAlex(_plain(settings.openalex_api_key), by="meaning"),
    "exa": lambda settings: Exa(_plain(settings.exa_api_key)),
}
"""Providers that are called over the network."""


def check_providers(names: Sequence[str]) -> None:
    """Raise `UsageError` if a name is not a provider's."""
    providers = (OWN, *REMOTE_PROVIDERS)
    if unknown_names := [name for name in names if name not in providers]:
        raise UsageError(f"unknown provider {unknown_names[0]!r}: choose from {', '.join(providers)}")


def load_providers(names: Sequence[str], settings: Settings) -> tuple[SearchProvider, ...]:
    """Load the remote providers among `names`, in order. Raises `MissingKey` for one whose key is missing."""
    check_providers(names)
    return tuple(REMOTE_PROVIDERS[name](settings) for name in dict.fromkeys(names) if name != OWN)


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


def own_searches(
    search: Callable[[SearchRequest], SearchResult], depths: Sequence[int], page_sizes: Sequence[int]
) -> tuple[OwnSearch, ...]:
    """Create Pathfinder's own search for every combination of depth and page size, but only once for depth 0, at which
    the page size has no effect.

    Raises `UsageError` for a depth or a page size that is out of range.
    """
    grid = dict.fromkeys((depth, page_size if depth else page_sizes[0]) for depth in depths for page_size in page_sizes)
    return tuple(OwnSearch(search, depth, page_size) for depth, page_size in grid)


def _plain(key: SecretStr | None) -> str | None:
    return key.get_secret_value() if key else None
