"""Whether ADS will take a query, told without asking it."""

from collections.abc import Iterator

from pathfinder.answering.ads_query.cursor import Term
from pathfinder.answering.ads_query.parser import parse
from pathfinder.export.links import ads_search_url
from pathfinder.retrieval.years.named import YearsNamed
from pathfinder.types import AdsQuery

MAX_CHARACTERS = 2000
"""Of a query: its address must fit where addresses go."""

MOST_BARE_WORDS = 7
"""More words than these without a field are a sentence, such as a refusal, and no query."""

_UNTIL_NOW = 9999


def check_ads_query(text: str, years: YearsNamed | None = None) -> AdsQuery:
    """`text` as a query for ADS, with every fault in it; without one, with its address.

    `years` are those that the question named: a query for others is at fault.
    """
    query = " ".join(text.split())
    if len(query) > MAX_CHARACTERS:
        return AdsQuery(
            query, (f"the query has {len(query):,} characters, and {MAX_CHARACTERS:,} fit: shorten it",), None
        )
    if not query:
        return AdsQuery("", ("the query is empty: write a term",), None)
    parsed = parse(query)
    faults = (*parsed.faults, *_sentence(parsed.terms), *_other_years(parsed.terms, years))
    return AdsQuery(query, faults, None if faults else ads_search_url(query))


def _sentence(terms: tuple[Term, ...]) -> Iterator[str]:
    if len(terms) > MOST_BARE_WORDS and all(term.field is None for term in terms):
        yield f'these are {len(terms)} words and no field: write a query, such as abs:"dark energy", and no sentence'


def _other_years(terms: tuple[Term, ...], years: YearsNamed | None) -> Iterator[str]:
    if years is None:
        return
    asked = (years.first or 0, years.last or _UNTIL_NOW)
    better = (
        f"{asked[0]}-{asked[1]}" if years.first and years.last else f"[{years.first or '*'} TO {years.last or '*'}]"
    )
    found = [term for term in terms if term.field in ("year", "pubdate") and not term.is_excluded]
    if not found:
        yield f"the question asks for {years.in_words}, the query for all years: add year:{better}"
    for term in found:
        if _span(term.value) not in (None, asked):
            yield (
                f"character {term.place}: the question asks for {years.in_words}, the query for {term.value}: "
                f"write year:{better}"
            )


def _span(value: str) -> tuple[int, int] | None:
    """The first and last year of a range; `None` for what cannot be read."""
    ends = value.strip("[]").replace(" TO ", "\n").split("\n") if value.startswith("[") else value.split("-")
    if value.startswith("[") and len(ends) == 2:
        first, last = (end[:4] for end in ends)
    elif all(len(end) == 4 and end.isdigit() for end in ends):
        first, last = ends[0], ends[-1]
    else:
        return None
    return (0 if "*" in first else int(first)), (_UNTIL_NOW if "*" in last else int(last))
