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
    better = f"[{years.first or '*'} TO {years.last or '*'}]"
    if years.first and years.last:
        better = f"{years.first}-{years.last}"
    spans = [term for term in terms if term.field in ("year", "pubdate") and not term.is_excluded]
    if not spans:
        yield f"the question asks for {years.description}, but the query covers all years: add year:{better}"
    in_months = _MONTH.search(years.words) is not None
    for term in spans:
        match = _RANGE.fullmatch(term.value)
        first, last = (match[1] or match[3], match[2] or match[4]) if match else (term.value, term.value)
        begins = _is_end(first, years.first, today, ("01", "01"), in_months=in_months)
        if not (begins and _is_end(last, years.last, today, ("12", "31"), in_months=in_months)):
            yield (
                f"character {term.place}: the question asks for {years.description}, but the query for {term.value}: "
                f"write year:{better}"
            )


_RANGE = re.compile(r'\[\s*"?([^\s"\]]+)"?\s+TO\s+"?([^\s"\]]+)"?\s*\]|([12][0-9]{3})-([12][0-9]{3})')
_DATE = re.compile(r"(?P<year>[12][0-9]{3})(?:-(?P<month>[01][0-9])(?:-(?P<day>[0-3][0-9]))?)?(?:T\S*)?")
_STEP = re.compile(r"([+-][0-9]{1,6})(DAY|MONTH|YEAR)")
_DAYS = {"DAY": 1.0, "MONTH": 30.44, "YEAR": 365.25}


def _is_end(
    end: str, asked: int | None, today: datetime.date | None, whole: tuple[str, str], *, in_months: bool
) -> bool:
    """Return whether one end of a span is that of the year `asked`; `None` stands for an open end.

    `whole` are the month and the day with which a whole year begins or ends; if `in_months` is true, the span may do so
    partway through a year. A span counted back from `today` may begin in the year in which its start falls, or in the
    next. What cannot be read is accepted.
    """
    if end == "*":
        return asked is None
    if match := _DATE.fullmatch(end):
        is_whole = match["month"] in (None, "00", whole[0]) and match["day"] in (None, "00", whole[1])
        return int(match["year"]) == asked and (in_months or is_whole)
    if not end.startswith("NOW"):
        return True
    days = sum(int(n) * _DAYS[unit] for n, unit in _STEP.findall(end))
    if days >= 0 and whole[0] == "12":
        return asked is None or (today is not None and asked == today.year)
    if today is None:
        return False
    year = int(today.year + (today.timetuple().tm_yday + days) // 365.25)
    return asked in ((year, year + 1) if days < 0 else (year,))
