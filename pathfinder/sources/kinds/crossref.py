"""Crossref: the works that match a filter (https://api.crossref.org); after the first reading, only those that have
changed.
"""

from collections.abc import Iterator

from pathfinder.corpus.schemas.crossref import LICENCE, crossref_paper
from pathfinder.errors import UsageError
from pathfinder.settings import Settings
from pathfinder.sources.http.host import Host
from pathfinder.sources.http.pace import host_day
from pathfinder.sources.json_pages import end_of_page, json_object, list_of, object_of, whole_number
from pathfinder.sources.kind import Access, Row, SourceKind, Window
from pathfinder.sources.listing import Listing, read_listing
from pathfinder.sources.page_store import RecordPage
from pathfinder.sources.spec import SourceSpec

_PAGE = 500
_FIRST = "*"


def crossref_host(settings: Settings) -> Host:
    """Return Crossref as a host."""
    # Pages are not stored by address: Crossref may repeat its cursor, so that several pages share an address.
    return Host(
        "Crossref",
        settings.crossref_url or "https://api.crossref.org",
        "PATHFINDER_CROSSREF_URL",
        pace_seconds=1.0,
    )


def open_crossref(spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:
    """Yield the works that match a filter and were published within the window; after the first reading, only those
    that Crossref has indexed since.
    """
    size = min(window.max_papers or _PAGE, _PAGE)
    since = [f"from-pub-date:{window.since}"] if window.since else []
    until = [f"until-pub-date:{window.until}"] if window.until else []
    index_date = [f"from-index-date:{access.memory.last}"] if access.memory.last else []
    query: dict[str, str | int] = {"filter": ",".join([spec.rest, *since, *until, *index_date]), "rows": size}
    listing = Listing(
        crossref_host(access.settings),
        lambda cursor: ("v1/works", {**query, "cursor": _own_cursor(cursor)[1]}),
        lambda reply, cursor: _read(reply.content, cursor, host_day(reply.headers, access.today).isoformat()),
        crossref_paper,
        "DOI",
    )
    return read_listing(listing, spec, window, access)


def _own_cursor(cursor: str | None) -> tuple[int, str]:
    """Split our cursor for a page into the number of works before the page and Crossref's own cursor."""
    number, _, theirs = (cursor or f"0 {_FIRST}").partition(" ")
    return int(number), theirs


def _read(content: bytes, cursor: str | None, day: str) -> RecordPage:
    """Read a page. Raises `ValueError` if it is not from Crossref, or is empty although more works are expected."""
    message = object_of(json_object(content), "message")
    works, total = list_of(message, "items"), whole_number(message, "total-results")
    if total is None:
        raise ValueError("JSON without total-results")
    end = end_of_page(_own_cursor(cursor)[0], len(works), total)
    theirs = message.get("next-cursor")
    if end < total and not isinstance(theirs, str):
        raise ValueError(f"no next-cursor after {end} of {total} works")
    # Crossref repeats its cursor from page to page, so our cursor includes the number of works before the page.
    return RecordPage(works, f"{end} {theirs}" if end < total else None, total, state=day)


def _check(rest: str) -> None:
    if ":" not in rest:
        raise UsageError(f"crossref: needs a filter NAME:VALUE, such as crossref:issn:0004-637X, got {rest!r}")


CROSSREF = SourceKind(
    scheme="crossref",
    label="Crossref",
    form="crossref:FILTER",
    examples=("crossref:issn:0004-637X", "crossref:prefix:10.1103,type:journal-article"),
    gives="titles, some abstracts, authors, dates, venues, DOIs, references with DOIs, citation counts, retractions",
    terms="Metadata are CC0; publishers may have their own terms for abstracts.",
    cost="none; set PATHFINDER_CONTACT to be served faster",
    open=open_crossref,
    check=_check,
    licence=LICENCE,
)
