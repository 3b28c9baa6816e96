"""Items from Zotero's API, version 3, in its own JSON format."""

import datetime
import re
from dataclasses import replace

from pathfinder.corpus.schemas.fields import YEAR, Record, clean, parse_date, text_field
from pathfinder.corpus.schemas.json_fields import inner, objects
from pathfinder.corpus.schemas.loose_fields import loose_date
from pathfinder.corpus.schemas.tidy import require, tidy_paper
from pathfinder.text.identifiers import arxiv_id_in, bare_doi, bibcode_in, is_doi
from pathfinder.types import Paper, Provenance

_DAY = re.compile(r"\d{4}(?:-\d{2}){0,2}")
NOT_PAPERS = frozenset({"attachment", "note", "annotation"})
"""Kinds of items that describe nothing that was published."""
_VENUES = ("publicationTitle", "proceedingsTitle", "bookTitle", "conferenceName", "university", "repository")
_LINE = re.compile(r"^[ \t]*((?:tex\.)?[A-Za-z][A-Za-z _-]{1,30}?)[ \t]*[:=][ \t]*(\S.*)$", re.MULTILINE)
_GAP = re.compile(r"[\s_-]+")
_LABELS = {
    "doi": "doi",
    "arxiv": "arxiv",
    "arxivid": "arxiv",
    "eprint": "arxiv",
    "bibcode": "bibcode",
    "ads bibcode": "bibcode",
    "citation key": "key",
    "citekey": "key",
    "publication title": "venue",
    "container title": "venue",
    "journal": "venue",
    "journaltitle": "venue",
    "booktitle": "venue",
    "issued": "date",
    "date": "date",
    "original date": "original date",
    "abstract": "abstract",
}
"""What a line of Extra gives, by its label: lower case, with spaces, without the "tex." of Better BibTeX."""
_PUBMED = {
    "pmid": re.compile(r"(?:^|[\n;]|PMC\d+\s)\s*PMID:?\s*(\d+)", re.IGNORECASE),
    "pmcid": re.compile(r"(?:^|[\n;]|\d\s)\s*PMCID:?\s*(PMC\d+)", re.IGNORECASE),
}
"""Numbers of PubMed, which Zotero writes beside each other where it joins the lines."""


def is_paper_item(record: Record) -> bool:
    """Return whether an item describes something that was published, rather than an attachment, note or annotation."""
    return inner(record, "data").get("itemType") not in NOT_PAPERS


def zotero_paper(record: Record) -> Paper:
    """Return the paper that an item describes. Raises `Unusable` with the reason if it describes none."""
    data = inner(record, "data")
    key = require(text_field(record, "key"), "no key")
    year, date = _when(record, data)
    extra = data.get("extra") if isinstance(data.get("extra"), str) else ""
    fields: Record = {
        "title": text_field(data, "title"),
        "abstract": text_field(data, "abstractNote"),
        "authors": [name for name in map(_author, objects(data, "creators")) if name],
        "year": year,
        "date": date and date.isoformat(),
        "venue": text_field(data, *_VENUES),
        "subjects": [tag for entry in objects(data, "tags") if (tag := text_field(entry, "tag"))],
        "arxiv_id": arxiv_id_in(text_field(data, "archiveID"), is_marked=True),
        "doi": bare_doi(text_field(data, "DOI")),
        "remarks": [str(extra)],
    }
    fields = with_extra(fields, extra)
    parts = (text_field(fields, "venue"), text_field(data, "volume"), text_field(data, "pages"))
    journal = " ".join(part for part in parts if part)
    paper = tidy_paper({**fields, "journal": journal, "id": f"zotero-{key}"})
    return replace(paper, provenance=(Provenance("zotero", key, text_field(record, "version")),))


def _when(record: Record, data: Record) -> tuple[int | None, datetime.date | None]:
    """Return the date as parsed by Zotero or, failing that, the year in the user's text, if there is only one."""
    parsed_date = text_field(inner(record, "meta"), "parsedDate")
    if parsed_date and _DAY.fullmatch(parsed_date):
        return parse_date(parsed_date)
    years = {int(year) for year in YEAR.findall(text_field(data, "date") or "")}
    return (years.pop() if len(years) == 1 else None), None


def _author(creator: Record) -> str | None:
    """Return "Last, First", or the name of a group; editors and translators do not count as authors."""
    if text_field(creator, "creatorType") not in (None, "author"):
        return None
    parts = [text_field(creator, "lastName"), text_field(creator, "firstName")]
    return ", ".join(part for part in parts if part) or text_field(creator, "name")


def with_extra(fields: Record, *texts: object) -> Record:
    """Return a record with the fields that it lacks taken from Zotero's field Extra, in which people and programs write
    lines such as "DOI: 10.1086/1", "Citation Key: smith2020", "tex.eprint: 2001.00001" or "arXiv:2001.00001 [cs]".

    Formats without such a field hold these lines in a note; a line with another label, or with none, is left alone.
    """
    found: dict[str, str] = {}
    for text in (str(text) for text in texts if text):
        for label, value in _LINE.findall(text):
            if name := _LABELS.get(_GAP.sub(" ", label.lower().removeprefix("tex."))):
                found.setdefault(name, clean(value))
        for name, pattern in _PUBMED.items():
            if match := pattern.search(text):
                found.setdefault(name, match[1])
        if arxiv_id := arxiv_id_in(text, is_marked=True):
            found.setdefault("arxiv", arxiv_id)
    doi = bare_doi(found.get("doi"))
    pmcid = found.get("pmcid")
    year, date = loose_date(found.get("date") or found.get("original date"))
    is_dated = fields.get("year") or fields.get("date")
    extra: dict[str, object] = {
        "doi": doi if doi and is_doi(doi) else None,
        "arxiv_id": arxiv_id_in(found.get("arxiv")),
        "bibcode": bibcode_in(found.get("bibcode")),
        "pmid": found.get("pmid"),
        "other_ids": [f"pmcid:{pmcid}"] if pmcid else None,
        "id": found.get("key"),
        "journal": found.get("venue"),
        "venue": found.get("venue"),
        "abstract": found.get("abstract"),
        "year": None if is_dated or not year else str(year),
        "date": None if is_dated else date,
    }
    return {**fields, **{name: value for name, value in extra.items() if value and not fields.get(name)}}
