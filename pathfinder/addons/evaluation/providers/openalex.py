"""Search using OpenAlex: `GET /works`, by words or by meaning; abstracts arrive as inverted indexes."""

import re
from dataclasses import dataclass
from typing import Literal

from pathfinder.addons.evaluation.providers.ports import ProviderHit, check_n
from pathfinder.addons.evaluation.providers.web import DEFAULT_RETRY_POLICY, RetryPolicy, WebApi, WebRequest
from pathfinder.errors import ProviderError
from pathfinder.text.identifiers import doi_key

BASE_URL = "https://api.openalex.org"
KEY_VARIABLE = "OPENALEX_API_KEY"

MAX_CHARACTERS = 2_000
"""Number of characters of a question that a search by meaning uses; OpenAlex ignores the rest."""

_FIELDS = "id,doi,display_name,publication_year,abstract_inverted_index,primary_location"
_OPERATORS = re.compile(r'[?*~"()]|\b(?:AND|OR|NOT)\b')


@dataclass(frozen=True, slots=True)
class _Location:
    landing_page_url: str | None = None


@dataclass(frozen=True, slots=True)
class _Work:
    id: str | None = None
    doi: str | None = None
    display_name: str | None = None
    publication_year: int | None = None
    abstract_inverted_index: dict[str, list[int]] | None = None
    primary_location: _Location | None = None


@dataclass(frozen=True, slots=True)
class _OpenAlexPage:
    results: tuple[_Work, ...]


class OpenAlex:
    """Searches by words, all of which must occur, or by meaning, which costs ten times as much. Keys are free; without
    one, ten searches a day are allowed. The key is part of the address, as OpenAlex requires.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        by: Literal["words", "meaning"] = "words",
        base_url: str = BASE_URL,
        retry_policy: RetryPolicy = DEFAULT_RETRY_POLICY,
    ) -> None:
        self.name = "openalex" if by == "words" else "openalex-semantic"
        self._by = by
        self._key: dict[str, str | int] = {"api_key": api_key} if api_key else {}
        self._api = WebApi(self.name, base_url, key_variable=KEY_VARIABLE, api_key=api_key, retry_policy=retry_policy)

    def search(self, question: str, n: int) -> tuple[ProviderHit, ...]:
        """Find the first `n` works. In a search by words, OpenAlex's operators, such as `?`, are removed from the
        question.
        """
        check_n(n)
        parameters: dict[str, str | int] = (
            {"search": " ".join(_OPERATORS.sub(" ", question).split())}
            if self._by == "words"
            else {"search.semantic": question[:MAX_CHARACTERS]}
        )
        page = self._api.fetch(
            WebRequest("works", parameters | {"per_page": n, "select": _FIELDS} | self._key), _OpenAlexPage
        )
        return tuple(self._hit(work) for work in page.results[:n])

    def _hit(self, work: _Work) -> ProviderHit:
        try:
            abstract = abstract_text(work.abstract_inverted_index or {})
        except ValueError as error:
            raise ProviderError(
                f"{self.name} returned an abstract that cannot be read ({error}): try again later, or leave this "
                f"provider out"
            ) from None
        landing = work.primary_location.landing_page_url if work.primary_location else None
        return ProviderHit(
            title=work.display_name or "",
            chunks=(abstract,) if abstract else (),
            url=landing or work.id,
            doi=doi_key(work.doi),
            year=work.publication_year,
        )


def abstract_text(positions: dict[str, list[int]]) -> str:
    """Rebuild the text from its inverted index; positions count from 0. Raises `ValueError` for two words at the same
    position.

    A position without a word is skipped, because the index lists only the words that could be read.
    """
    words: dict[int, str] = {}
    for word, places in positions.items():
        for place in places:
            if words.setdefault(place, word) != word:
                raise ValueError(f"both {words[place]!r} and {word!r} stand at position {place}")
    return " ".join(words[place] for place in sorted(words))
