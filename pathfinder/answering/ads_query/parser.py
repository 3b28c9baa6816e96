"""Parses an ADS query and reports everything that ADS would reject, with its position and a fix.

A syntax error, such as an unclosed parenthesis, is reported on its own; wrong fields, functions and values are reported
together.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, cast

from pathfinder.answering.ads_query.fields import FIELDS, FUNCTIONS, QUERY_FUNCTIONS, SORTS, Kind
from pathfinder.answering.ads_query.values import range_fault, word_fault

if TYPE_CHECKING:
    from lark import Lark, Token, Tree, UnexpectedToken

    Node: TypeAlias = Tree[Token] | Token

MAX_DEPTH = 20
"""Maximum depth of nested parentheses."""

_CURLY_QUOTES = "“”„‟«»″"
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
WORD.1: /\^[^\s"():,]+(?:,\s*[^\s"():,]+)?|[^\s"(),{_CURLY_QUOTES}]+|./s
SPACE.9: /\s+/
%ignore SPACE
"""
"""A field inside a field is a fault, but identifier:arXiv:1108.0669 is a single value, so `FIELD` leaves it to `WORD`.
"""

_OPERATORS = ("JOIN", "NOT", "FOREIGN")
_FOREIGN_OPERATORS = {"&&": "AND", "&": "AND", "||": "OR", "|": "OR", "!": "NOT"}
_CURLY = re.compile(f"[{_CURLY_QUOTES}]")
_PARENTHESIS = re.compile(r'"[^"]*"|(?P<open>\()|(?P<close>\))')
_NAME_BEFORE_COMMA = re.compile(r"(?P<field>[a-z_]*author[a-z_]*):\(?(?P<last>[^\s\"(),]+)$", re.IGNORECASE)
_WITH_COLON = (Kind.IDENTIFIER, Kind.ARXIV, Kind.DOI)
"""Kinds of value that may contain a colon without quotes: arXiv:1108.0669, and the DOIs of some journals."""
_COLON = re.compile(r"(?<!\\):")
_PARAMETER = re.compile(r"&?[A-Za-z.]+=.*|&.+")
_SINGLE_QUOTES = "'`´‘’‚‛′"


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


@cache
def _parser() -> "Lark":
    # Imported only when the first query is parsed, because few questions lead to a query.
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr", lexer="basic", propagate_positions=True)


def parse(query: str) -> ParsedQuery:
    """Parse `query`; anything wrong with it is reported in the result, not raised."""
    curly = [
        (match.start() + 1, f'{match[0]} is a curly quote: use straight quotes, "') for match in _CURLY.finditer(query)
    ]
    terms, faults = _read(_CURLY.sub('"', query))
    faults = sorted([*curly, *_unseen(query), *faults])
    return ParsedQuery(tuple(terms), tuple(dict.fromkeys(f"character {place}: {text}" for place, text in faults)))


def _read(query: str) -> tuple[list[Term], list[tuple[int, str]]]:
    """Return the terms of `query`, and the position and description of each fault."""
    from lark import UnexpectedToken

    if too_deep := _too_deep(query):
        return [], [(too_deep, f"parentheses are nested more than {MAX_DEPTH} deep: use fewer levels")]
    try:
        tree = _parser().parse(query)
    except UnexpectedToken as error:
        return [], [_syntax_fault(error, query)]
    reader = _Reader(query)
    reader.read_sequence(_tree(tree.children[0]))
    return reader.terms, reader.faults


def _too_deep(query: str) -> int | None:
    """Return the position of the first parenthesis that is nested too deeply; `None` if there is none."""
    depth = 0
    for match in _PARENTHESIS.finditer(query):
        depth += (match["open"] is not None) - (match["close"] is not None)
        if depth > MAX_DEPTH:
            return match.start() + 1
    return None


class _Reader:
    """Collects the terms of a syntactically valid query, and its wrong fields, functions and values."""

    def __init__(self, query: str) -> None:
        self._query = query
        self.terms: list[Term] = []
        self.faults: list[tuple[int, str]] = []

    def _fault(self, token: "Token", text: str) -> None:
        self.faults.append((_place(token), text))

    def read_sequence(self, tree: "Tree[Token]", field: str | None = None) -> None:
        """Read terms and operators, either inside the parentheses of `field` or outside all parentheses."""
        for child in tree.children:
            if _is_token(child, "FOREIGN"):
                self._fault(_token(child), _foreign_operator(_token(child)))
        are_excluded = [self._clause(_tree(child), field) for child in tree.children if not _is_token(child)]
        if all(are_excluded):
            self.faults.append(((tree.meta.start_pos or 0) + 1, "this only excludes papers: add a term to search for"))

    def _clause(self, tree: "Tree[Token]", field: str | None) -> bool:
        """Read one term with its signs, and return whether the term is excluded."""
        *signs, content = tree.children
        is_excluded = "NOT" in signs or "-" in signs
        if _is_token(content, "EMPTY_FIELD"):
            self._empty_field(_token(content))
        elif (inner := _tree(content)).data == "group":
            self.read_sequence(_tree(inner.children[1]), field)
        elif inner.data == "function":
            self._function(inner)
        elif inner.data == "fielded":
            self._fielded(inner, field, is_excluded)
        else:
            self._value(_token(inner.children[0]), "", field, is_excluded)
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

    def _fielded(self, tree: "Tree[Token]", outer: str | None, is_excluded: bool) -> None:
        token, signs, inner = _token(tree.children[0]), tree.children[1:-1], _tree(tree.children[-1])
        if outer is not None:
            self._fault(token, f"{token} is inside {outer}:(...): close that parenthesis first")
        name = self._field_name(token)
        if "-" in signs and FIELDS.get(name) is not Kind.YEAR:
            self._fault(token, f"put the minus sign before the field: write -{token}")
        elif inner.data == "group":
            self.read_sequence(_tree(inner.children[1]), name)
        else:
            self._value(_token(inner.children[0]), "".join(map(str, signs)).replace("=", ""), name, is_excluded)

    def _value(self, token: "Token", sign: str, field: str | None, is_excluded: bool) -> None:
        text = token[1 : token.rindex('"')] if token.type == "PHRASE" else str(token)
        if token.type == "UNCLOSED":
            self._fault(token, 'this quotation mark is never closed: add " at the end of the phrase')
        elif not text.strip():
            self._fault(token, "these quotation marks are empty: add a term between them")
        else:
            self.terms.append(Term(field, sign + text, _place(token), is_excluded))
            if fault := self._value_fault(token, sign + text, field):
                self._fault(token, fault)

    def _value_fault(self, token: "Token", value: str, field: str | None) -> str | None:
        kind = FIELDS.get(field or "", Kind.TEXT)
        if token.type == "RANGE":
            if field is None:
                return f"{value} is a range without a field: put one before it, as in year:[2010 TO *]"
            return range_fault(kind, field, value)
        if token.type == "WORD":
            following = self._query[token.end_pos :].split(maxsplit=1)
            if fault := _foreign_word(kind, field, value, following[0] if following else ""):
                return fault
            value = re.sub(r"(?<=\w)[~^][\d.]*$", "", value)
        return word_fault(kind, field or "the search", value)

    def _function(self, tree: "Tree[Token]") -> None:
        token, arguments = _token(tree.children[0]), [_tree(child) for child in tree.children if not _is_token(child)]
        if token.casefold() not in FUNCTIONS:
            self._fault(token, f"ADS has no function {token}(){_suggestion(token.casefold(), FUNCTIONS)}")
        texts = [self._query[argument.meta.start_pos : argument.meta.end_pos] for argument in arguments]
        place = 1 if token.casefold() == "topn" and len(arguments) > 1 else 0
        self.read_sequence(arguments[place])
        if fault := _arguments_fault(token, texts):
            self._fault(token, fault)


def _arguments_fault(function: str, texts: Sequence[str]) -> str | None:
    """Describe what is wrong with the arguments of a function that are not queries themselves."""
    name, others = function.casefold(), texts[1:]
    if name == "topn":
        if len(texts) < 2 or not re.fullmatch(r"[1-9]\d*", texts[0]):
            return 'topn() takes a number first, then a query: write topn(10, abs:"dark energy")'
        wrong = [text for text in texts[2:] if not re.fullmatch(rf"(?:{'|'.join(sorted(SORTS))})\s+(?:asc|desc)", text)]
        return f"topn() cannot sort by {wrong[0]!r}: use, for example, citation_count desc" if wrong else None
    if name == "pos" and (len(others) not in (1, 2) or not all(re.fullmatch(r"[1-9]\d*", text) for text in others)):
        return 'pos() takes a field and one or two positions: write pos(author:"Oort, J", 2)'
    if others and name != "similar" and name in QUERY_FUNCTIONS:
        return f"{function}() takes a single query: remove {', '.join(others)}"
    return None


def _syntax_fault(error: "UnexpectedToken", query: str) -> tuple[int, str]:
    """Return the position and description of a syntax error."""
    token, read = error.token, list(error.interactive_parser.parser_state.value_stack)
    before = _token(read[-1]) if read and _is_token(read[-1]) else None
    if token.type == "FOREIGN":
        return _place(token), _foreign_operator(token)
    if before is not None and before.type == "FIELD":
        return _place(before), f"{before} has no value: add one directly after the colon"
    if token.type in _OPERATORS or (before is not None and before.type in _OPERATORS):
        return _operator_fault(token, before)
    return _comma_fault(token, query) if token.type == "COMMA" else _parenthesis_fault(token, read, len(query))


def _operator_fault(token: "Token", before: "Token | None") -> tuple[int, str]:
    if before is None or before.type not in _OPERATORS:
        return _place(token), f"{token} has nothing before it: add a term there, or remove {token}"
    if token.type in _OPERATORS:
        return _place(token), f"{before} {token} are two operators in a row: keep only one"
    return _place(before), f"{before} has nothing after it: add a term there, or remove {before}"


def _foreign_operator(token: "Token") -> str:
    proper = _FOREIGN_OPERATORS.get(token, token.upper())
    return f"ADS does not know the operator {token}: write {proper}, or put it in quotes to search for it as a word"


def _comma_fault(token: "Token", query: str) -> tuple[int, str]:
    if name := _NAME_BEFORE_COMMA.search(query[: token.start_pos]):
        first = re.match(r"[^\s\"(),]+", query[token.end_pos :].lstrip())
        better = f'{name["field"]}:"{name["last"]}, {first[0] if first else "F"}"'
        return name.start("last") + 1, f"a name with a comma needs straight quotes: write {better}"
    return _place(token), "a comma does not separate terms: put names in straight quotes, and AND or OR between terms"


def _parenthesis_fault(token: "Token", read: "Sequence[Node]", length: int) -> tuple[int, str]:
    opened = [_token(node) for node in read if _is_token(node, "OPEN")]
    if token.type == "CLOSE" and not opened:
        return _place(token), "this closing parenthesis has no match: remove it, or open one before it"
    if token.type == "CLOSE" and len(read) > 1 and _is_token(read[-2], "FUNCTION"):
        return _place(_token(read[-2])), f"{read[-2]}() has no query: write one between its parentheses"
    if token.type == "CLOSE":
        return _place(token), "there is nothing to search for: add a term"
    if token.type == "$END" and opened:
        return _place(opened[-1]), "this parenthesis is never closed: add ) where it should end"
    place = length if token.type == "$END" else _place(token)
    return place, f"{token} is not allowed here: remove it, or put it in straight quotes"


def _place(token: "Token") -> int:
    return (token.start_pos or 0) + 1


def _is_token(node: "Node", kind: str | None = None) -> bool:
    """Return whether `node` is a token and, if `kind` is given, a token of that kind."""
    return isinstance(node, str) and (kind is None or getattr(node, "type", None) == kind)


def _token(node: "Node") -> "Token":
    return cast("Token", node)


def _tree(node: "Node") -> "Tree[Token]":
    return cast("Tree[Token]", node)


def _suggestion(name: str, known: Mapping[str, object] | Set[str]) -> str:
    """Suggest a field or function from `known` in place of an unknown name."""
    near = get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    if near:
        return f": did you mean {near[0]}?"
    if isinstance(known, Mapping):
        return ": search in abs (title, abstract and keywords), author, year, bibstem, object or full"
    return f": it has {', '.join(sorted(known))}"


def _foreign_word(kind: Kind, field: str | None, word: str, following: str) -> str | None:
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


def _word_without_field(word: str, following: str) -> str | None:
    if "<" in word or ">" in word:
        return f"ADS does not support comparisons such as {word}: write a range, as in citation_count:[101 TO *]"
    if word == "TO" or word.strip("~") == "":
        return f"{word} stands alone: write it inside a range, as in year:[2010 TO 2015], or directly after a phrase"
    if word in ("SELECT", "WHERE") or (word.casefold() in ("sort", "order") and following.casefold() == "by"):
        return f'ADS queries have no {word}: write only terms; to sort, use topn(10, abs:"dark energy", date desc)'
    return None


def _unseen(query: str) -> Iterator[tuple[int, str]]:
    """Yield the position and description of each invisible character."""
    for place, sign in enumerate(query, start=1):
        if unicodedata.category(sign).startswith("C"):
            yield place, f"there is an invisible character here, U+{ord(sign):04X}: remove it"
