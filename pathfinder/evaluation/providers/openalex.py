"""OpenAlex's API: `GET /works`, searched by words or by meaning, and its inverted abstracts."""

import re
from dataclasses import dataclass
from typing import Literal

from pathfinder.errors import ProviderError
from pathfinder.evaluation.providers.ports import ProviderHit, bare_doi, check_n
from pathfinder.evaluation.providers.web import PATIENT, Ask, Patience, WebApi

BASE_URL = "https://api.openalex.org"
KEY_VARIABLE = "OPENALEX_API_KEY"

MAX_CHARACTERS = 2_000
"""Of a question that is searched by meaning; OpenAlex cuts what comes after."""

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
class _Page:
    results: tuple[_Work, ...]


class OpenAlex:
    """By words every one of them has to occur; by meaning costs ten times as much. A key is free, and without one a
    day's allowance is ten searches. It goes out in the address, as OpenAlex wants it."""

    def __init__(
        self,
        api_key: str | None = None,
        *,
        by: Literal["words", "meaning"] = "words",
        base_url: str = BASE_URL,
        patience: Patience = PATIENT,
    ) -> None:
        self.name = "openalex" if by == "words" else "openalex-semantic"
        self._by = by
        self._key: dict[str, str | int] = {"api_key": api_key} if api_key else {}
        self._api = WebApi(self.name, base_url, key_variable=KEY_VARIABLE, api_key=api_key, patience=patience)

    def search(self, question: str, n: int) -> tuple[ProviderHit, ...]:
        """The first `n` works. By words, what OpenAlex would take for an operator, `?` for one, is left out."""
        check_n(n)
        asked: dict[str, str | int] = (
            {"search": " ".join(_OPERATORS.sub(" ", question).split())}
            if self._by == "words"
            else {"search.semantic": question[:MAX_CHARACTERS]}
        )
        page = self._api.fetch(Ask("works", asked | {"per_page": n, "select": _FIELDS} | self._key), _Page)
        return tuple(self._hit(work) for work in page.results[:n])

    def _hit(self, work: _Work) -> ProviderHit:
        try:
            abstract = abstract_text(work.abstract_inverted_index or {})
        except ValueError as error:
            raise ProviderError(
                f"{self.name} gave an abstract that cannot be read ({error}): try again later, or leave it out"
            ) from None
        landing = work.primary_location.landing_page_url if work.primary_location else None
        return ProviderHit(
            title=work.display_name or "",
            chunks=(abstract,) if abstract else (),
            url=landing or work.id,
            doi=bare_doi(work.doi),
            year=work.publication_year,
        )


def abstract_text(positions: dict[str, list[int]]) -> str:
    """The text whose words stand at these positions, counted from 0. Raises `ValueError` for two words at one place.

    A position that no word has is passed over: the index lists only what it could read.
    """
    words: dict[int, str] = {}
    for word, places in positions.items():
        for place in places:
            if words.setdefault(place, word) != word:
                raise ValueError(f"both {words[place]!r} and {word!r} stand at position {place}")
    return " ".join(words[place] for place in sorted(words))
