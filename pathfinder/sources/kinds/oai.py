"""arXiv's OAI-PMH: all papers in a set; after the first reading, only those that have changed.

Protocol: https://www.openarchives.org/OAI/openarchivesprotocol.html; sets: https://info.arxiv.org/help/oa/index.html.
The first reading requests all records, or those since `--since`. In later readings, `from` is the day of the host's
first reply in the previous reading: that day is read again, since records may have been added to it later. `from`
selects by day of modification, never by day of submission, so `--until` is applied here.
"""

import datetime
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from pathfinder.corpus.schemas.arxiv import LICENCE, OAI, arxiv_xml_paper, oai_identifier, oai_record
from pathfinder.corpus.schemas.fields import Record, Unusable, text_field
from pathfinder.corpus.schemas.xml import child_text, parse_xml
from pathfinder.errors import ProviderError, UsageError
from pathfinder.settings import Settings
from pathfinder.sources.http.host import Host
from pathfinder.sources.json_pages import next_cursor
from pathfinder.sources.kind import Access, Row, SourceKind, Window
from pathfinder.sources.kinds.arxiv import PACE_SECONDS
from pathfinder.sources.listing import CursorExpired, Listing, read_listing
from pathfinder.sources.page_store import RecordPage
from pathfinder.sources.spec import SourceSpec
from pathfinder.types import Paper
from pathfinder.types.texts import one_line

_TOKEN, _FROM = "token:", "from:"
_FAULT = "fault"


def oai_host(settings: Settings) -> Host:
    """Return the host of arXiv's OAI-PMH."""
    return Host(
        "arXiv (OAI-PMH)",
        settings.oai_url or "https://oaipmh.arxiv.org",
        "PATHFINDER_OAI_URL",
        PACE_SECONDS,
        first_wait_seconds=30.0,
    )


def open_oai(spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:
    """Yield the papers in a set that have changed since the last reading, or since the beginning of the window."""
    first_day = access.memory.last or (window.since.isoformat() if window.since else None)

    def request(cursor: str | None) -> tuple[str, dict[str, str | int]]:
        if cursor and cursor.startswith(_TOKEN):
            return "oai", {"verb": "ListRecords", "resumptionToken": cursor.removeprefix(_TOKEN)}
        day = cursor.removeprefix(_FROM) if cursor else first_day
        query: dict[str, str | int] = {"verb": "ListRecords", "metadataPrefix": "arXivRaw", "set": spec.rest}
        return "oai", {**query, "from": day} if day else query

    listing = Listing(
        oai_host(access.settings),
        request,
        lambda reply, cursor: _read(reply.content, cursor),
        _paper,
        "id",
        restart=_restart,
    )
    return read_listing(listing, spec, window, access)


def _read(content: bytes, cursor: str | None) -> RecordPage:
    """Read a page of the list; if the host replies that no record matches, that is an empty page, not an error."""
    root = parse_xml(content)
    if root.tag != f"{OAI}OAI-PMH":
        raise ValueError("XML that is not an OAI-PMH reply")
    day = (child_text(root, f"{OAI}responseDate") or "")[:10]
    datetime.date.fromisoformat(day)
    error = root.find(f"{OAI}error")
    if error is not None:
        code = error.get("code")
        if code == "noRecordsMatch":
            return RecordPage((), state=day)
        if code == "badResumptionToken":
            raise CursorExpired
        words = one_line("".join(error.itertext()))
        raise ProviderError(f"arXiv (OAI-PMH) refused the request ({code}: {words}): correct the source")
    record_list = root.find(f"{OAI}ListRecords")
    if record_list is None:
        raise ValueError("a reply without ListRecords")
    token = child_text(record_list, f"{OAI}resumptionToken")
    records = tuple(map(_plain_record, record_list.findall(f"{OAI}record")))
    following = next_cursor({"next": token and f"{_TOKEN}{token}"}, "next", cursor, records)
    return RecordPage(records, following, state=day)


def _plain_record(record: Element) -> Record:
    """Return a record as plain data; for a record that cannot be used, return its identifier and the reason."""
    try:
        return oai_record(record)
    except Unusable as reason:
        return {"id": oai_identifier(record), _FAULT: str(reason)}


def _paper(record: Record) -> Paper:
    fault = text_field(record, _FAULT)
    if fault is not None:
        raise Unusable(fault)
    return arxiv_xml_paper(record)


def _restart(pages: Iterable[RecordPage]) -> str | None:
    """Return a cursor that resumes, from the last day read, a list whose token has expired; `None` if the list is not
    in order of date and must therefore be read again from the start.
    """
    days = [str(record.get("datestamp")) for page in pages for record in page.records if record.get("datestamp")]
    return f"{_FROM}{days[-1]}" if days and days == sorted(days) else None


def _check(rest: str) -> None:
    parts = rest.split(":")
    if not 1 <= len(parts) <= 3 or not all(
        part and part.replace("-", "").replace("_", "").isalnum() for part in parts[:2]
    ):
        raise UsageError(f"oai: needs an arXiv set, such as oai:physics:astro-ph:GA or oai:cs:cs:AI, got {rest!r}")


OAI_PMH = SourceKind(
    scheme="oai",
    label="arXiv by OAI-PMH",
    form="oai:SET",
    examples=("oai:physics:astro-ph", "oai:physics:astro-ph:GA"),
    gives="everything from arXiv's search, plus dates of all versions, licences of papers, and withdrawals",
    terms="Metadata are CC0; one request every 3 s; meant for whole categories and updates.",
    cost="none",
    open=open_oai,
    check=_check,
    licence=LICENCE,
)
