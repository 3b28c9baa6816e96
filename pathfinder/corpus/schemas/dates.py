"""Dates as people and programs write them; an unreadable date is no reason to reject a paper."""

import datetime
import re
from collections.abc import Mapping

from pathfinder.text.english import MONTHS

MIN_YEAR, MAX_YEAR = 1000, 2999
YEAR = re.compile(r"(?<!\d)([12]\d{3})(?!\d)", re.ASCII)
"""A year from `MIN_YEAR` to `MAX_YEAR`, wherever it occurs in a field."""

_MONTHS = {month[:3].lower(): number for number, month in enumerate(MONTHS, start=1)}
_LONGEST_DATE = 80
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?!\d)(?:\s?[-–/]\s?\d{1,2}(?!\d))?"
_WORD = r"(?P<word>[A-Za-z]{3,9})\.?"
_GAP = r"[\s,/.-]{0,3}"
_YEAR = r"(?P<year>[12]\d{3})(?!\d)"
_FORMS = tuple(
    re.compile(rf"(?<!\d){form}", re.ASCII)
    for form in (
        r"(?P<year>[12]\d{3})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)",
        r"(?P<year>[12]\d{3})(?P<month>0[1-9]|1[0-2])(?P<day>[0-3]\d)(?!\d)",
        rf"{_YEAR}{_GAP}{_WORD}{_GAP}{_DAY}",
        rf"{_DAY}{_GAP}(?:of\s)?{_WORD}{_GAP}{_YEAR}",
        rf"(?<![A-Za-z]){_WORD}{_GAP}{_DAY}{_GAP}{_YEAR}",
    )
)


def read_date(
    date: str = "", year: str = "", month: str = "", day: str = ""
) -> tuple[int | None, datetime.date | None]:
    """Return the year and, if month and day are given too, the date; each `None` if it is unknown.

    `date` may be "2020-01-31", "20200131", "2020 Jan 31", "31 January 2020", "January 31, 2020",
    "2020-01-31T10:00:00Z", "c. 2020", "01/2020" or "in press"; `year` may be any of these or "2020.0", and `month` a
    number or a name. If the date is a range, its first day counts; a day that does not exist is left out,
    and so are dates in numbers that begin with the day or the month. The year of the journal and the day of the
    preprint may differ, and both are kept.
    """
    date, year, month, day = (text[:_LONGEST_DATE] for text in (date, year, month, day))
    if month.strip(" .{}").isdecimal():
        month = f"{int(month.strip(' .{}')):02}"
        in_parts = f"{year}-{month}-{day}" if day else ""
    else:
        in_parts = f"{day} {month} {year}" if month else ""
    texts = [text for text in (date, in_parts, year, f"{year} {date}" if date and year else "") if text]
    known = next((found for text in texts if (found := _day_in(text))), None)
    written = YEAR.search(year) or YEAR.search(date)
    return (int(written[1]) if written else known.year if known else None), known


def date_of_parts(date: Mapping[str, object]) -> str:
    """Return the date, month or year in the parts of a date of Crossref or CSL JSON, such as "2020-1-31"; empty if
    there is none.
    """
    parts = date.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts and isinstance(parts[0], list) else []
    return "-".join(map(str, first[:3])) if first and first[0] else ""


def _day_in(text: str) -> datetime.date | None:
    for form in _FORMS:
        for match in form.finditer(text):
            parts = match.groupdict()
            if "word" in parts:
                months = _MONTHS.get(parts["word"][:3].lower(), 0), int(parts["day"])
            else:
                months = int(parts["month"]), int(parts["day"])
            try:
                return datetime.date(int(parts["year"]), *months)
            except ValueError:
                continue
    return None
