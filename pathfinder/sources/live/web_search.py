"""A web search as a live source: any server, named in the settings, that returns a list of pages as JSON."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

from pathfinder.corpus.schemas.fields import Record, Unusable, clean, shorten, text_field, value_field
from pathfinder.corpus.schemas.markup import without_markup
from pathfinder.corpus.schemas.tidy import require
from pathfinder.errors import UsageError
from pathfinder.settings import Settings
from pathfinder.sources.http.host import Credential, Host
from pathfinder.sources.json_pages import json_object
from pathfinder.sources.live.live_search import LiveSearch, Parameters
from pathfinder.text.identifiers import Identifier, IdentifierKind, identifiers_in
from pathfinder.types import LiveSource, Paper, Provenance

MAX_QUESTION = 300
"""Maximum number of characters of a question that are sent."""

_FIELD_OF = {IdentifierKind.ARXIV: "arxiv_id", IdentifierKind.DOI: "doi", IdentifierKind.BIBCODE: "bibcode"}


def _host(settings: Settings) -> Host:
    address = settings.web_search_url
    if not address:
        raise UsageError("has no address: set PATHFINDER_WEB_SEARCH_URL")
    key = Credential(
        "PATHFINDER_WEB_SEARCH_KEY", settings.web_search_key, header=settings.web_search_key_header.strip()
    )
    return Host("web search", address.partition("?")[0], "PATHFINDER_WEB_SEARCH_URL", 0.1, credential=key)


def _ask(question: str, _: int, settings: Settings) -> tuple[str, Parameters]:
    own = (settings.web_search_url or "").partition("?")[2]
    return "", dict([*parse_qsl(own), (settings.web_search_parameter, question[:MAX_QUESTION])])


def _read(content: bytes, settings: Settings) -> Sequence[Record]:
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
    identifiers = {_FIELD_OF[entry.kind]: _identifier(entry) for entry in reversed(identifiers_in(address))}
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


def _identifier(entry: Identifier) -> str:
    return (
        entry.key if entry.kind is IdentifierKind.ARXIV else entry.text
    )  # The key of an arXiv id does not contain a version.


WEB = LiveSearch(LiveSource.WEB, "PATHFINDER_WEB_SEARCH_KEY", _host, _ask, _read, web_paper)
