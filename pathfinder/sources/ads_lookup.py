"""Looks up papers in NASA ADS: current bibcodes, citation counts and references.

The terms of ADS allow no copies, so nothing is stored, either as pages or in a corpus.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pathfinder.corpus.schemas.fields import clean
from pathfinder.errors import MissingKey
from pathfinder.settings import Settings
from pathfinder.sources.http.host import Credential, Host
from pathfinder.sources.http.web import Web, WebSurroundings
from pathfinder.sources.json_pages import json_object, list_of, object_of, whole_number
from pathfinder.text.identifiers import identifier_key
from pathfinder.types import Paper

MAX_QUERY = 1000
"""Maximum number of characters that ADS accepts in a query."""
PATH, _ROWS = "v1/search/query", 2000
_FIELDS = "bibcode,identifier,citation_count,reference"
_UNFIT = frozenset('"\\()[]{}')


@dataclass(frozen=True, slots=True)
class AdsRecord:
    """A paper in ADS."""

    bibcode: str
    citation_count: int | None
    references: tuple[str, ...]
    """Bibcodes of the papers that it cites."""


def look_up(papers: Sequence[Paper], settings: Settings, around: WebSurroundings) -> dict[str, AdsRecord]:
    """Return what ADS knows about `papers`, with their ids in the corpus as keys; papers without an identifier, and
    those not in ADS, are left out.

    Raises `MissingKey` if there is no token, and a `ProviderError` if ADS does not answer.
    """
    host = ads_host(settings)
    of_identifier = {
        identifier_key(text): paper.paper_id
        for paper in papers
        for text in (paper.bibcode, paper.doi, paper.arxiv_id)
        if text and not _UNFIT & set(text)
    }
    records: dict[str, AdsRecord] = {}
    with Web(host, around) as web:
        for query in _queries(of_identifier):
            parameters: dict[str, str | int] = {"q": query, "fl": _FIELDS, "rows": _ROWS}
            for document in web.get(PATH, parameters, lambda reply: ads_documents(reply.content)):
                bibcode, references = document["bibcode"], _texts(document, "reference")
                record = AdsRecord(bibcode, whole_number(document, "citation_count"), references)
                for identifier in map(identifier_key, (bibcode, *_texts(document, "identifier"))):
                    if identifier in of_identifier:
                        records[of_identifier[identifier]] = record
    return records


def ads_host(settings: Settings) -> Host:
    """Return ADS as a host, with the token in `settings`. Raises `MissingKey` if there is none."""
    if settings.ads_api_token is None:
        raise MissingKey(
            "ADS requires a token: create one at ui.adsabs.harvard.edu/user/settings/token and set ADS_API_TOKEN"
        )
    return Host(
        "NASA ADS",
        settings.ads_url or "https://api.adsabs.harvard.edu",
        "PATHFINDER_ADS_URL",
        pace_seconds=0.2,
        credential=Credential("ADS_API_TOKEN", settings.ads_api_token, header="Authorization", prefix="Bearer "),
    )


def _queries(identifiers: Iterable[str]) -> Iterator[str]:
    """Yield queries for all identifiers, none longer than ADS allows."""
    terms = ""
    for identifier in identifiers:
        term = f'"{clean(identifier)}"'
        if terms and len(f"identifier:({terms} OR {term})") > MAX_QUERY:
            yield f"identifier:({terms})"
            terms = ""
        terms = f"{terms} OR {term}" if terms else term
    if terms:
        yield f"identifier:({terms})"


def ads_documents(content: bytes) -> tuple[dict[str, Any], ...]:
    """Read the papers in a reply. Raises `ValueError` if the reply is not a list of papers."""
    documents = list_of(object_of(json_object(content), "response"), "docs")
    if not all(isinstance(document, dict) and isinstance(document.get("bibcode"), str) for document in documents):
        raise ValueError("a paper without a bibcode")
    return documents


def _texts(document: dict[str, Any], name: str) -> tuple[str, ...]:
    values = document.get(name)
    return tuple(text for text in values if isinstance(text, str)) if isinstance(values, list) else ()
