"""Parses an ADS query and reports everything that ADS would reject, with its position and a fix.

A syntax error, such as an unclosed parenthesis, is reported on its own; wrong fields, functions and values are reported
together.
"""

import re
import unicodedata
from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from pathfinder.answering.ads_query.fields import (
    CURLY_QUOTES,
    FIELDS,
    FUNCTIONS,
    OPERATORS,
    QUERY_FUNCTIONS,
    RANGED,
    SORTS,
    VALUES,
    FieldKind,
    as_token,
    as_tree,
    is_token,
    lark_parser,
    place_of,
)
from pathfinder.text.identifiers import is_arxiv_id, is_bibcode, is_doi

if TYPE_CHECKING:
    from lark import Token, Tree, UnexpectedToken

    from pathfinder.answering.ads_query.fields import Node


MAX_DEPTH = 20
"""Maximum depth of nested parentheses."""
_CURLY = re.compile(f"[{CURLY_QUOTES}]")
_PARENTHESIS = re.compile(r'"[^"]*"|(?P<open>\()|(?P<close>\))')


@dataclass(frozen=True, slots=True)
class Term:
    """A value to search for in `field`, or in every field if `field` is `None`."""

    field: str | None
    value: str
    place: int
    """Position of its first character, counted from 1."""
    is_excluded: bool


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A parsed query: its terms and its faults."""

    terms: tuple[Term, ...]
    """Terms of the query; empty if it breaks the grammar."""
    faults: tuple[str, ...]
    """Faults in order of position, each with its position (counted from 1) and a fix."""


def parse(query: str) -> ParsedQuery:
    """Parse `query`; anything wrong with it is reported in the result, not raised."""
    curly = [
        (match.start() + 1, f'{match[0]} is a curly quote: use straight quotes, "') for match in _CURLY.finditer(query)
    ]
    terms, faults = _read(_CURLY.sub('"', query))
    faults = sorted([*curly, *invisible_characters(query), *faults])
    return ParsedQuery(tuple(terms), tuple(dict.fromkeys(f"character {place}: {text}" for place, text in faults)))


def _read(query: str) -> tuple[list[Term], list[tuple[int, str]]]:
    """Return the terms of `query`, and the position and description of each fault."""
    from lark import UnexpectedToken

    if too_deep := _too_deep(query):
        return [], [(too_deep, f"parentheses are nested more than {MAX_DEPTH} deep: use fewer levels")]
    try:
        tree = lark_parser().parse(query)
    except UnexpectedToken as error:
        return [], [syntax_fault(error, query)]
    reader = _TermReader(query)
    reader.read_sequence(as_tree(tree.children[0]))
    return reader.terms, reader.faults


def _too_deep(query: str) -> int | None:
    """Return the position of the first parenthesis that is nested too deeply; `None` if there is none."""
    depth = 0
    for match in _PARENTHESIS.finditer(query):
        depth += (match["open"] is not None) - (match["close"] is not None)
        if depth > MAX_DEPTH:
            return match.start() + 1
    return None


class _TermReader:
    """Collects the terms of a syntactically valid query, and any invalid fields, functions and values."""

    def __init__(self, query: str) -> None:
        self._query = query
        self.terms: list[Term] = []
        self.faults: list[tuple[int, str]] = []

    def _fault(self, token: "Token", text: str) -> None:
        self.faults.append((place_of(token), text))

    def read_sequence(self, tree: "Tree[Token]", field: str | None = None) -> None:
        """Read terms and operators, either inside the parentheses of `field` or outside all parentheses."""
        for child in tree.children:
            if is_token(child, "FOREIGN"):
                self._fault(as_token(child), foreign_operator(as_token(child)))
        are_excluded = [self._clause(as_tree(child), field) for child in tree.children if not is_token(child)]
        if all(are_excluded):
            self.faults.append(((tree.meta.start_pos or 0) + 1, "this only excludes papers: add a term to search for"))

    def _clause(self, tree: "Tree[Token]", field: str | None) -> bool:
        """Read one term with its signs, and return whether the term is excluded."""
        *signs, content = tree.children
        is_excluded = "NOT" in signs or "-" in signs
        if is_token(content, "EMPTY_FIELD"):
            token = as_token(content)
            self._field_name(token)
            is_spaced = self._query[token.end_pos :][:1] not in {")", ","}
            self._fault(
                token, f"{token} has no value: add one directly after the colon{', without a space' * is_spaced}"
            )
        elif (inner := as_tree(content)).data == "group":
            self.read_sequence(as_tree(inner.children[1]), field)
        elif inner.data == "function":
            self._function(inner)
        elif inner.data == "fielded":
            self._read_field(inner, field, is_excluded)
        else:
            self._value(as_token(inner.children[0]), "", field, is_excluded)
        return is_excluded

    def _field_name(self, token: "Token") -> str:
        name = token[:-1].casefold()
        if name not in FIELDS:
            self._fault(token, f"ADS has no field {token[:-1]}{_suggestion(name, FIELDS)}")
        return name

    def _read_field(self, tree: "Tree[Token]", outer: str | None, is_excluded: bool) -> None:
        token, signs, inner = as_token(tree.children[0]), tree.children[1:-1], as_tree(tree.children[-1])
        if outer is not None:
            self._fault(token, f"{token} is inside {outer}:(...): close that parenthesis first")
        name = self._field_name(token)
        if "-" in signs and FIELDS.get(name) is not FieldKind.YEAR:
            self._fault(token, f"put the minus sign before the field: write -{token}")
        elif inner.data == "group":
            self.read_sequence(as_tree(inner.children[1]), name)
        else:
            self._value(as_token(inner.children[0]), "".join(map(str, signs)).replace("=", ""), name, is_excluded)

    def _value(self, token: "Token", sign: str, field: str | None, is_excluded: bool) -> None:
        text = token[1 : token.rindex('"')] if token.type == "PHRASE" else str(token)
        if token.type == "UNCLOSED":
            self._fault(token, 'this quotation mark is never closed: add " at the end of the phrase')
        elif not text.strip():
            self._fault(token, "these quotation marks are empty: add a term between them")
        else:
            self.terms.append(Term(field, sign + text, place_of(token), is_excluded))
            if fault := self._value_fault(token, sign + text, field):
                self._fault(token, fault)

    def _value_fault(self, token: "Token", value: str, field: str | None) -> str | None:
        kind = FIELDS.get(field or "", FieldKind.TEXT)
        if token.type == "RANGE":
            if field is None:
                return f"{value} is a range without a field: put one before it, as in year:[2010 TO *]"
            return range_fault(kind, field, value)
        if token.type == "WORD":
            following = self._query[token.end_pos :].split(maxsplit=1)
            if fault := foreign_word(kind, field, value, following[0] if following else ""):
                return fault
            value = re.sub(r"(?<=\w)[~^][\d.]*$", "", value)
        field = field or "the search"
        if not value.strip(' ^*?"'):
            return None if value.strip() == "*" else f"{field} has nothing to search for: add a value after the colon"
        return _WORD_CHECKS.get(kind, _anything)(field, value)

    def _function(self, tree: "Tree[Token]") -> None:
        token, arguments = (
            as_token(tree.children[0]),
            [as_tree(child) for child in tree.children if not is_token(child)],
        )
        if token.casefold() not in FUNCTIONS:
            self._fault(token, f"ADS has no function {token}(){_suggestion(token.casefold(), FUNCTIONS)}")
        texts = [self._query[argument.meta.start_pos : argument.meta.end_pos] for argument in arguments]
        place = 1 if token.casefold() == "topn" and len(arguments) > 1 else 0
        self.read_sequence(arguments[place])
        if fault := _arguments_fault(token, texts):
            self._fault(token, fault)


def _arguments_fault(function: str, texts: Sequence[str]) -> str | None:
    """Describe what is wrong with the arguments of a function, other than queries; `None` if they are valid."""
    name, others = function.casefold(), texts[1:]
    if name == "topn":
        if len(texts) < 2 or not re.fullmatch(r"[1-9]\d*", texts[0]):
            return 'topn() takes a number first, then a query: write topn(10, abs:"dark energy")'
        wrong = [text for text in texts[2:] if not re.fullmatch(rf"(?:{'|'.join(sorted(SORTS))})\s+(?:asc|desc)", text)]
        return f"topn() cannot sort by {wrong[0]!r}: use, for example, citation_count desc" if wrong else None
    if name == "pos" and (len(others) not in (1, 2) or not all(re.fullmatch(r"-?[1-9]\d*", text) for text in others)):
        return 'pos() takes a field and one or two positions: write pos(author:"Oort, J", 2)'
    if others and name != "similar" and name in QUERY_FUNCTIONS:
        return f"{function}() takes a single query: remove {', '.join(others)}"
    return None


def _suggestion(name: str, names: Mapping[str, object] | Set[str]) -> str:
    """Suggest a field or function from `names` to replace an unknown name."""
    near = get_close_matches(name, sorted(names), n=1, cutoff=0.6)
    if near:
        return f": did you mean {near[0]}?"
    if isinstance(names, Mapping):
        return ": search in abs (title, abstract and keywords), author, year, bibstem, object or full"
    return f": it has {', '.join(sorted(names))}"


# Describes syntax errors in an ADS query, and words and symbols that ADS would misread, with their remedies.

_FOREIGN_OPERATORS = {"&&": "AND", "&": "AND", "||": "OR", "|": "OR", "!": "NOT"}
_NAME_BEFORE_COMMA = re.compile(
    r"(?<![a-z_])(?P<field>[a-z_]{0,20}author[a-z_]{0,20}):\(?(?P<last>[^\s\"(),]+)$", re.IGNORECASE
)
_WITH_COLON = (FieldKind.IDENTIFIER, FieldKind.ARXIV, FieldKind.DOI)
"""Kinds of value that may contain a colon without being quoted: arXiv:1108.0669, and the DOIs of some journals."""
_COLON = re.compile(r"(?<!\\):")
_PARAMETER = re.compile(r"&?[A-Za-z.]+=.*|&.+")
_SINGLE_QUOTES = "'`´‘’‚‛′"


def syntax_fault(error: "UnexpectedToken", query: str) -> tuple[int, str]:
    """Return the position and description of a syntax error."""
    token, stack = error.token, list(error.interactive_parser.parser_state.value_stack)
    before = as_token(stack[-1]) if stack and is_token(stack[-1]) else None
    if token.type == "FOREIGN":
        return place_of(token), foreign_operator(token)
    if before is not None and before.type == "FIELD":
        return place_of(before), f"{before} has no value: add one directly after the colon"
    if token.type in OPERATORS or (before is not None and before.type in OPERATORS):
        if before is None or before.type not in OPERATORS:
            return place_of(token), f"{token} has nothing before it: add a term there, or remove {token}"
        if token.type in OPERATORS:
            return place_of(token), f"{before} {token} are two operators in a row: keep only one"
        return place_of(before), f"{before} has nothing after it: add a term there, or remove {before}"
    return _comma_fault(token, query) if token.type == "COMMA" else _parenthesis_fault(token, stack, len(query))


def foreign_operator(token: "Token") -> str:
    """Describe an operator from another search engine."""
    proper = _FOREIGN_OPERATORS.get(token, token.upper())
    return f"ADS does not know the operator {token}: write {proper}, or put it in quotes to search for it as a word"


def _comma_fault(token: "Token", query: str) -> tuple[int, str]:
    if name := _NAME_BEFORE_COMMA.search(query[: token.start_pos]):
        first = re.match(r"[^\s\"(),]+", query[token.end_pos :].lstrip())
        better = f'{name["field"]}:"{name["last"]}, {first[0] if first else "F"}"'
        return name.start("last") + 1, f"a name with a comma needs straight quotes: write {better}"
    return place_of(token), "a comma does not separate terms: put names in straight quotes, and AND or OR between terms"


def _parenthesis_fault(token: "Token", stack: "Sequence[Node]", length: int) -> tuple[int, str]:
    open_parentheses = [as_token(node) for node in stack if is_token(node, "OPEN")]
    if token.type == "CLOSE" and not open_parentheses:
        return place_of(token), "this closing parenthesis has no match: remove it, or open one before it"
    if token.type == "CLOSE" and len(stack) > 1 and is_token(stack[-2], "FUNCTION"):
        return place_of(as_token(stack[-2])), f"{stack[-2]}() has no query: write one between its parentheses"
    if token.type == "CLOSE":
        return place_of(token), "there is nothing to search for: add a term"
    if token.type == "$END" and open_parentheses:
        return place_of(open_parentheses[-1]), "this parenthesis is never closed: add ) where it should end"
    place = length if token.type == "$END" else place_of(token)
    return place, f"{token} is not allowed here: remove it, or put it in straight quotes"


def foreign_word(kind: FieldKind, field: str | None, word: str, following: str) -> str | None:
    """Describe what is wrong with a word that ADS would misread; `following` is the text after the word."""
    if word[0] in _SINGLE_QUOTES:
        return f'{word[0]} is not a quotation mark in ADS: use straight double quotes, as in abs:"dark energy"'
    if field is None and _PARAMETER.fullmatch(word):
        return f"{word} belongs to a web address, not a query: write only the terms"
    if _COLON.search(word) and kind not in _WITH_COLON and word != "*:*":
        return (
            f'in {word}, a colon separates a field from its value: write one field and one colon, or put "{word}" in '
            "quotes"
        )
    return _word_without_field(word, following) if field is None else None


def invisible_characters(query: str) -> Iterator[tuple[int, str]]:
    """Yield the position and description of each invisible character."""
    for place, sign in enumerate(query, start=1):
        if unicodedata.category(sign).startswith("C"):
            yield place, f"there is an invisible character here, U+{ord(sign):04X}: remove it"


def _word_without_field(word: str, following: str) -> str | None:
    if "<" in word or ">" in word:
        return f"ADS does not support comparisons such as {word}: write a range, as in citation_count:[101 TO *]"
    if word == "TO" or word.strip("~") == "":
        return (
            f"{word} cannot stand alone: write it inside a range, as in year:[2010 TO 2015], or directly after a phrase"
        )
    if word in ("SELECT", "WHERE") or (word.casefold() in ("sort", "order") and following.casefold() == "by"):
        return f'ADS queries have no {word}: write only terms; to sort, use topn(10, abs:"dark energy", date desc)'
    return None


# Checks whether the value of a field is one that ADS accepts.

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


def range_fault(kind: FieldKind, field: str, value: str) -> str | None:
    """Describe what is wrong with `value`, a range in square brackets; `None` if it is valid."""
    if field in RANGED:
        kind = FieldKind.NUMBER
    if kind not in (FieldKind.YEAR, FieldKind.DATE, FieldKind.NUMBER):
        return f"{field} contains words, not ranges such as {value}: write a word, or a phrase in straight quotes"
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
