"""Checks that ADS will accept a query, without contacting ADS."""

import datetime
import re
from collections.abc import Iterator

from pathfinder.answering.ads_query.parser import Term, parse
from pathfinder.corpus.links import ads_search_url
from pathfinder.retrieval.years.in_questions import YearsNamed
from pathfinder.text.english import MONTHS, any_of
from pathfinder.types import AdsQuery

MAX_CHARACTERS = 2000
"""Maximum length of a query in characters, so that its web address does not become too long."""

MOST_BARE_WORDS = 7
"""Maximum number of words without a field; a longer text is treated as a sentence, such as a refusal, rather than as a
query.
"""

_SPOKEN_WORDS = frozenset(
    "i i'm i'd i'll i've you you're your we we're my me it's is isn't are aren't was were am be been do don't does "
    "doesn't did can can't cannot could couldn't would wouldn't should will won't must may might please sorry thanks "
    "unfortunately however here there this that these those".split()
)
"""Words that are common in ordinary sentences and that nobody searches for outside quotes."""
_FULL_STOP = re.compile(r"[^\W\d_][.!…。！]$")
_MONTH = re.compile(
    rf"\b(?:{any_of(month[:3] for month in MONTHS)}|spring|summer|autumn|winter|fall|quarter|half)",
    re.IGNORECASE,
)


def check_ads_query(text: str, years: YearsNamed | None = None, today: datetime.date | None = None) -> AdsQuery:
    """Check `text` as an ADS query: list its faults or, if it has none, return the web address of the search.

    `years` are the years named in the question; a query for other years is faulty. NOW in a query means `today`.
    """
    query = " ".join(text.split())
    if len(query) > MAX_CHARACTERS:
        return AdsQuery(
            query,
            (f"the query has {len(query):,} characters, but at most {MAX_CHARACTERS:,} are allowed: shorten it",),
            None,
        )
    if not query:
        return AdsQuery("", ("the query is empty: add a term",), None)
    parsed_query = parse(query)
    faults = (*parsed_query.faults, *_sentence(parsed_query.terms), *_other_years(parsed_query.terms, years, today))
    return AdsQuery(query, faults, None if faults else ads_search_url(query))


def _sentence(terms: tuple[Term, ...]) -> Iterator[str]:
    """Find conversational words outside any field: a refusal, or chat around a query."""
    bare = [term.value for term in terms if term.field is None and " " not in term.value]
    no_query = 'write a query, such as abs:"dark energy", not a sentence'
    if len(bare) == len(terms) and len(terms) > MOST_BARE_WORDS:
        yield f"these are {len(terms)} words without a field: {no_query}"
    elif spoken_words := [word for word in bare if word.casefold().replace("’", "'").strip(".,!?") in _SPOKEN_WORDS]:
        if len(bare) > 1:
            yield f"{spoken_words[0]} is a conversational word outside quotes: {no_query}"
    elif bare and len(bare) == len(terms) and _FULL_STOP.search(bare[-1]):
        yield f"this ends like a sentence and has no field: {no_query}"


def _other_years(terms: tuple[Term, ...], years: YearsNamed | None, today: datetime.date | None) -> Iterator[str]:
    if years is None:
        return
    asked_years = (years.first or FIRST, years.last or LAST)
    better = (
        f"{asked_years[0]}-{asked_years[1]}"
        if years.first and years.last
        else f"[{years.first or '*'} TO {years.last or '*'}]"
    )
    spans = [term for term in terms if term.field in ("year", "pubdate") and not term.is_excluded]
    if not spans:
        yield f"the question asks for {years.description}, but the query covers all years: add year:{better}"
    in_months = _MONTH.search(years.words) is not None
    for term in spans:
        if not is_in(term.value, asked_years, today, in_months=in_months):
            yield (
                f"character {term.place}: the question asks for {years.description}, but the query for {term.value}: "
                f"write year:{better}"
            )


# Finds the years covered by a year or date in a query.

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
