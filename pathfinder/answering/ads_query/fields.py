"""Fields, functions and fixed values that an ADS query can use.

Taken from ADS's own help pages, "Search Syntax" and "Comprehensive List of Solr Fields & Operators", as of 2024; fields
used only for facets, sorting or curation are left out.
"""

from enum import Enum, auto
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, cast


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

# Grammar of an ADS query, for Lark, and its tokens.

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

    Node: TypeAlias = Tree[Token] | Token

CURLY_QUOTES = "“”„‟«»″"
_GRAMMAR = rf"""
start: sequence
sequence: clause ((JOIN | FOREIGN)? clause)*
clause: NOT? SIGN* (group | function | fielded | EMPTY_FIELD | value)
group: OPEN sequence CLOSE
function: FUNCTION OPEN sequence (COMMA sequence)* CLOSE
fielded: FIELD SIGN* (group | value)
value: WORD | PHRASE | UNCLOSED | RANGE

EMPTY_FIELD.9: /[A-Za-z_][\w.-]*:(?=[\s),]|$)/
FIELD.8: /(?<!:)[A-Za-z_][\w.-]*:|[A-Za-z_][\w.-]*:(?!(?<=[Aa][Rr][Xx][Ii][Vv]:)[\w.-]+[.\/]\d)/
FUNCTION.7: /[A-Za-z_]+(?=\()/
OPEN.6: "("
CLOSE.6: ")"
COMMA.6: ","
JOIN.5: /(?:AND|OR|NEAR\d*)(?=[\s()"]|$)/
NOT.5: /NOT(?=[\s()"]|$)/
FOREIGN.5: /(?<![^\s()"])(?:&&?|\|\|?|!|and|or|not)(?=[\s()"]|$)/
SIGN.4: /[-+=](?=[\w"(^*?=])/
PHRASE.3: /"[^"]*"(?:~\d+)?(?:\^[\d.]+)?/
UNCLOSED.2: /"[^"]*$/
RANGE.2: /[\[{{][^\]}}]*[\]}}]?/
WORD.1: /\^[^\s"():,]+(?:,\s*[^\s"():,]+)?|[^\s"(),{CURLY_QUOTES}]+|./s
SPACE.9: /\s+/
%ignore SPACE
"""
"""A field inside a field is a fault, but arXiv:1108.0669 in identifier:arXiv:1108.0669 is a single value: `FIELD` does
not match its beginning, so that `WORD` matches all of it.
"""

OPERATORS = ("JOIN", "NOT", "FOREIGN")


@cache
def lark_parser() -> "Lark":
    """Return the parser, which is built only when the first query is parsed, because few questions lead to a query."""
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr", lexer="basic", propagate_positions=True)


def place_of(token: "Token") -> int:
    """Return the position of a token's first character, counted from 1."""
    return (token.start_pos or 0) + 1


def is_token(node: "Node", kind: str | None = None) -> bool:
    """Return whether `node` is a token and, if `kind` is given, a token of that kind."""
    return isinstance(node, str) and (kind is None or getattr(node, "type", None) == kind)


def as_token(node: "Node") -> "Token":
    """Narrow a node of the tree to a token."""
    return cast("Token", node)


def as_tree(node: "Node") -> "Tree[Token]":
    """Narrow a node of the tree to a tree."""
    return cast("Tree[Token]", node)
