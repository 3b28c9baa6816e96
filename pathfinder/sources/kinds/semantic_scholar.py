"""Semantic Scholar: the papers that match a query (https://api.semanticscholar.org/api-docs/graph)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pathfinder.corpus.schemas.semantic_scholar import FIELDS, REFERENCES, semantic_scholar_paper
from pathfinder.errors import UsageError
from pathfinder.settings import Settings
from pathfinder.sources.http.host import Credential, Host
from pathfinder.sources.json_pages import json_object, json_value, list_of, next_cursor, whole_number
from pathfinder.sources.kind import Access, Row, SourceKind, Window
from pathfinder.sources.listing import Listing, read_listing
from pathfinder.sources.page_store import RecordPage
from pathfinder.sources.spec import SourceSpec

if TYPE_CHECKING:
    from pathfinder.sources.http.web import FetchReply, Web

BATCH = "graph/v1/paper/batch"
PER_BATCH = 100
"""Number of papers whose references are fetched in one request, for which the host allows 500 papers but only 9,999
references.
"""


def semantic_scholar_host(settings: Settings) -> Host:
    """Return Semantic Scholar as a host, with the key in `settings` if there is one; all users without a key share one
    limit.
    """
    return Host(
        "Semantic Scholar",
        settings.semantic_scholar_url or "https://api.semanticscholar.org",
        "PATHFINDER_SEMANTIC_SCHOLAR_URL",
        pace_seconds=1.0,
        credential=Credential("SEMANTIC_SCHOLAR_API_KEY", settings.semantic_scholar_api_key, header="x-api-key"),
    )


def open_semantic_scholar(spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:
    """Yield the papers that match a query and were published within the window, 1,000 to a page.

    With their own key, users also get the references, which take one more request per 100 papers.
    """
    query: dict[str, str | int] = {"query": spec.rest, "fields": FIELDS}
    if window.since or window.until:
        query["publicationDateOrYear"] = f"{window.since or ''}:{window.until or ''}"
    has_key = access.settings.semantic_scholar_api_key is not None
    if not has_key:
        access.say("without a key, references are left out: set SEMANTIC_SCHOLAR_API_KEY to include them")
    listing = Listing(
        semantic_scholar_host(access.settings),
        lambda cursor: ("graph/v1/paper/search/bulk", query if cursor is None else {**query, "token": cursor}),
        lambda reply, cursor: _read(reply.content, cursor),
        semantic_scholar_paper,
        "corpusId",
        (lambda web, page: _with_references(web, page, window.max_papers)) if has_key else None,
    )
    return read_listing(listing, spec, window, access)


def _read(content: bytes, token: str | None) -> RecordPage:
    """Read a page. Raises `ValueError` if it is not from Semantic Scholar, names itself as the next page, or is empty
    in the middle of the list.
    """
    reply = json_object(content)
    papers = list_of(reply, "data")
    return RecordPage(papers, next_cursor(reply, "token", token, papers), whole_number(reply, "total"))


def _with_references(web: "Web", page: RecordPage, most: int | None) -> RecordPage:
    """Return `page` with references added to its first `most` papers; the search itself does not provide them."""
    names = [
        f"CorpusId:{record['corpusId']}"
        for record in page.records
        if isinstance(record, Mapping) and record.get("title") and isinstance(record.get("corpusId"), int)
    ][:most]
    replies_by_name: dict[str, Any] = {}
    for start in range(0, len(names), PER_BATCH):
        batch = names[start : start + PER_BATCH]
        replies = web.post(BATCH, {"fields": REFERENCES}, {"ids": batch}, partial(read_batch, n=len(batch)))
        replies_by_name |= zip(batch, replies, strict=True)
    return replace(page, records=tuple(_join(record, replies_by_name) for record in page.records))


def _join(record: Any, replies: Mapping[str, Any]) -> Any:
    reply = replies.get(f"CorpusId:{record.get('corpusId')}") if isinstance(record, Mapping) else None
    return {**record, "references": reply.get("references")} if isinstance(reply, Mapping) else record


def read_batch(reply: "FetchReply", n: int) -> list[Any]:
    """Read the records of `n` papers, with null for any that Semantic Scholar no longer has. Raises `ValueError` for
    anything else.
    """
    replies = json_value(reply.content)
    if not isinstance(replies, list) or len(replies) != n:
        raise ValueError(f"not a list of {n} papers")
    return replies


def _check(rest: str) -> None:
    if not rest.strip():
        raise UsageError('semanticscholar: needs a query, such as semanticscholar:"dust lanes" + galaxies')


SEMANTIC_SCHOLAR = SourceKind(
    scheme="semanticscholar",
    label="Semantic Scholar",
    form="semanticscholar:QUERY",
    examples=('semanticscholar:"dust lanes" + galaxies', "semanticscholar:exoplanet + (transit | occultation)"),
    gives="titles, abstracts (none from Springer), authors, dates, venues, DOIs, arXiv and PubMed ids, counts; "
    "references with your own key",
    terms="The licence that comes with your own key applies; records may not be passed on.",
    cost="none; one request a second with a key, and a limit shared by everyone without a key",
    open=open_semantic_scholar,
    check=_check,
    key="SEMANTIC_SCHOLAR_API_KEY",
    may_be_shared=False,
)
