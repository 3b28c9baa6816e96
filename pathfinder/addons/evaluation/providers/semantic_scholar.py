"""Search using Semantic Scholar's Academic Graph: `GET /graph/v1/paper/search`, ranked by relevance."""

from dataclasses import dataclass
from typing import Any

from pathfinder.addons.evaluation.providers.ports import ProviderHit, check_n
from pathfinder.addons.evaluation.providers.web import DEFAULT_RETRY_POLICY, RetryPolicy, WebApi, WebRequest
from pathfinder.text.identifiers import doi_key

BASE_URL = "https://api.semanticscholar.org"
KEY_VARIABLE = "SEMANTIC_SCHOLAR_API_KEY"

_FIELDS = "title,abstract,url,year,externalIds"


@dataclass(frozen=True, slots=True)
class _Paper:
    title: str | None = None
    abstract: str | None = None
    url: str | None = None
    year: int | None = None
    externalIds: dict[str, Any] | None = None  # noqa: N815  # as the API calls it


@dataclass(frozen=True, slots=True)
class _SemanticScholarPage:
    total: int
    data: tuple[_Paper, ...] = ()
    """Papers found; absent from the reply if there are none."""


class SemanticScholar:
    """Searches with or without a key. All users without a key share one rate limit, so they often get HTTP 429. A key
    is sent in the header `x-api-key` and allows one request per second.
    """

    name = "semantic-scholar"

    def __init__(
        self, api_key: str | None = None, *, base_url: str = BASE_URL, retry_policy: RetryPolicy = DEFAULT_RETRY_POLICY
    ) -> None:
        self._headers = {"x-api-key": api_key} if api_key else None
        self._api = WebApi(self.name, base_url, key_variable=KEY_VARIABLE, api_key=api_key, retry_policy=retry_policy)

    def search(self, question: str, n: int) -> tuple[ProviderHit, ...]:
        """Find the first `n` papers. Hyphens are replaced by spaces, because Semantic Scholar finds nothing for a
        hyphenated term.
        """
        check_n(n)
        parameters: dict[str, str | int] = {"query": question.replace("-", " "), "limit": n, "fields": _FIELDS}
        page = self._api.fetch(WebRequest("graph/v1/paper/search", parameters, self._headers), _SemanticScholarPage)
        return tuple(_hit(paper) for paper in page.data[:n])


def _hit(paper: _Paper) -> ProviderHit:
    doi = (paper.externalIds or {}).get("DOI")
    return ProviderHit(
        title=paper.title or "",
        chunks=(paper.abstract,) if paper.abstract else (),
        url=paper.url,
        doi=doi_key(doi if isinstance(doi, str) else None),
        year=paper.year,
    )
