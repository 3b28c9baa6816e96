"""Zotero libraries, read from the program on this machine, or from zotero.org with a key
(https://www.zotero.org/support/dev).
"""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pathfinder.corpus.schemas.zotero import is_paper_item, zotero_paper
from pathfinder.errors import UsageError
from pathfinder.settings import Settings
from pathfinder.sources.http.host import MAX_BYTES, Credential, Host
from pathfinder.sources.json_pages import end_of_page, json_value
from pathfinder.sources.kind import Access, Row, SourceKind, Window
from pathfinder.sources.listing import Listing, read_listing
from pathfinder.sources.page_store import RecordPage
from pathfinder.sources.spec import SourceSpec

if TYPE_CHECKING:
    from pathfinder.sources.http.web import FetchReply

_PAGE = 100
_SWITCH_ON = (
    "in Zotero's settings, under Advanced, allow other applications on this computer to communicate with Zotero"
)
_REMOTE = re.compile(r"(?:users|groups)/\d+(?:/collections/[A-Z0-9]{8})?")
_LOCAL = re.compile(r"(?:collections/[A-Z0-9]{8})?")


def open_zotero(spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:
    """Yield the items of a library or a collection; after the first reading, only those that have changed."""
    is_local, settings = _LOCAL.fullmatch(spec.rest) is not None, access.settings
    remote_host = Host(
        "Zotero",
        settings.zotero_url or "https://api.zotero.org",
        "PATHFINDER_ZOTERO_URL",
        pace_seconds=0.2,
        credential=Credential("ZOTERO_API_KEY", settings.zotero_api_key, header="Zotero-API-Key"),
    )
    path = "/".join(part for part in ("api/users/0" if is_local else "", spec.rest, "items") if part)
    query: dict[str, str | int] = {"format": "json", "itemType": "-attachment", "limit": _PAGE}
    query |= {"sort": "dateAdded", "direction": "asc"}
    if access.memory.last:
        query["since"] = access.memory.last

    def read(reply: "FetchReply", cursor: str | None) -> RecordPage:
        start = int(cursor or 0)
        items = json_value(reply.content)
        if not isinstance(items, list):
            raise ValueError("JSON that is not a list of items")
        total_text = reply.headers.get("total-results", "")
        total = int(total_text) if total_text.isdecimal() and len(total_text) < 12 else start + len(items)
        end = end_of_page(start, len(items), total)
        # Notes, attachments and annotations are left out.
        papers = tuple(item for item in items if not isinstance(item, Mapping) or is_paper_item(item))
        return RecordPage(papers, str(end) if end < total else None, total, reply.headers.get("last-modified-version"))

    listing = Listing(
        local_zotero_host(settings) if is_local else remote_host,
        lambda cursor: (path, {**query, "start": int(cursor or 0)}),
        read,
        zotero_paper,
        "key",
    )
    return read_listing(listing, spec, window, access)


def local_zotero_host(settings: Settings) -> Host:
    """Return the program on this machine as a host."""
    return Host(
        "Zotero on this machine",
        settings.zotero_local_url or "http://127.0.0.1:23119",
        "PATHFINDER_ZOTERO_LOCAL_URL",
        pace_seconds=0.0,
        attempts=2,
        first_wait_seconds=1.0,
        max_bytes=4 * MAX_BYTES,  # All items are on one page.
        hint="start Zotero 7 or newer",
        refusal=lambda status, _content: _SWITCH_ON if status == 403 else None,
    )


def _check(rest: str) -> None:
    if not (_LOCAL.fullmatch(rest) or _REMOTE.fullmatch(rest)):
        raise UsageError(
            "zotero: stands for the library on this machine, zotero:collections/KEY for a collection in it, and "
            f"zotero:users/ID or zotero:groups/ID, with /collections/KEY if need be, for zotero.org; got {rest!r}"
        )


ZOTERO = SourceKind(
    scheme="zotero",
    label="Zotero",
    form="zotero: or zotero:users/ID/collections/KEY",
    examples=("zotero:", "zotero:users/475425/collections/9KH9TNSJ", "zotero:groups/4567"),
    gives="whatever the library contains: titles, abstracts, authors, dates, identifiers, tags",
    terms="A library is private: a corpus made from it must stay with its owner.",
    cost="none",
    open=open_zotero,
    check=_check,
    key="ZOTERO_API_KEY",
    key_opens_private=True,
    may_be_shared=False,
)
