"""Fields, functions and fixed values that an ADS query can use.

Taken from ADS's own help pages, "Search Syntax" and "Comprehensive List of Solr Fields & Operators", as of 2024; fields
used only for facets, sorting or curation are left out.
"""

from enum import Enum, auto


class FieldKind(Enum):
    """Kinds of value that can follow a field and its colon."""

    TEXT = auto()
    """A word, or a phrase in straight quotes."""
    AUTHOR = auto()
    """A name in the form "Last, First"; a ^ in front of it means the first author."""
    YEAR = auto()
    """A year or range, such as 2010, 2010-2023 or [2010 TO *]."""
    DATE = auto()
    """A date or range, such as 2010-05, 2010-05-17 or [2010-05 TO 2011-02]."""
    NUMBER = auto()
    """A number or range, such as 40 or [10 TO *]."""
    BIBCODE = auto()
    """A bibcode: all 19 characters, or fewer followed by an asterisk."""
    DOI = auto()
    ARXIV = auto()
    ORCID = auto()
    IDENTIFIER = auto()
    """A bibcode, DOI or arXiv id."""
    PROPERTY = auto()
    DOCTYPE = auto()
    DATABASE = auto()


_KINDS = {
    FieldKind.TEXT: "abs abstract ack aff aff_id affil alternate_title arxiv_class bibgroup bibstem body caption "
    "copyright data editor eid esources facility full grant id inst institution isbn issn issue keyword keyword_norm "
    "lang nedid nedtype object page pub pub_raw pubnote series simbid simbtype title uat vizier volume",
    FieldKind.AUTHOR: "author author_norm first_author first_author_norm book_author",
    FieldKind.YEAR: "year",
    FieldKind.DATE: "pubdate date entdate entry_date",
    FieldKind.NUMBER: "author_count citation_count citation_count_norm page_count read_count",
    FieldKind.BIBCODE: "bibcode alternate_bibcode citation reference",
    FieldKind.DOI: "doi",
    FieldKind.ARXIV: "arxiv",
    FieldKind.ORCID: "orcid orcid_pub orcid_user orcid_other",
    FieldKind.IDENTIFIER: "identifier",
    FieldKind.PROPERTY: "property",
    FieldKind.DOCTYPE: "doctype",
    FieldKind.DATABASE: "database collection",
}
FIELDS = {name: kind for kind, names in _KINDS.items() for name in names.split()}
"""Kind of each field, by its name in lower case."""

VALUES = {
    FieldKind.PROPERTY: frozenset(
        "refereed notrefereed article nonarticle ads_openaccess author_openaccess eprint_openaccess pub_openaccess "
        "openaccess ocrabstract ocr_abstract esource data associated inspire presentation toc librarycatalog "
        "library_catalog private".split()
    ),
    FieldKind.DOCTYPE: frozenset(
        "abstract article book bookreview catalog circular editorial eprint erratum inbook inproceedings "
        "mastersthesis misc newsletter obituary phdthesis pressrelease proceedings proposal software talk "
        "techreport".split()
    ),
    FieldKind.DATABASE: frozenset("astronomy physics general earthscience".split()),
}
"""Valid values for each field that accepts only values from a list."""

QUERY_FUNCTIONS = frozenset("citations references reviews instructive trending useful similar".split())
"""Functions that take a query; `similar` also accepts a text followed by the word `input`."""

FUNCTIONS = QUERY_FUNCTIONS | {"topn", "pos", "docs"}

RANGED = frozenset("volume issue page".split())
"""Fields of text whose values may be ranges, because they are numbered."""

SORTS = frozenset(
    "author author_count bibcode citation_count citation_count_norm classic_factor date entry_date first_author "
    "read_count score".split()
)
"""Sort orders that `topn` accepts."""
