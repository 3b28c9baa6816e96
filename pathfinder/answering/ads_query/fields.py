"""The fields and functions of an ADS query, and what each of them takes.

Taken from ADS's own help pages, "Search Syntax" and "Comprehensive List of Solr Fields & Operators", as of 2024; fields
used only for facets, sorting or curation are left out.
"""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass

from pathfinder.text.identifiers import is_arxiv_id, is_bibcode, is_doi


def _matches(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern)
    return lambda value: compiled.fullmatch(value) is not None


_is_time = _matches(r"[12][0-9]{3}|NOW(?:[+-][0-9]{1,6}(?:DAY|MONTH|YEAR)S?)*(?:/DAY)?")
_DAY = re.compile(
    r"(?P<year>[12][0-9]{3})-(?P<month>0[0-9]|1[0-2])(?:-(?P<day>[0-3][0-9]))?"
    r"(?:T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,6})?Z)?"
)


def _is_date(value: str) -> bool:
    """Return whether a value is a year, a real month or day (00 if unknown), or a time relative to NOW."""
    match = _DAY.fullmatch(value)
    if match is None:
        return _is_time(value)
    month, day = int(match["month"]), int(match["day"] or 0)
    return day == 0 or (month > 0 and day <= monthrange(int(match["year"]), month)[1])


@dataclass(frozen=True)
class FieldKind:
    """What can follow a field and its colon."""

    what: str
    """Its values in words, with an example."""
    is_value: Callable[[str], bool]
    is_end: Callable[[str], bool] | None = None
    """Whether a range can begin or end with a value; `None` if the field takes no range."""
    has_wildcards: bool = True
    """False if * and ? cannot stand for characters of a value."""
    may_have_colon: bool = False
    """True if a value may contain a colon without being quoted: arXiv:1108.0669, and the DOIs of some journals."""


def _listed(values: str) -> FieldKind:
    known = frozenset(values.split())
    return FieldKind(f"one of {', '.join(sorted(known))}", lambda value: value.casefold() in known)


_is_year, _is_number = _matches(r"[12][0-9]{3}"), _matches("[0-9]+")
_is_one_year = _matches(r"[12][0-9]{3}|[12][0-9]{0,2}[*?]+")
TEXT = FieldKind("a word, or a phrase in straight quotes", lambda _: True)
_KINDS = {
    "abs abstract ack aff aff_id affil alternate_title arxiv_class bibgroup bibstem body caption copyright data editor "
    "eid esources facility full grant id inst institution isbn issn keyword keyword_norm lang nedid nedtype object pub "
    "pub_raw pubnote series simbid simbtype title uat vizier": TEXT,
    "issue page volume": FieldKind("a number or a range, such as 40 or [10 TO *]", lambda _: True, _is_number),
    "author author_norm first_author first_author_norm book_author": FieldKind(
        'a name with the last name first, such as "Huchra, J"; the ^ for a first author comes before it: "^Huchra, J"',
        lambda value: "^" not in value[1:] and not re.match(r"\^?(?:[^\W\d_]\.\s*)+[^\W\d_][^,.]+$", value),
    ),
    "year": FieldKind(
        "a year or a range of years, such as 2010, 2010-2023 or [2010 TO *]",
        _is_one_year,
        _is_year,
        has_wildcards=False,
    ),
    "pubdate date entdate entry_date": FieldKind(
        "a date or a range of dates, such as 2010-05 or [2010-05 TO 2011-02]", _is_date, _is_date, has_wildcards=False
    ),
    "author_count citation_count citation_count_norm page_count read_count": FieldKind(
        "a number or a range, such as 40 or [10 TO *]", _is_number, _is_number, has_wildcards=False
    ),
    "bibcode alternate_bibcode citation reference": FieldKind(
        "a bibcode: 19 characters such as 2003AJ....125..525J, or fewer and an asterisk, such as 2020ApJ*", is_bibcode
    ),
    "doi": FieldKind("a DOI, such as 10.1086/345794", is_doi, may_have_colon=True),
    "arxiv": FieldKind("an arXiv id, such as 1108.0669 or astro-ph/0601001", is_arxiv_id, may_have_colon=True),
    "orcid orcid_pub orcid_user orcid_other": FieldKind(
        "an ORCID iD, such as 0000-0002-1825-0097", _matches(r"[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]")
    ),
    "identifier": FieldKind(
        "a bibcode, DOI or arXiv id",
        lambda value: is_bibcode(value) or is_doi(value) or is_arxiv_id(value),
        may_have_colon=True,
    ),
    "property": _listed(
        "refereed notrefereed article nonarticle ads_openaccess author_openaccess eprint_openaccess pub_openaccess "
        "openaccess ocrabstract ocr_abstract esource data associated inspire presentation toc librarycatalog "
        "library_catalog private"
    ),
    "doctype": _listed(
        "abstract article book bookreview catalog circular editorial eprint erratum inbook inproceedings mastersthesis "
        "misc newsletter obituary phdthesis pressrelease proceedings proposal software talk techreport"
    ),
    "database collection": _listed("astronomy physics general earthscience"),
}
FIELDS = {name: kind for names, kind in _KINDS.items() for name in names.split()}
"""What each field takes, by its name in lower case."""

_SORTS = (
    "author|author_count|bibcode|citation_count|citation_count_norm|classic_factor|date|entry_date|first_author|"
    "read_count|score"
)
_OF_QUERIES = "citations references reviews instructive trending useful"
FUNCTIONS = {
    **{name: ("Q", f'{name}(abs:"dark energy")') for name in _OF_QUERIES.split()},
    "similar": ("Q.*", 'similar(abs:"dark energy")'),
    "topn": (rf"[1-9]\d*,Q(?:,(?:{_SORTS})\s+(?:asc|desc))*", 'topn(10, abs:"dark energy", citation_count desc)'),
    "pos": (r"Q(?:,-?[1-9]\d*){1,2}", 'pos(author:"Oort, J", 2)'),
    "docs": ("Q.*", "docs(library/hHGU1Ef-TpacAhicI3J8kQ)"),
}
"""A pattern for the arguments of each function, where Q stands for a query, and an example."""
