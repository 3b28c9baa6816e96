"""The live sources that serve papers: arXiv, OpenAlex, Semantic Scholar and NASA ADS, each through its relevance
search; and a web search, any server, named in the settings, that returns a list of pages as JSON.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from pathfinder.corpus.schemas.ads import ads_paper
from pathfinder.corpus.schemas.arxiv import arxiv_xml_paper
from pathfinder.corpus.schemas.fields import Record, Unusable, clean, shorten, text_field, value_field
from pathfinder.corpus.schemas.markup import without_markup
from pathfinder.corpus.schemas.openalex import openalex_paper
from pathfinder.corpus.schemas.semantic_scholar import FIELDS as SEMANTIC_SCHOLAR_FIELDS
from pathfinder.corpus.schemas.semantic_scholar import semantic_scholar_paper
from pathfinder.corpus.schemas.tidy import require
from pathfinder.errors import UsageError
from pathfinder.index.words import QUESTION_STOP_WORDS, words
from pathfinder.settings import Settings
from pathfinder.sources import ads_lookup
from pathfinder.sources.http.host import Credential, Host
from pathfinder.sources.json_pages import json_object, list_of
from pathfinder.sources.kinds import arxiv, openalex
from pathfinder.sources.kinds.semantic_scholar import semantic_scholar_host
from pathfinder.text.identifiers import IdentifierKind, identifiers_in
from pathfinder.types import LiveSource, Paper, Provenance

MAX_WORDS = 30
"""Maximum number of words from a question that are sent to a host; a pasted abstract has hundreds. With only 12 words,
a source that ranks by BM25 finds the right paper less often (`benchmarks/README.md`).
"""

Parameters = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class LiveSearch:
    """The search of one host."""

    name: LiveSource
    key: str | None
    """Environment variable that holds its key; `None` if it needs none."""
    host: Callable[[Settings], Host]
    """Returns the host. Raises `MissingKey` or `UsageError` if the settings do not allow it to be queried."""
    request: Callable[[str, int, Settings], tuple[str, Parameters]]
    """Returns the path and parameters for a question and a number of papers."""
    read: Callable[[bytes, Settings], Sequence[Record]]
    """Returns the records in a reply, best first. Raises `ValueError` for content that it cannot use."""
    to_paper: Callable[[Record], Paper]
    """Turns a record into a paper. Raises `Unusable` with the reason."""


def question_words(question: str) -> list[str]:
    """Return the first words of a question that say what it is about, in lower case and without duplicates."""
    telling = [word for word in words(question) if word not in QUESTION_STOP_WORDS]
    return list(dict.fromkeys(telling or words(question)))[:MAX_WORDS]


_ADS_FIELDS = (
    "bibcode,title,abstract,author,year,pubdate,pub,arxiv_class,keyword,citation_count,doi,identifier,property,doctype"
)


def _read_semantic_scholar(content: bytes, _: Settings) -> Sequence[Record]:
    reply = json_object(content)
    return () if reply.get("total") == 0 else list_of(reply, "data")  # Without a match there may be no list.


ARXIV = LiveSearch(
    LiveSource.ARXIV,
    None,
    arxiv.arxiv_host,
    lambda question, n, _: (
        "api/query",
        {
            "search_query": " OR ".join(f"all:{word}" for word in question_words(question)),
            "start": 0,
            "max_results": n,
            "sortBy": "relevance",
        },
    ),
    lambda content, _: arxiv.read_feed(content, 0, 1).records,
    arxiv_xml_paper,
)
OPENALEX = LiveSearch(
    LiveSource.OPENALEX,
    "OPENALEX_API_KEY",
    openalex.openalex_host,
    lambda question, n, _: (
        "works",
        # Without OR, a work must contain every word.
        {"search": " OR ".join(question_words(question)), "select": openalex.FIELDS, "per_page": n},
    ),
    lambda content, _: list_of(json_object(content), "results"),
    openalex_paper,
)
SEMANTIC_SCHOLAR = LiveSearch(
    LiveSource.SEMANTIC_SCHOLAR,
    "SEMANTIC_SCHOLAR_API_KEY",
    semantic_scholar_host,
    lambda question, n, _: (
        "graph/v1/paper/search",
        {"query": " ".join(question_words(question)), "fields": SEMANTIC_SCHOLAR_FIELDS, "limit": n},
    ),
    _read_semantic_scholar,
    semantic_scholar_paper,
)
ADS = LiveSearch(
    LiveSource.ADS,
    "ADS_API_TOKEN",
    ads_lookup.ads_host,
    lambda question, n, _: (
        ads_lookup.PATH,
        {"q": f"abs:({' OR '.join(question_words(question))})", "fl": _ADS_FIELDS, "rows": n},
    ),
    lambda content, _: ads_lookup.ads_documents(content),
    ads_paper,
)


MAX_QUESTION = 300
"""Maximum number of characters of a question that are sent."""

_FIELD_OF = {IdentifierKind.ARXIV: "arxiv_id", IdentifierKind.DOI: "doi", IdentifierKind.BIBCODE: "bibcode"}


def _web_host(settings: Settings) -> Host:
    address = settings.web_search_url
    if not address:
        raise UsageError("has no address: set PATHFINDER_WEB_SEARCH_URL")
    key = Credential(
        "PATHFINDER_WEB_SEARCH_KEY", settings.web_search_key, header=settings.web_search_key_header.strip()
    )
    return Host("web search", address.partition("?")[0], "PATHFINDER_WEB_SEARCH_URL", 0.1, credential=key)


def _ask_web(question: str, _: int, settings: Settings) -> tuple[str, Parameters]:
    own = (settings.web_search_url or "").partition("?")[2]
    return "", dict([*parse_qsl(own), (settings.web_search_parameter, question[:MAX_QUESTION])])


def _read_web(content: bytes, settings: Settings) -> Sequence[Record]:
    """Return the pages in a reply, with Pathfinder's names for their fields."""
    pages = _at(json_object(content), settings.web_search_list)
    if not isinstance(pages, list):
        raise ValueError(f"JSON without a list of {settings.web_search_list}")
    names = (settings.web_search_title, settings.web_search_text, settings.web_search_address)
    return [dict(zip(("title", "text", "address"), (_at(page, name) for name in names), strict=True)) for page in pages]


def _at(value: Any, path: str) -> Any:
    """Return the value at a path such as "web.results"; `None` if there is none."""
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def web_paper(record: Record) -> Paper:
    """Return a web page as a paper; its text is the search engine's excerpt. Raises `Unusable` for a page without a
    title or a web address. An arXiv id, DOI or bibcode in the address becomes the paper's own.
    """
    address = require(text_field(record, "address"), "no address")
    if not address.startswith(("http://", "https://")):
        raise Unusable(f"a web address must begin with http:// or https://, got {shorten(address)}")
    identifiers = {  # the key of an arXiv id does not contain a version
        _FIELD_OF[entry.kind]: (entry.key if entry.kind is IdentifierKind.ARXIV else entry.text)
        for entry in reversed(identifiers_in(address))
    }
    number = hashlib.sha256(address.encode()).hexdigest()[:16]
    return Paper(
        paper_id=f"web:{number}",
        title=require(clean(without_markup(text_field(record, "title") or "")), "no title"),
        abstract=value_field(record, "text") or "",
        is_summary=True,
        other_ids=(f"url:{address}",),
        provenance=(Provenance("web", address),),
        **identifiers,  # type: ignore[arg-type]
    )


WEB = LiveSearch(LiveSource.WEB, "PATHFINDER_WEB_SEARCH_KEY", _web_host, _ask_web, _read_web, web_paper)
