"""Loads providers by name, each with its key from the settings."""

from collections.abc import Callable, Sequence

from pydantic import SecretStr

from pathfinder.addons.evaluation.providers.exa import Exa
from pathfinder.addons.evaluation.providers.openalex import OpenAlex
from pathfinder.addons.evaluation.providers.ports import OwnSearch, SearchProvider
from pathfinder.addons.evaluation.providers.semantic_scholar import SemanticScholar
from pathfinder.errors import UsageError
from pathfinder.settings import Settings
from pathfinder.types import SearchRequest, SearchResult

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
