"""Semantic Scholar's Academic Graph API: `GET /graph/v1/paper/search`, ranked by relevance."""

from dataclasses import dataclass
from typing import Any

from pathfinder.evaluation.providers.ports import ProviderHit, bare_doi, check_n
from pathfinder.evaluation.providers.web import PATIENT, Ask, Patience, WebApi

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
class _Page:
    total: int
    data: tuple[_Paper, ...] = ()
    """Absent where nothing was found."""


class SemanticScholar:
    """Works without a key too, slowly: everyone without one shares a limit, and meets HTTP 429. A key goes out in the
    header `x-api-key`, one request a second."""

    name = "semantic-scholar"

    def __init__(self, api_key: str | None = None, *, base_url: str = BASE_URL, patience: Patience = PATIENT) -> None:
        self._headers = {"x-api-key": api_key} if api_key else None
        self._api = WebApi(self.name, base_url, key_variable=KEY_VARIABLE, api_key=api_key, patience=patience)

    def search(self, question: str, n: int) -> tuple[ProviderHit, ...]:
        """The first `n` papers. Hyphens go out as spaces: a hyphenated term finds nothing there."""
        check_n(n)
        parameters: dict[str, str | int] = {"query": question.replace("-", " "), "limit": n, "fields": _FIELDS}
        page = self._api.fetch(Ask("graph/v1/paper/search", parameters, self._headers), _Page)
        return tuple(_hit(paper) for paper in page.data[:n])


def _hit(paper: _Paper) -> ProviderHit:
    doi = (paper.externalIds or {}).get("DOI")
    return ProviderHit(
        title=paper.title or "",
        chunks=(paper.abstract,) if paper.abstract else (),
        url=paper.url,
        doi=bare_doi(doi if isinstance(doi, str) else None),
        year=paper.year,
    )
