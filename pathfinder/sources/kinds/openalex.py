"""OpenAlex: the works that match a filter (https://developers.openalex.org)."""

from collections.abc import Iterator

from pathfinder.corpus.schemas.openalex import LICENCE, openalex_paper
from pathfinder.errors import UsageError
from pathfinder.settings import Settings
from pathfinder.sources.http.host import Credential, Host
from pathfinder.sources.json_pages import json_object, list_of, next_cursor, object_of, whole_number
from pathfinder.sources.kind import Access, Row, SourceKind, Window
from pathfinder.sources.listing import Listing, read_listing
from pathfinder.sources.page_store import RecordPage
from pathfinder.sources.spec import SourceSpec

_PAGE = 100
FIELDS = (
    "id,doi,title,display_name,publication_date,publication_year,type,ids,primary_location,locations,authorships,"
    "abstract_inverted_index,referenced_works,keywords,topics,cited_by_count,is_retracted,updated_date"
)
_FIRST = "*"


def openalex_host(settings: Settings) -> Host:
    """Return OpenAlex as a host, with the key in `settings` if there is one."""
    return Host(
        "OpenAlex",
        settings.openalex_url or "https://api.openalex.org",
        "PATHFINDER_OPENALEX_URL",
        pace_seconds=0.1,
        cache_seconds=3600.0,
        credential=Credential("OPENALEX_API_KEY", settings.openalex_api_key, parameter="api_key"),
        refusal=_refusal,
    )


def open_openalex(spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:
    """Yield the works that match a filter and were published within the window."""
    size = min(window.max_papers or _PAGE, _PAGE)
    since = [f"from_publication_date:{window.since}"] if window.since else []
    until = [f"to_publication_date:{window.until}"] if window.until else []
    query: dict[str, str | int] = {"filter": ",".join([spec.rest, *since, *until]), "select": FIELDS, "per_page": size}
    listing = Listing(
        openalex_host(access.settings),
        lambda cursor: ("works", {**query, "cursor": cursor or _FIRST}),
        lambda reply, cursor: _read(reply.content, cursor or _FIRST),
        openalex_paper,
        "id",
    )
    return read_listing(listing, spec, window, access)


def _read(content: bytes, cursor: str) -> RecordPage:
    """Read a page. Raises `ValueError` if it is not from OpenAlex, names itself as the next page, or is empty in
    the middle of the list.
    """
    reply = json_object(content)
    works, meta = list_of(reply, "results"), object_of(reply, "meta")
    return RecordPage(works, next_cursor(meta, "next_cursor", cursor, works), whole_number(meta, "count"))


def _refusal(status: int, content: bytes) -> str | None:
    """Recognise an HTTP 429 that is not temporary: a refusal of a filter that is available only to paying users."""
    try:
        words = str(json_object(content).get("error", "")) if status == 429 else ""
    except ValueError:
        return None
    if "upgrade" in words.lower():
        return (
            "filtering and sorting by from_updated_date and from_created_date need a paid plan: leave them out of the "
            "source; waiting does not help"
        )
    return None


def _check(rest: str) -> None:
    if ":" not in rest:
        raise UsageError(
            f"openalex: needs a filter NAME:VALUE, such as openalex:primary_location.source.id:S1980519, got {rest!r}"
        )


OPENALEX = SourceKind(
    scheme="openalex",
    label="OpenAlex",
    form="openalex:FILTER",
    examples=("openalex:primary_location.source.id:S1980519", "openalex:topics.id:T10325,publication_year:2026"),
    gives="titles, most abstracts, up to 100 authors, dates, venues, ids, references, citation counts, retractions",
    terms="Data are CC0.",
    cost="a free key has $1 a day, and 1,000 pages of 100 works cost $0.10",
    open=open_openalex,
    check=_check,
    key="OPENALEX_API_KEY",
    needs_key=True,
    licence=LICENCE,
)
