"""Search using Exa: `POST /search`, which returns web pages that Exa classifies as research papers, with their text."""

from dataclasses import dataclass

from pathfinder.addons.evaluation.providers.ports import ProviderHit, check_n
from pathfinder.addons.evaluation.providers.web import DEFAULT_RETRY_POLICY, RetryPolicy, WebApi, WebRequest
from pathfinder.errors import MissingKey
from pathfinder.text.identifiers import doi_key

BASE_URL = "https://api.exa.ai"
KEY_VARIABLE = "EXA_API_KEY"

TEXT_CHARACTERS = 3_000
"""Number of characters read from the start of each page: about as many as in a title and an abstract, so that texts
from all providers are of similar length.
"""


@dataclass(frozen=True, slots=True)
class _Result:
    url: str
    title: str | None = None
    publishedDate: str | None = None  # noqa: N815  # as the API calls it
    text: str | None = None


@dataclass(frozen=True, slots=True)
class _ExaPage:
    results: tuple[_Result, ...]


class Exa:
    """Searches the web. It needs a key, sent in the header `x-api-key`. Every search is billed."""

    name = "exa"

    def __init__(
        self, api_key: str | None, *, base_url: str = BASE_URL, retry_policy: RetryPolicy = DEFAULT_RETRY_POLICY
    ) -> None:
        """Raise `MissingKey` if there is no key."""
        if not api_key:
            raise MissingKey(f"no key is set for {self.name}: set {KEY_VARIABLE}, or leave this provider out")
        self._headers = {"x-api-key": api_key}
        self._api = WebApi(self.name, base_url, key_variable=KEY_VARIABLE, api_key=api_key, retry_policy=retry_policy)

    def search(self, question: str, n: int) -> tuple[ProviderHit, ...]:
        """Find the first `n` pages."""
        check_n(n)
        body = {
            "query": question,
            "type": "auto",
            "category": "research paper",
            "numResults": n,
            "contents": {"text": {"maxCharacters": TEXT_CHARACTERS}},
        }
        page = self._api.fetch(WebRequest("search", headers=self._headers, body=body), _ExaPage)
        return tuple(_hit(result) for result in page.results[:n])


def _hit(result: _Result) -> ProviderHit:
    text = (result.text or "").strip()
    doi = doi_key(result.url)
    year = (result.publishedDate or "")[:4]
    return ProviderHit(
        title=result.title or "",
        chunks=(text,) if text else (),
        url=result.url,
        doi=doi if doi and doi.startswith("10.") else None,
        year=int(year) if year.isdecimal() and len(year) == 4 else None,
    )
