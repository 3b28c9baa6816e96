"""Papers from arXiv: the objects of its metadata dump, "arxiv-metadata-oai-snapshot", and, in the same form, its XML:
Atom entries from the search API, and arXivRaw records from OAI-PMH.

The element `acm-class` is not read: arXiv's server writes the MSC class into it.
"""

import datetime
import re
from dataclasses import replace
from email.utils import format_datetime, parsedate_to_datetime
from xml.etree.ElementTree import Element

from pathfinder.corpus.schemas.author_lists import CommaStyle, authors_in
from pathfinder.corpus.schemas.fields import Record, Unusable, clean, shorten, text_field
from pathfinder.corpus.schemas.tidy import hosted_paper, require
from pathfinder.corpus.schemas.xml import child_text
from pathfinder.text.author_names import parse_name
from pathfinder.types import Paper, Provenance

LICENCE = "CC0-1.0"
"""Licence of arXiv's metadata."""
ATOM = "{http://www.w3.org/2005/Atom}"
ARXIV = "{http://arxiv.org/schemas/atom}"
OAI = "{http://www.openarchives.org/OAI/2.0/}"
RAW = "{http://arxiv.org/OAI/arXivRaw/}"
_ADDRESS = re.compile(r"https?://arxiv\.org/abs/(?P<id>.+?)(?P<version>v\d+)?")
_WITHDRAWAL = "I"
"""Letter in a version's source type that marks the version as withdrawn."""
_IN_PARENTHESES = re.compile(r"\([^()]*\)")


def is_arxiv_record(record: Record) -> bool:
    """Return whether `record` has the fields that only arXiv's dump has."""
    return "authors_parsed" in record or "versions" in record


def arxiv_paper(record: Record) -> Paper:
    """Return the paper that `record` describes, dated by its first version. Raises `Unusable` with the reason."""
    arxiv_id = require(text_field(record, "id"), "no id")
    date = _first_version(record)
    fields = {
        "id": arxiv_id,
        "arxiv_id": arxiv_id,
        "title": record.get("title"),
        "abstract": record.get("abstract"),
        "authors": _authors(record),
        "date": date.isoformat() if date else None,
        "journal": record.get("journal-ref"),
        "categories": record.get("categories"),
        "doi": record.get("doi"),
    }
    versions = record.get("versions")
    last = versions[-1] if isinstance(versions, list) and versions else None
    name = last.get("version") if isinstance(last, dict) else None
    return hosted_paper(fields, "arxiv", arxiv_id, name if isinstance(name, str) else None, LICENCE)


def _first_version(record: Record) -> datetime.date | None:
    """Return the day of version 1; `update_date` is the day of the last change, and says nothing about the first
    version.
    """
    versions = record.get("versions")
    if not versions:
        return None
    records = [version for version in versions if isinstance(version, dict)] if isinstance(versions, list) else []
    first = next((version for version in records if version.get("version") == "v1"), records[0] if records else None)
    creation_time = first.get("created") if isinstance(first, dict) else None
    if not isinstance(creation_time, str):
        raise Unusable(f"versions must be a list of objects with `created`, got {shorten(versions)}")
    try:
        return parsedate_to_datetime(creation_time).date()
    except ValueError:
        raise Unusable(
            f"not a valid date: {shorten(creation_time)} is not a weekday, a date and a time in GMT"
        ) from None


def _authors(record: Record) -> list[str]:
    """Return names as "Last, First" or "Last, First, Jr": the dump lists the parts of a name separately."""
    name_lists = record.get("authors_parsed")
    if name_lists is None:
        return []
    if not isinstance(name_lists, list) or not all(
        isinstance(name, list) and all(isinstance(part, str) for part in name) for name in name_lists
    ):
        raise Unusable(f"authors_parsed must be a list of lists of strings, got {shorten(name_lists)}")
    names = (", ".join(part for part in map(clean, name[:3]) if part) for name in name_lists)
    return [name for name in names if name]


def atom_record(entry: Element) -> Record:
    """Return an entry from the search API as a record."""
    address = child_text(entry, f"{ATOM}id") or ""
    parts = _ADDRESS.fullmatch(address)
    names = [child_text(author, f"{ATOM}name") for author in entry.findall(f"{ATOM}author")]
    return {
        "id": parts["id"] if parts else None,
        "version": parts["version"] if parts else None,
        "title": child_text(entry, f"{ATOM}title"),
        "abstract": child_text(entry, f"{ATOM}summary"),
        "author_names": [last_name_first(name) for name in names if name],
        "categories": " ".join(category.get("term", "") for category in entry.findall(f"{ATOM}category")),
        "created": child_text(entry, f"{ATOM}published"),
        "updated": child_text(entry, f"{ATOM}updated"),
        "doi": child_text(entry, f"{ARXIV}doi"),
        "journal-ref": child_text(entry, f"{ARXIV}journal_ref"),
        "comments": child_text(entry, f"{ARXIV}comment"),
    }


def oai_record(record: Element) -> Record:
    """Return an OAI-PMH record, in the format arXivRaw, as a record. Raises `Unusable` if it has no metadata."""
    datestamp = child_text(record, f"{OAI}header/{OAI}datestamp")
    raw = record.find(f"{OAI}metadata/{RAW}arXivRaw")
    if raw is None:
        raise Unusable(f"no metadata in the format arXivRaw (id {shorten(oai_identifier(record))})")
    versions = [
        {
            "version": version.get("version", ""),
            "created": child_text(version, f"{RAW}date") or "",
            "source_type": child_text(version, f"{RAW}source_type") or "",
        }
        for version in raw.findall(f"{RAW}version")
    ]
    names = ("id", "title", "abstract", "categories", "doi", "journal-ref", "comments", "license")
    return {
        **{name: child_text(raw, f"{RAW}{name}") for name in names},
        "author_names": list(split_authors(child_text(raw, f"{RAW}authors") or "")),
        "versions": versions,
        "version": versions[-1]["version"] if versions else None,
        "withdrawn": bool(versions) and _WITHDRAWAL in versions[-1]["source_type"],
        "datestamp": datestamp,
    }


def oai_identifier(record: Element) -> str | None:
    """Return the identifier in the header of an OAI-PMH record, such as "oai:arXiv.org:2408.01556"."""
    return child_text(record, f"{OAI}header/{OAI}identifier")


def split_authors(text: str) -> tuple[str, ...]:
    """Return the names in a list such as "A. Smith (MIT), C. van Dyk and the X Collaboration", without affiliations."""
    before, plain = None, text
    while plain != before:
        before, plain = plain, _IN_PARENTHESES.sub(" ", plain)
    return tuple(map(last_name_first, authors_in(" ".join(plain.replace(":", ",").split()), CommaStyle(n_lists=1))))


def last_name_first(name: str) -> str:
    """Return "van Dyk, C." for "C. van Dyk"; names of groups stay as they are."""
    parts = parse_name(name)
    return ", ".join(filter(None, (parts.last, parts.first, parts.suffix)))


def arxiv_xml_paper(record: Record) -> Paper:
    """Return the paper that a record made by this module describes. Raises `Unusable` with the reason."""
    paper = arxiv_paper(_in_dump_form(record))
    names = record.get("author_names")
    is_withdrawn = record.get("withdrawn") is True
    return replace(
        paper,
        authors=tuple(clean(name) for name in names if isinstance(name, str)) if isinstance(names, list) else (),
        preprint_date=paper.date,
        status="withdrawn" if is_withdrawn else None,
        status_from="arxiv" if is_withdrawn else None,
        provenance=(Provenance("arxiv", paper.paper_id, text_field(record, "version"), licence=LICENCE),),
    )


def _in_dump_form(record: Record) -> Record:
    """Return the record with the day of its first version in the form that the dump uses."""
    if record.get("versions"):
        return record
    creation_time = text_field(record, "created")
    if creation_time is None:
        return record
    try:
        moment = datetime.datetime.fromisoformat(creation_time)
    except ValueError:
        raise Unusable(f"not a valid date: {shorten(creation_time)} is not a date and time") from None
    return {**record, "versions": [{"version": "v1", "created": format_datetime(moment)}]}
