"""Semantic Scholar: the papers that match a query (https://api.semanticscholar.org/api-docs/graph)."""

from collections.abc import Iterator

from pathfinder.corpus.schemas.fields import text_field
from pathfinder.corpus.schemas.semantic_scholar import FIELDS, semantic_scholar_paper
from pathfinder.errors import UsageError
from pathfinder.settings import Settings
from pathfinder.sources.http.host import Credential, Host
from pathfinder.sources.json_pages import json_object, list_of, whole_number
from pathfinder.sources.kind import Access, Row, SourceKind, Window
from pathfinder.sources.page_store import Page
from pathfinder.sources.spec import SourceSpec


def semantic_scholar_host(settings: Settings) -> Host:
    """Return Semantic Scholar with the key in `settings`, if there is one; all users without a key share one limit."""
    return Host(
        "Semantic Scholar",
        settings.semantic_scholar_url or "https://api.semanticscholar.org",
        "PATHFINDER_SEMANTIC_SCHOLAR_URL",
        pace_seconds=1.0,
        credential=Credential("SEMANTIC_SCHOLAR_API_KEY", settings.semantic_scholar_api_key, header="x-api-key"),
    )


def open_semantic_scholar(spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:
    """Yield the papers of a query that were published within the window, 1,000 to a page."""
    from pathfinder.sources.http.web import Fetched
    from pathfinder.sources.listing import Listing, read_listing

    query: dict[str, str | int] = {"query": spec.rest, "fields": FIELDS}
    if window.since or window.until:
        query["publicationDateOrYear"] = f"{window.since or ''}:{window.until or ''}"

    def read(fetched: Fetched, cursor: str | None) -> Page:
        return _read(fetched.content, cursor)

    listing = Listing(
        semantic_scholar_host(access.settings),
        lambda cursor: ("graph/v1/paper/search/bulk", query if cursor is None else {**query, "token": cursor}),
        read,
        semantic_scholar_paper,
        lambda record: text_field({"id": str(record.get("corpusId") or "")}, "id"),
    )
    return read_listing(listing, spec, window, access)


def _read(content: bytes, token: str | None) -> Page:
    """Read a page. Raises `ValueError` if it is not Semantic Scholar's, names itself as the next page, or is empty in
    mid-list.
    """
    reply = json_object(content)
    papers, following = list_of(reply, "data"), reply.get("token")
    if following is not None and (not isinstance(following, str) or following == token):
        raise ValueError("a page that names itself as the next")
    if following is not None and not papers:
        raise ValueError("an empty page in the middle of the list")
    return Page(papers, following, whole_number(reply, "total"))


def _check(rest: str) -> None:
    if not rest.strip():
        raise UsageError('semanticscholar: needs a query, such as semanticscholar:"dust lanes" + galaxies')


SEMANTIC_SCHOLAR = SourceKind(
    scheme="semanticscholar",
    label="Semantic Scholar",
    form="semanticscholar:QUERY",
    examples=('semanticscholar:"dust lanes" + galaxies', "semanticscholar:exoplanet + (transit | occultation)"),
    gives="titles, abstracts (none from Springer), authors, dates, venues, DOIs, arXiv and PubMed ids, citation counts",
    terms="Used under the licence that comes with your own key; records are not to be passed on.",
    cost="none; one request a second with a key, and a limit shared by everybody without one",
    open=open_semantic_scholar,
    check=_check,
    key="SEMANTIC_SCHOLAR_API_KEY",
    may_be_shared=False,
)
