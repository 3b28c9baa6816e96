"""Items from Zotero's API, version 3, in its own JSON format."""

import datetime
import re

from pathfinder.corpus.schemas.fields import YEAR, Record, clean, parse_date, text_field
from pathfinder.corpus.schemas.json_fields import inner, objects
from pathfinder.corpus.schemas.tidy import require
from pathfinder.text.identifiers import arxiv_id_in, bare_doi, bibcode_in, is_doi
from pathfinder.types import Paper, Provenance

_DAY = re.compile(r"\d{4}(?:-\d{2}){0,2}")
_NOT_PAPERS = frozenset({"attachment", "note", "annotation"})
_VENUES = ("publicationTitle", "proceedingsTitle", "bookTitle", "conferenceName", "university", "repository")


def is_paper_item(record: Record) -> bool:
    """Return whether an item describes something that was published, rather than an attachment, note or annotation."""
    return inner(record, "data").get("itemType") not in _NOT_PAPERS


def zotero_paper(record: Record) -> Paper:
    """Return the paper that an item describes. Raises `Unusable` with the reason if it describes none."""
    data = inner(record, "data")
    key = require(text_field(record, "key"), "no key")
    year, date = _when(record, data)
    extra = data.get("extra") if isinstance(data.get("extra"), str) else ""
    user_words = _words_by_label(str(extra))
    venue = text_field(data, *_VENUES)
    return Paper(
        paper_id=f"zotero-{key}",
        title=require(text_field(data, "title"), "no title"),
        abstract=text_field(data, "abstractNote") or "",
        authors=tuple(name for name in map(_author, objects(data, "creators")) if name),
        year=year,
        date=date,
        journal=" ".join(part for part in (venue, text_field(data, "volume"), text_field(data, "pages")) if part)
        or None,
        venue=venue,
        subjects=tuple(dict.fromkeys(tag for entry in objects(data, "tags") if (tag := text_field(entry, "tag")))),
        bibcode=bibcode_in(user_words.get("bibcode") or user_words.get("ads bibcode")),
        arxiv_id=arxiv_id_in(f"{text_field(data, 'archiveID') or ''}\n{extra}", is_marked=True),
        doi=bare_doi(text_field(data, "DOI"))
        or (doi if (doi := bare_doi(user_words.get("doi"))) and is_doi(doi) else None),
        pmid=pmid if (pmid := user_words.get("pmid")) and pmid.isdecimal() else None,
        provenance=(Provenance("zotero", key, text_field(record, "version")),),
    )


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


def _words_by_label(extra: str) -> dict[str, str]:
    """Return the first word after each label in the user's own lines, by the label in lower case: "DOI: 10.1086/1"."""
    parts = (line.partition(":") for line in extra.splitlines())
    return {label.strip().lower(): clean(words[0]) for label, _, value in parts if (words := value.split())}
