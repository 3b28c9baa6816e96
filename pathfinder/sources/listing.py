"""Reads a list that a host serves page by page: stored pages first, then the others, each stored before it is used.

page store -> host -> page -> records -> papers within the window, each once
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from pathfinder.corpus.readers import RejectedRow
from pathfinder.corpus.schemas.fields import Record, Unusable, clean
from pathfinder.errors import UnusableReply, UsageError
from pathfinder.sources.http.host import Host
from pathfinder.sources.kind import Access, Row, Window
from pathfinder.sources.page_store import PageStore, RecordPage
from pathfinder.sources.spec import SourceSpec
from pathfinder.types import Paper

if TYPE_CHECKING:
    from pathfinder.sources.http.web import FetchReply, Web

MAX_RESTARTS = 3
"""Maximum number of times that reading may resume from an earlier place because the cursor has expired."""


class CursorExpired(Exception):
    """The host no longer accepts the cursor of a page."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of records at a host."""

    host: Host
    request: Callable[[str | None], tuple[str, Mapping[str, str | int]]]
    """Function that returns the path and the parameters of the page at a cursor (`None` for the first page)."""
    read: "Callable[[FetchReply, str | None], RecordPage]"
    """Function that reads the page at a cursor. Raises `CursorExpired`, or `ValueError` if the page cannot be used."""
    to_paper: Callable[[Record], Paper]
    """Function that turns a record into a paper. Raises `Unusable` with the reason."""
    id_field: str
    """Field with the id of a record, which names one that did not become a paper."""
    complete: "Callable[[Web, RecordPage], RecordPage] | None" = None
    """Function that adds to a page any data that require further requests."""
    restart: Callable[[Iterable[RecordPage]], str | None] | None = None
    """Function that returns, from the pages read so far, a cursor for resuming a list whose own cursor has expired."""


def read_listing(listing: Listing, spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:
    """Yield the rows of a list, each paper once, with at most as many papers as the window allows.

    Raises a `ProviderError` if the list cannot be read to its end; a second attempt resumes after the last page stored.
    """
    if not listing.host.address.startswith(("http://", "https://")):
        raise UsageError(f"{listing.host.variable} must begin with http:// or https://, got {listing.host.address!r}")
    return _rows(listing, spec, window, access)


def _rows(listing: Listing, spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:
    request = f"{spec} since {window.since} until {window.until} after {access.memory.last}"
    store = PageStore(access.folder, request)
    contents: dict[str, int] = {}
    number = n_papers = 0
    for place, page in enumerate(_pages(listing, store, access)):
        if place == 0:
            access.memory.next = page.state
            if page.total is not None:
                access.expect(min(page.total, window.max_papers or page.total))
        for record in page.records:
            number += 1
            try:
                row = dated_paper(record, listing.to_paper, date.fromisoformat(page.day))
            except Unusable as reason:
                record_id = clean(str(record.get(listing.id_field) or "")) if isinstance(record, Mapping) else ""
                yield number, RejectedRow(str(spec), number, str(reason), record_id or None)
                continue
            is_repeated, content = row.paper_id in contents, hash(replace(row, provenance=(), citations_on=None))
            if contents.setdefault(row.paper_id, content) != content:
                changed = "the record changed while the list was being read: an update will fetch the new version"
                yield number, RejectedRow(str(spec), number, changed, row.paper_id)
            elif not is_repeated and window.includes(row):
                n_papers += 1
                yield number, row
            if n_papers == window.max_papers:
                # The rest of the list has not been read: the next reading begins where this one began.
                access.memory.next = access.memory.last
                return


def _pages(listing: Listing, store: PageStore, access: Access) -> Iterator[RecordPage]:
    """Yield the stored pages, then fetch and store the others."""
    cursor, number, last = None, 0, None
    for last in store.pages():
        yield last
        number, cursor = number + 1, last.next
    if last is not None and cursor is None:
        return
    from pathfinder.sources.http.web import Web, surroundings_of

    cursors, n_restarts = {cursor}, 0
    with Web(listing.host, surroundings_of(access.settings, access.clock, access.say)) as web:
        while number == 0 or cursor is not None:
            try:
                page = _fetch(listing, web, cursor)
            except CursorExpired:
                if listing.restart is None or n_restarts == MAX_RESTARTS:
                    raise _dead_end(listing, "no longer accepts the cursor of the next page") from None
                cursor, n_restarts = listing.restart(store.pages()), n_restarts + 1
                cursors = {cursor}
                page = _fetch(listing, web, cursor)
            yield store.add(page, number, access.today)
            number, cursor = number + 1, page.next
            if cursor in cursors and cursor is not None:
                raise _dead_end(listing, "sent the same cursor twice")
            cursors.add(cursor)


def _fetch(listing: Listing, web: "Web", cursor: str | None) -> RecordPage:
    path, parameters = listing.request(cursor)
    page = web.get(path, parameters, lambda reply: listing.read(reply, cursor))
    return page if listing.complete is None else listing.complete(web, page)


def _dead_end(listing: Listing, fault: str) -> UnusableReply:
    return UnusableReply(
        f"{listing.host.name} {fault}, so the rest of the list cannot be read: remove the folder .fetched from "
        "the corpus and build again, in smaller pieces (--since, --until)"
    )


def dated_paper(record: object, to_paper: Callable[[Record], Paper], day: date) -> Paper:
    """Turn a record into a paper, with the day on which it was retrieved. Raises `Unusable` with the reason."""
    if not isinstance(record, Mapping):
        raise Unusable("not a JSON object")
    paper = to_paper(record)
    return replace(
        paper,
        provenance=tuple(replace(entry, retrieved=day) for entry in paper.provenance),
        citations_on=day if paper.citation_count is not None else None,
    )
