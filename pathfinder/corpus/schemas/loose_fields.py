"""Fields of bibliographies, which people type by hand: an unreadable date is no reason to reject the paper."""

import datetime
import hashlib
import re

from pathfinder.corpus.schemas.fields import YEAR, Record, clean, text_field
from pathfinder.text.english import MONTHS

_DAY = re.compile(r"(?<!\d)([12]\d{3})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_WORDED_DAY = re.compile(r"([12]\d{3})[\s/,-]+([A-Za-z]{3})[a-z]*\.?[\s/,-]+(\d{1,2})(?!\d)")
_MONTHS = tuple(month[:3].lower() for month in MONTHS)
_ID_ORDER = ("arxiv_id", "doi", "bibcode", "openalex_id", "pmid")


def loose_date(
    date_text: str | None, year: str | None = None, month: str | None = None, day: str | None = None
) -> tuple[int | None, str | None]:
    """Return the year and, if month and day are given too, the date as YYYY-MM-DD.

    `date_text` may be "2020-01-31", "2020/1/31", "2020 Jan 31", "2020-01-31T10:00:00Z", "c. 2020" or "in press";
    `month` may be a number or a name. If the date is a range, its first day counts; a day that does not exist is left
    out.
    """
    text = date_text or ""
    match = _DAY.search(text)
    parts = match.groups() if match else None
    if parts is None and (date_in_words := _WORDED_DAY.search(text)):
        parts = (date_in_words[1], str(_month(date_in_words[2])), date_in_words[3])
    if parts is None and year and month and day:
        parts = (year, str(_month(month)), day)
    date = _existing(*parts) if parts else None
    in_text = YEAR.search(year or "") or YEAR.search(text)
    return (int(in_text[1]) if in_text else date.year if date else None), date.isoformat() if date else None


def _month(text: str) -> int:
    """Return the number of a month, or 0 if there is no such month."""
    if text.strip().isdigit():
        return int(text)
    name = text.strip().lower()[:3]
    return _MONTHS.index(name) + 1 if name in _MONTHS else 0


def _existing(year: str, month: str, day: str) -> datetime.date | None:
    try:
        return datetime.date(int(year), int(month), int(day))
    except ValueError:
        return None


def tagged_values(record: Record) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return all cleaned values of each tag in a record, and the first value of each tag; empty values are left out."""
    values = {
        tag: [text for text in map(clean, texts) if text] for tag, texts in record.items() if isinstance(texts, list)
    }
    return values, {tag: texts[0] for tag, texts in values.items() if texts}


def chosen_id(record: Record, own_id: str | None = None) -> str:
    """Return the id under which the paper in a record is stored: its arXiv id, DOI, bibcode, OpenAlex id or PubMed id.

    If it has none of these, `own_id` is used: a citation key, for example, which may refer to a different paper in
    another file. Without that, the paper gets an id made from its title and year, which is the same in every file.
    """
    identifiers = [text_field(record, name) for name in _ID_ORDER] + [own_id]
    first = next((identifier for identifier in identifiers if identifier), None)
    if first:
        return first
    title = f"{text_field(record, 'title')} {record.get('year')}".casefold()
    return f"title-{hashlib.sha256(title.encode()).hexdigest()[:12]}"
