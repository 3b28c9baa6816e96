"""arXiv's XML as records in the form of its dump: Atom entries from the search API, and arXivRaw records from OAI-PMH.

The element `acm-class` is not read: arXiv's server writes the MSC class into it.
"""

import re
from dataclasses import replace
from datetime import datetime
from email.utils import format_datetime
from xml.etree.ElementTree import Element

from pathfinder.corpus.schemas.arxiv import arxiv_paper
from pathfinder.corpus.schemas.fields import Record, Unusable, clean, shorten, text_field
from pathfinder.corpus.schemas.xml import child_text
from pathfinder.text.author_names import SUFFIX, parse_name
from pathfinder.types import Paper, Provenance

ATOM = "{http://www.w3.org/2005/Atom}"
ARXIV = "{http://arxiv.org/schemas/atom}"
OAI = "{http://www.openarchives.org/OAI/2.0/}"
RAW = "{http://arxiv.org/OAI/arXivRaw/}"

LICENCE = "CC0-1.0"
"""Licence of arXiv's metadata."""

_ADDRESS = re.compile(r"https?://arxiv\.org/abs/(?P<id>.+?)(?P<version>v\d+)?")
_WITHDRAWAL = "I"
"""Letter in a version's source type that marks the version as withdrawn."""

_IN_PARENTHESES = re.compile(r"\([^()]*\)")
_SEPARATOR = re.compile(r"(?:(?<!\s)\s+)?(?:[,;:]|&|\band\b)\s*")


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
    names: list[str] = []
    for part in _SEPARATOR.split(plain):
        name = " ".join(part.split())
        if SUFFIX.fullmatch(name) and names:
            names[-1] += f", {name}"
        elif name and name.lower() not in {"et al", "et al."}:
            names.append(last_name_first(name))
    return tuple(dict.fromkeys(names))


def last_name_first(name: str) -> str:
    """Return "van Dyk, C." for "C. van Dyk"; names of groups stay as they are."""
    if "," in name:
        return name
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
        moment = datetime.fromisoformat(creation_time)
    except ValueError:
        raise Unusable(f"not a valid date: {shorten(creation_time)} is not a date and time") from None
    return {**record, "versions": [{"version": "v1", "created": format_datetime(moment)}]}
