"""The fields of a source's record, each cleaned and checked."""

import datetime
import re
from collections.abc import Iterable, Mapping

from pathfinder.corpus.schemas.author_lists import authors_in, listed_authors, name_in
from pathfinder.types import without_control_characters

Record = Mapping[str, object]
"""One row of a source after parsing: field names with unchecked values."""

MIN_YEAR, MAX_YEAR = 1000, 2999
YEAR = re.compile(r"(?<!\d)([12]\d{3})(?!\d)", re.ASCII)
"""A year from `MIN_YEAR` to `MAX_YEAR`, wherever it occurs in a field."""
MAX_COUNT = 10_000_000
"""Limit on a paper's number of citations or authors. No real paper reaches it, so a larger number is a mistake."""
_LONGEST_QUOTE = 60
_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)
_WHOLE = re.compile(r"-?\d{1,18}(?:\.0+)?", re.ASCII)
_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "": False}


class Unusable(ValueError):
    """A record that cannot become a paper; its message becomes the reason in `RejectedRow`."""


def clean(text: str) -> str:
    """Remove control characters from `text` and collapse its white space to single spaces."""
    return " ".join((text if text.isprintable() else without_control_characters(text)).split())


def text_field(record: Record, *names: str) -> str | None:
    """Return the cleaned text of the first field in `names` that has any; a whole number counts as text."""
    for name in names:
        value = record.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if value is not None and not isinstance(value, str):
            raise Unusable(f"{name} must be text, got {shorten(value)}")
        if value and (clean_text := clean(value)):
            return clean_text
    return None


def list_field(record: Record, *names: str, separators: str = ";") -> tuple[str, ...]:
    """Return the texts of all fields in `names`, in order and without duplicates; a field that is not a list is split
    at `separators`.
    """
    texts = (text for name in names for text in _texts(name, record.get(name), separators))
    return tuple(dict.fromkeys(text for text in map(clean, texts) if text))


def authors_field(record: Record, *names: str) -> tuple[str, ...]:
    """Return the authors in all fields in `names`, in order: of lists of texts or of objects with names, and of texts
    that list several. Two of one name stay two.
    """
    authors: list[str] = []
    for name in names:
        value = record.get(name)
        if isinstance(value, str):
            authors += authors_in(value)
        elif isinstance(value, list) and all(isinstance(item, str) or name_in(item) for item in value):
            authors += listed_authors(item if isinstance(item, str) else name_in(item) for item in value)
        elif value is not None:
            raise Unusable(f"{name} must be a list of texts, got {shorten(value)}")
    return tuple(author for author in map(clean, authors) if author)


def _texts(name: str, value: object, separators: str) -> Iterable[str]:
    if value is None:
        return []
    if isinstance(value, str):
        return re.split(f"[{re.escape(separators)}]", value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return value
    raise Unusable(f"{name} must be a list of texts, got {shorten(value)}")


def count_field(record: Record, *names: str) -> int | None:
    """Return the whole number, from 0 to 10,000,000, in the first field in `names` that has one."""
    for name in names:
        number = _whole_number(name, record.get(name))
        if number is not None and not 0 <= number <= MAX_COUNT:
            raise Unusable(f"{name} must lie in 0..{MAX_COUNT}, got {shorten(record[name])}")
        if number is not None:
            return number
    return None


def _whole_number(name: str, value: object) -> int | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    text = value.strip() if isinstance(value, str) else str(value)
    if isinstance(value, bool) or not isinstance(value, int | float | str) or not _WHOLE.fullmatch(text):
        raise Unusable(f"{name} must be a whole number, got {shorten(value)}")
    return int(text.partition(".")[0])


def flag_field(record: Record, name: str) -> bool:
    """Return a flag; a missing flag is false. In a table, it may be written as true, yes, 1, false, no or 0, or be left
    empty.
    """
    value = record.get(name)
    flag = _BOOLEANS.get(value.strip().lower()) if isinstance(value, str) else value
    if value is None or isinstance(flag, bool):
        return bool(flag)
    raise Unusable(f"{name} must be true or false, got {shorten(value)}")


def when_published(record: Record) -> tuple[int | None, datetime.date | None]:
    """Return the year and the day of publication, each `None` if the record lacks it.

    Full dates are YYYY-MM-DD; YYYY, YYYY-MM and the forms YYYY-MM-00 and YYYY-00-00 used by ADS give only the year.
    """
    date_text = text_field(record, "date", "published")
    from_date, date = parse_date(date_text) if date_text else (None, None)
    year = _whole_number("year", record.get("year"))
    if year is not None and not MIN_YEAR <= year <= MAX_YEAR:
        raise Unusable(f"not a valid date: year {shorten(record['year'])} lies outside {MIN_YEAR}..{MAX_YEAR}")
    return year if year is not None else from_date, date


def parse_date(text: str) -> tuple[int, datetime.date | None]:
    """Return the year and, if month and day are specified, the date."""
    parts = _DATE.fullmatch(text)
    bad = Unusable(f"not a valid date: {shorten(text)} is not YYYY-MM-DD, YYYY-MM or YYYY")
    if parts is None or not MIN_YEAR <= int(parts[1]) <= MAX_YEAR:
        raise bad
    year, month, day = int(parts[1]), int(parts[2] or 0), int(parts[3] or 0)
    if day == 0 and month <= 12:
        return year, None
    try:
        return year, datetime.date(year, month, day)
    except ValueError:
        raise bad from None


def shorten(value: object) -> str:
    """Shorten `value` to one line for an error message."""
    text = repr(value)
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}..."
