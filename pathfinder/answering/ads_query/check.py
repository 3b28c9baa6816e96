"""Whether ADS will take a query, told without asking it."""

import datetime
import re
from collections.abc import Iterator

from pathfinder.answering.ads_query.cursor import Term
from pathfinder.answering.ads_query.parser import parse
from pathfinder.answering.ads_query.spans import FIRST, LAST, is_in
from pathfinder.export.links import ads_search_url
from pathfinder.retrieval.years.named import YearsNamed
from pathfinder.types import AdsQuery

MAX_CHARACTERS = 2000
"""Of a query: its address must fit where addresses go."""

MOST_BARE_WORDS = 7
"""More words than these without a field are a sentence, such as a refusal, and no query."""

_SPOKEN = frozenset(
    "i i'm i'd i'll i've you you're your we we're my me it's is isn't are aren't was were am be been do don't does "
    "doesn't did can can't cannot could couldn't would wouldn't should will won't must may might please sorry thanks "
    "unfortunately however here there this that these those".split()
)
"""What sentences are made of, and what nobody searches for outside of quotes."""
_FULL_STOP = re.compile(r"[^\W\d_][.!…。！]$")
_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec|spring|summer|autumn|winter|fall|quarter|half)",
    re.IGNORECASE,
)


def check_ads_query(text: str, years: YearsNamed | None = None, today: datetime.date | None = None) -> AdsQuery:
    """`text` as a query for ADS, with every fault in it; without one, with its address.

    `years` are those that the question named: a query for others is at fault. `today`: what NOW means there.
    """
    query = " ".join(text.split())
    if len(query) > MAX_CHARACTERS:
        return AdsQuery(
            query, (f"the query has {len(query):,} characters, and {MAX_CHARACTERS:,} fit: shorten it",), None
        )
    if not query:
        return AdsQuery("", ("the query is empty: write a term",), None)
    parsed = parse(query)
    faults = (*parsed.faults, *_sentence(parsed.terms), *_other_years(parsed.terms, years, today))
    return AdsQuery(query, faults, None if faults else ads_search_url(query))


def _sentence(terms: tuple[Term, ...]) -> Iterator[str]:
    """Words without a field that are said to a reader: a refusal, or talk around a query."""
    bare = [term.value for term in terms if term.field is None and " " not in term.value]
    no_query = 'write a query, such as abs:"dark energy", and no sentence'
    if len(bare) == len(terms) and len(terms) > MOST_BARE_WORDS:
        yield f"these are {len(terms)} words and no field: {no_query}"
    elif spoken := [word for word in bare if _plain(word) in _SPOKEN]:
        if len(bare) > 1:
            yield f"{spoken[0]} stands outside of quotes, as in talk: {no_query}"
    elif bare and len(bare) == len(terms) and _FULL_STOP.search(bare[-1]):
        yield f"this ends as a sentence does and names no field: {no_query}"


def _plain(word: str) -> str:
    return word.casefold().replace("’", "'").strip(".,!?")


def _other_years(terms: tuple[Term, ...], years: YearsNamed | None, today: datetime.date | None) -> Iterator[str]:
    if years is None:
        return
    asked = (years.first or FIRST, years.last or LAST)
    better = (
        f"{asked[0]}-{asked[1]}" if years.first and years.last else f"[{years.first or '*'} TO {years.last or '*'}]"
    )
    found = [term for term in terms if term.field in ("year", "pubdate") and not term.is_excluded]
    if not found:
        yield f"the question asks for {years.in_words}, the query for all years: add year:{better}"
    in_months = _MONTH.search(years.words) is not None
    for term in found:
        if not is_in(term.value, asked, today, in_months=in_months):
            yield (
                f"character {term.place}: the question asks for {years.in_words}, the query for {term.value}: "
                f"write year:{better}"
            )
