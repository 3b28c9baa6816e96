"""Checks whether the value of a field is one that ADS accepts."""

import re
from calendar import monthrange
from collections.abc import Callable

from pathfinder.answering.ads_query.fields import RANGED, VALUES, FieldKind
from pathfinder.text.identifiers import is_arxiv_id, is_bibcode, is_doi

_RANGE = re.compile(r"\[\s*(?P<first>[^\s\]]+)\s+TO\s+(?P<last>[^\s\]]+)\s*\]")
_LOOSE_RANGE = re.compile(r"[\[{]\s*(?P<first>\S+)\s+(?:to|-|–|,|\.\.)\s+(?P<last>[^\s\]}]+)\s*[\]}]?", re.IGNORECASE)
_YEAR = re.compile(r"[12][0-9]{3}")
_YEARS = re.compile(r"([12][0-9]{3})-([12][0-9]{3})")
_DAY = re.compile(
    r"(?P<year>[12][0-9]{3})-(?P<month>0[0-9]|1[0-2])(?:-(?P<day>[0-3][0-9]))?"
    r"(?:T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,6})?Z)?"
)
_NOW = re.compile(r"NOW(?:[+-][0-9]{1,6}(?:DAY|MONTH|YEAR)S?)*(?:/DAY)?")
_NUMBER = re.compile(r"[0-9]+")
_COMPARISON = re.compile(r"([<>]=?)\s*([0-9]+)")
_ORCID = re.compile(r"[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]")
_INITIALS_FIRST = re.compile(r"\^?(?P<first>(?:[^\W\d_]\.\s*)+)(?P<last>[^\W\d_][^,.]+)")
BIBCODE_LENGTH = 19


def _no_range(field: str, value: str) -> str:
    return f"{field} contains words, not ranges such as {value}: write a word, or a phrase in straight quotes"


def range_fault(kind: FieldKind, field: str, value: str) -> str | None:
    """Describe what is wrong with `value`, a range in square brackets; `None` if it is valid."""
    if field in RANGED:
        kind = FieldKind.NUMBER
    if kind not in (FieldKind.YEAR, FieldKind.DATE, FieldKind.NUMBER):
        return _no_range(field, value)
    match = _RANGE.fullmatch(value)
    if match is None:
        loose = _LOOSE_RANGE.fullmatch(value)
        better = f"[{loose['first']} TO {loose['last']}]" if loose else "[10 TO *]"
        return (
            f"{value} is not a range: write both ends in square brackets, separated by TO in capitals, as in "
            f"{field}:{better}"
        )
    first, last = (_without_quotes(match[end]) for end in ("first", "last"))
    for end in (first, last):
        if end != "*" and not _IS_END[kind](end):
            return f"{end} cannot begin or end a range of {field}: {_EXAMPLES[kind]}"
    return _upside_down(kind, field, first, last)


def _without_quotes(end: str) -> str:
    """Remove the quotes: ADS reads "2020" as 2020 within a range."""
    return end[1:-1] if len(end) > 2 and end[0] == end[-1] == '"' else end


def _is_date(value: str) -> bool:
    """Accept a year, a real month or day (00 if unknown), or a time relative to NOW."""
    if _YEAR.fullmatch(value) or _NOW.fullmatch(value):
        return True
    match = _DAY.fullmatch(value)
    if match is None:
        return False
    month, day = int(match["month"]), int(match["day"] or 0)
    return day == 0 or (month > 0 and day <= monthrange(int(match["year"]), month)[1])


def _upside_down(kind: FieldKind, field: str, first: str, last: str) -> str | None:
    if "*" in (first, last) or "NOW" in first + last:
        return None
    is_upside_down = int(first) > int(last) if kind is FieldKind.NUMBER else first > last
    return f"the range {first} to {last} runs backwards: write {field}:[{last} TO {first}]" if is_upside_down else None


def word_fault(kind: FieldKind, field: str, value: str) -> str | None:
    """Describe what is wrong with `value`, a word or a phrase, in a field of the given kind; `None` if it is valid."""
    if not value.strip(' ^*?"'):
        return None if value.strip() == "*" else f"{field} has nothing to search for: add a value after the colon"
    return _WORD_CHECKS.get(kind, _anything)(field, value)


def _anything(_field: str, _value: str) -> None:
    return None


def _author(field: str, value: str) -> str | None:
    if "^" in value[1:]:
        return f'the ^ of {field} belongs before the last name, inside the quotes: {field}:"^{value.replace("^", "")}"'
    if match := _INITIALS_FIRST.fullmatch(value):
        mark = "^" if value.startswith("^") else ""
        better = f'{field}:"{mark}{match["last"].strip()}, {match["first"].strip()}"'
        return f"ADS expects the last name first: write {better}"
    return None


def _year(field: str, value: str) -> str | None:
    if match := _YEARS.fullmatch(value):
        return _upside_down(FieldKind.YEAR, field, match[1], match[2]) and (
            f"the years {value} run backwards: write {field}:{match[2]}-{match[1]}"
        )
    if _YEAR.fullmatch(value) or re.fullmatch(r"[12][0-9]{0,2}[*?]+", value):
        return None
    if match := re.fullmatch(r"(?:>=?|since)?([12][0-9]{3})[-–]?|[-–<]=?([12][0-9]{3})", value):
        better = f"[{match[1]} TO *]" if match[1] else f"[* TO {match[2]}]"
        return f"{value} is neither a year nor a range of years: write {field}:{better}"
    return f"{value} is neither a year nor a range of years: {_EXAMPLES[FieldKind.YEAR]}"


def _date(_field: str, value: str) -> str | None:
    if _is_date(value):
        return None
    return f"{value} is not a date: {_EXAMPLES[FieldKind.DATE]}"


def _number(field: str, value: str) -> str | None:
    if _NUMBER.fullmatch(value):
        return None
    if match := _COMPARISON.fullmatch(value):
        sign, n = match[1], int(match[2])
        better = {">": f"[{n + 1} TO *]", ">=": f"[{n} TO *]", "<": f"[0 TO {max(n - 1, 0)}]", "<=": f"[0 TO {n}]"}
        return f"ADS does not know {sign}: write {field}:{better[sign]}"
    if match := re.fullmatch(r"([0-9]+)(?:-([0-9]*)|\+)", value):
        return f"{value} is not a range of {field}: write {field}:[{match[1]} TO {match[2] or '*'}]"
    return f"{value} is not a number: {_EXAMPLES[FieldKind.NUMBER]}"


def _bibcode(field: str, value: str) -> str | None:
    if is_bibcode(value) or ("*" in value or "?" in value):
        return None
    if len(value) < BIBCODE_LENGTH:
        share = f"{len(value)} of a bibcode's {BIBCODE_LENGTH} characters"
        return f"{value} has {share}: write all of them, or {field}:{value}*"
    return f"{value} is not a bibcode, which has {BIBCODE_LENGTH} characters, such as 2003AJ....125..525J"


def _doi(_field: str, value: str) -> str | None:
    return None if is_doi(value) or "*" in value else f"{value} is not a DOI, such as 10.1086/345794"


def _arxiv(_field: str, value: str) -> str | None:
    is_valid = is_arxiv_id(value) or "*" in value
    return None if is_valid else f"{value} is not an arXiv id, such as 1108.0669 or astro-ph/0601001"


def _orcid(_field: str, value: str) -> str | None:
    is_valid = _ORCID.fullmatch(value) or "*" in value
    return None if is_valid else f"{value} is not an ORCID iD, such as 0000-0002-1825-0097"


def _identifier(_field: str, value: str) -> str | None:
    if "*" in value or is_bibcode(value) or is_doi(value) or is_arxiv_id(value):
        return None
    return f"{value} is not a bibcode, DOI or arXiv id: write one of them, or search by title"


def _listed_value(kind: FieldKind) -> Callable[[str, str], str | None]:
    def check(field: str, value: str) -> str | None:
        if "*" in value or value.casefold() in VALUES[kind]:
            return None
        return f"ADS does not know the {field} {value}: it knows {', '.join(sorted(VALUES[kind]))}"

    return check


_IS_END: dict[FieldKind, Callable[[str], object]] = {
    FieldKind.YEAR: _YEAR.fullmatch,
    FieldKind.DATE: _is_date,
    FieldKind.NUMBER: _NUMBER.fullmatch,
}
_EXAMPLES = {
    FieldKind.YEAR: "write year:2010, year:2010-2023 or year:[2010 TO *]",
    FieldKind.DATE: "write pubdate:2010-05 or pubdate:[2010-05 TO 2011-02]",
    FieldKind.NUMBER: "write citation_count:40 or citation_count:[10 TO *]",
}
_WORD_CHECKS: dict[FieldKind, Callable[[str, str], str | None]] = {
    FieldKind.AUTHOR: _author,
    FieldKind.YEAR: _year,
    FieldKind.DATE: _date,
    FieldKind.NUMBER: _number,
    FieldKind.BIBCODE: _bibcode,
    FieldKind.DOI: _doi,
    FieldKind.ARXIV: _arxiv,
    FieldKind.ORCID: _orcid,
    FieldKind.IDENTIFIER: _identifier,
    **{kind: _listed_value(kind) for kind in VALUES},
}
