"""arXiv's search API: the papers that match a query, oldest first.

Manual: https://info.arxiv.org/help/api/user-manual.html; terms: https://info.arxiv.org/help/api/tou.html.
"""

from collections.abc import Iterator

from pathfinder.corpus.schemas.arxiv import ATOM, LICENCE, arxiv_xml_paper, atom_record
from pathfinder.corpus.schemas.xml import child_text, parse_xml
from pathfinder.errors import ProviderError, UsageError
from pathfinder.settings import Settings
from pathfinder.sources.http.host import Host
from pathfinder.sources.json_pages import end_of_page
from pathfinder.sources.kind import Access, Row, SourceKind, Window
from pathfinder.sources.listing import Listing, read_listing
from pathfinder.sources.page_store import RecordPage
from pathfinder.sources.spec import SourceSpec

_PAGE, _MOST = 2000, 30_000
"""Limits of the API: entries per page, and entries per query."""
_OPENSEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"

PACE_SECONDS = 3.0
"""arXiv's terms of use: one request every three seconds, over one connection, for all of a user's machines together."""


def arxiv_host(settings: Settings) -> Host:
    """Return the host of arXiv's search API."""
    return Host(
        "arXiv",
        settings.arxiv_url or "https://export.arxiv.org",
        "PATHFINDER_ARXIV_URL",
        PACE_SECONDS,
        first_wait_seconds=30.0,
        cache_seconds=3600.0,
    )


def open_arxiv(spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:
    """Yield the papers that match a query and were submitted within the window. Raises `ProviderError` if the query is
    refused or matches more papers than the API returns.
    """
    words, size = spec.rest, min(window.max_papers or _PAGE, _PAGE)
    if window.since or window.until:
        first = f"{window.since:%Y%m%d}0000" if window.since else "199101010000"
        last = f"{window.until:%Y%m%d}2359" if window.until else "299912312359"
        words = f"({words}) AND submittedDate:[{first} TO {last}]"
    query = {"search_query": words, "sortBy": "submittedDate", "sortOrder": "ascending"}
    listing = Listing(
        arxiv_host(access.settings),
        lambda cursor: ("api/query", {**query, "start": int(cursor or 0), "max_results": size}),
        lambda reply, cursor: read_feed(reply.content, int(cursor or 0), window.max_papers),
        arxiv_xml_paper,
        "id",
    )
    return read_listing(listing, spec, window, access)


def read_feed(content: bytes, start: int, most: int | None) -> RecordPage:
    """Read the page that begins at entry `start`; `most` papers are wanted in all. Raises `ProviderError` for a refused
    query, and `ValueError` for a page that cannot be used, such as an empty one in the middle of the list, which may
    have entries if fetched again.
    """
    feed = parse_xml(content)
    if feed.tag != f"{ATOM}feed":
        raise ValueError("XML that is not an Atom feed")
    entries = feed.findall(f"{ATOM}entry")
    for entry in entries:
        if "/api/errors" in (child_text(entry, f"{ATOM}id") or ""):
            raise ProviderError(f"arXiv refused the query ({child_text(entry, f'{ATOM}summary')}): correct the source")
    total = int(child_text(feed, f"{_OPENSEARCH}totalResults") or 0)
    if total > _MOST and (most is None or most > _MOST):
        raise ProviderError(
            f"the query matches {total} papers, but arXiv's search returns only {_MOST}: narrow it with --since and "
            "--until, or harvest the category, such as oai:physics:astro-ph:GA"
        )
    end = end_of_page(start, len(entries), total)
    return RecordPage(tuple(map(atom_record, entries)), str(end) if end < total else None, total)


def _check(rest: str) -> None:
    if not rest.strip():
        raise UsageError("arxiv: needs a query, such as arxiv:cat:astro-ph.GA or arxiv:au:Hubble_E")


ARXIV = SourceKind(
    scheme="arxiv",
    label="arXiv search",
    form="arxiv:QUERY",
    examples=("arxiv:cat:astro-ph.GA", "arxiv:au:Hubble_E AND ti:nebula"),
    gives="titles, abstracts, authors, dates of first versions, categories, DOIs, journal references",
    terms="Metadata are CC0; one request every 3 s; up to 30,000 papers per query.",
    cost="none",
    open=open_arxiv,
    check=_check,
    licence=LICENCE,
)
