"""Finds the years covered by a year or date in a query."""

import datetime
import re

FIRST, LAST = 0, 9999
"""Years that represent the open ends of a span."""

_YEARS = re.compile(r"(?P<first>[12][0-9]{3})(?:-(?P<last>[12][0-9]{3}))?")
_DATE = re.compile(r"(?P<year>[12][0-9]{3})(?:-(?P<month>[01][0-9])(?:-(?P<day>[0-3][0-9]))?)?(?:T\S*)?")
_NOW = re.compile(r"NOW(?P<steps>(?:[+-][0-9]{1,6}(?:DAY|MONTH|YEAR)S?)*)(?:/DAY)?")
_STEP = re.compile(r"([+-][0-9]+)(DAY|MONTH|YEAR)")
_DAYS = {"DAY": 1.0, "MONTH": 30.44, "YEAR": 365.25}
_RANGE = re.compile(r"\[\s*(\S+)\s+TO\s+(\S+)\s*\]")


def is_in(value: str, years: tuple[int, int], today: datetime.date | None, *, in_months: bool) -> bool:
    """Return whether `value` covers the years from `years[0]` to `years[1]`; `FIRST` stands for an open start, `LAST`
    for an open end.

    If `in_months` is true, the span may begin or end partway through a year. A span counted back from `today` may begin
    in the year in which its start falls, or in the next. A value that cannot be read is accepted.
    """
    ends = _ends(value)
    if ends is None:
        return True
    first, last = (_years(end, today, is_first=place == 0) for place, end in enumerate(ends))
    fits = (years[0] in first or not first) and (years[1] in last or not last)
    return fits and (in_months or not _leaves_out(*ends))


def _ends(value: str) -> tuple[str, str] | None:
    if match := _RANGE.fullmatch(value):
        return match[1].strip('"'), match[2].strip('"')
    if match := _YEARS.fullmatch(value):
        return match["first"], match["last"] or match["first"]
    return (value, value) if _DATE.fullmatch(value) else None


def _years(end: str, today: datetime.date | None, *, is_first: bool) -> tuple[int, ...]:
    """List the years that one end of a range may refer to; empty if they are unknown."""
    if end == "*":
        return (FIRST if is_first else LAST,)
    if match := _DATE.fullmatch(end):
        return (int(match["year"]),)
    if (match := _NOW.fullmatch(end)) is None:
        return ()
    days = sum(int(n) * _DAYS[unit] for n, unit in _STEP.findall(match["steps"]))
    if not is_first and days >= 0:
        return (LAST, *([today.year] if today else []))
    if today is None:
        return ()
    year = int(today.year + (today.timetuple().tm_yday + days) // 365.25)
    return (year, year + 1) if days < 0 else (year,)


def _leaves_out(first: str, last: str) -> bool:
    """Return whether the span begins or ends partway through a year."""
    begins, ends = _DATE.fullmatch(first), _DATE.fullmatch(last)
    is_late = begins is not None and (begins["month"] not in (None, "00", "01") or begins["day"] not in _FIRST_DAYS)
    is_early = ends is not None and (ends["month"] not in (None, "12") or ends["day"] not in _LAST_DAYS)
    return is_late or is_early


_FIRST_DAYS = (None, "00", "01")
_LAST_DAYS = (None, "31")
