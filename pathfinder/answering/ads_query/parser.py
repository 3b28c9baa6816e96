"""Parses an ADS query and reports everything that ADS would reject, with its position and a fix.

A syntax error, such as an unclosed parenthesis, is reported on its own; wrong fields, functions and values are reported
together.
"""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from pathfinder.answering.ads_query.fields import FIELDS, FUNCTIONS, QUERY_FUNCTIONS, SORTS, FieldKind
from pathfinder.answering.ads_query.grammar import CURLY_QUOTES, as_token, as_tree, is_token, lark_parser, place_of
from pathfinder.answering.ads_query.syntax_faults import (
    foreign_operator,
    foreign_word,
    invisible_characters,
    syntax_fault,
)
from pathfinder.answering.ads_query.values import range_fault, word_fault

if TYPE_CHECKING:
    from lark import Token, Tree


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
            self._empty_field(as_token(content))
        elif (inner := as_tree(content)).data == "group":
            self.read_sequence(as_tree(inner.children[1]), field)
        elif inner.data == "function":
            self._function(inner)
        elif inner.data == "fielded":
            self._read_field(inner, field, is_excluded)
        else:
            self._value(as_token(inner.children[0]), "", field, is_excluded)
        return is_excluded

    def _empty_field(self, token: "Token") -> None:
        self._field_name(token)
        is_spaced = self._query[token.end_pos :][:1] not in {")", ","}
        self._fault(token, f"{token} has no value: add one directly after the colon{', without a space' * is_spaced}")

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
        return word_fault(kind, field or "the search", value)

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
