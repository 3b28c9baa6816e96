"""Parses an ADS query and reports everything that ADS would reject, with its position and a fix.

A syntax error, such as an unclosed parenthesis, is reported on its own; wrong fields, functions and values are reported
together.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any

from pathfinder.answering.ads_query.fields import FIELDS, FUNCTIONS, TEXT

if TYPE_CHECKING:
    from lark import Lark, UnexpectedToken

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
"""A field inside a field is a fault, but arXiv:1108.0669 in identifier:arXiv:1108.0669 is a single value: `FIELD` does
not match its beginning, so that `WORD` matches all of it.
"""
_CURLY = re.compile(f"[{_CURLY_QUOTES}]")
_PARENTHESIS = re.compile(r'"[^"]*"|(?P<open>\()|(?P<close>\))')
_FOREIGN_OPERATORS = {"&&": "AND", "&": "AND", "||": "OR", "|": "OR", "!": "NOT"}
_NAME_BEFORE_COMMA = re.compile(r"(?<![a-z_])[a-z_]{0,20}author[a-z_]{0,20}:\(?[^\s\"(),]+$", re.IGNORECASE)
_RANGE = re.compile(r"\[\s*(?P<first>[^\s\]]+)\s+TO\s+(?P<last>[^\s\]]+)\s*\]")
_YEARS = re.compile(r"(?P<first>[12][0-9]{3})-(?P<last>[12][0-9]{3})")
_STRANGE_WORDS = tuple(
    (re.compile(pattern), fault)
    for pattern, fault in (
        (r"&?[A-Za-z.]{1,40}=|&\S", "belongs to a web address, not a query: write only the terms"),
        (r"[^\s\"()]{0,40}[<>]", "compares, which ADS cannot: write a range, as in citation_count:[101 TO *]"),
        (
            r"(?:TO|~{1,9})(?=\s|$)",
            "cannot stand alone: write a range, as in year:[2010 TO 2015]",
        ),
        (
            r"(?:SELECT|WHERE|(?i:sort|order)(?=\s+(?i:by)))\b",
            'is not known to ADS: write only terms; to sort, use topn(10, abs:"dark energy", date desc)',
        ),
    )
)
"""Words without a field that ADS would search for, though they are meant otherwise."""


@cache
def _lark() -> "Lark":
    """Return the parser, which is built only when the first query is parsed, because few questions lead to a query."""
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr", lexer="basic", propagate_positions=True)


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
    reader = _Reader(_CURLY.sub('"', query))
    for place, sign in enumerate(query):
        if _CURLY.match(sign):
            reader.fault(place, f'{sign} is a curly quote: use straight quotes, "')
        elif unicodedata.category(sign).startswith("C"):
            reader.fault(place, f"there is an invisible character here, U+{ord(sign):04X}: remove it")
    reader.read()
    faults = (f"character {place + 1}: {text}" for place, text in sorted(reader.faults))
    return ParsedQuery(tuple(reader.terms), tuple(dict.fromkeys(faults)))


class _Reader:
    """Collects the terms and the faults of a query; positions are counted from 0."""

    def __init__(self, query: str) -> None:
        self._query = query
        self.terms: list[Term] = []
        self.faults: list[tuple[int, str]] = []

    def fault(self, where: Any, text: str) -> None:
        """Add a fault at a position, or at a token or tree of the parser."""
        self.faults.append((where if isinstance(where, int) else getattr(where, "meta", where).start_pos, text))

    def read(self) -> None:
        from lark import UnexpectedToken

        depth = 0
        for match in _PARENTHESIS.finditer(self._query):
            depth += (match["open"] is not None) - (match["close"] is not None)
            if depth > MAX_DEPTH:
                return self.fault(match.start(), f"parentheses are nested more than {MAX_DEPTH} deep: use fewer levels")
        try:
            tree = _lark().parse(self._query)
        except UnexpectedToken as error:
            self._syntax(error)
        else:
            self._sequence(tree.children[0])

    def _syntax(self, error: "UnexpectedToken") -> None:
        """Report the first syntax error."""
        token: Any = error.token
        stack: list[Any] = error.interactive_parser.parser_state.value_stack
        last = stack[-1] if stack and hasattr(stack[-1], "type") else None
        open_parentheses = [each for each in stack if getattr(each, "type", None) == "OPEN"]
        if token.type == "FOREIGN":
            self._foreign(token)
        elif last is not None and last.type == "OPEN":
            self.fault(token, "there is nothing to search for in these parentheses: add a term")
        elif last is not None:
            self.fault(last, f"{last} has nothing after it: add a term directly after it, or remove {last}")
        elif token.type in ("JOIN", "NOT"):
            self.fault(token, f"{token} has nothing before it: add a term there, or remove {token}")
        elif token.type == "COMMA" and _NAME_BEFORE_COMMA.search(self._query[: token.start_pos]):
            self.fault(token, 'a name with a comma needs straight quotes, as in author:"Huchra, J"')
        elif token.type == "COMMA":
            self.fault(token, "a comma does not separate terms: put names in straight quotes, and OR between terms")
        elif token.type == "CLOSE":
            self.fault(token, "this closing parenthesis has no match: remove it, or open one before it")
        elif token.type == "$END" and open_parentheses:
            self.fault(open_parentheses[-1], "this parenthesis is never closed: add ) where it should end")
        else:
            self.fault(token, f"{token} is not allowed here: remove it, or put it in straight quotes")

    def _foreign(self, token: Any) -> None:
        better = _FOREIGN_OPERATORS.get(token, token.upper())
        self.fault(token, f"ADS does not know the operator {token}: write {better}, or put the word in quotes")

    def _sequence(self, tree: Any, field: str | None = None) -> None:
        """Read terms and operators, either inside the parentheses of `field` or outside all parentheses."""
        for child in tree.children:
            if getattr(child, "type", None) == "FOREIGN":
                self._foreign(child)
        are_excluded = [self._clause(child, field) for child in tree.children if hasattr(child, "data")]
        if all(are_excluded):
            self.fault(tree, "this only excludes papers: add a term to search for")

    def _clause(self, tree: Any, field: str | None) -> bool:
        """Read one term with its signs, and return whether the term is excluded."""
        *signs, content = tree.children
        is_excluded = "NOT" in signs or "-" in signs
        if hasattr(content, "type"):
            self._kind(content)
            self.fault(content, f"{content} has no value: add one directly after the colon, without a space")
        elif content.data == "group":
            self._sequence(content.children[1], field)
        elif content.data == "function":
            self._function(content)
        elif content.data == "fielded":
            name, *inner_signs, inner = content.children
            if field is not None:
                self.fault(name, f"{name} is inside {field}:(...): close that parenthesis first")
            self._kind(name)
            own_field = name[:-1].casefold()
            if "-" in inner_signs:
                what = FIELDS.get(own_field, TEXT).what
                self.fault(name, f"put the minus sign before the field, as in -{name}, or write {what}")
            elif inner.data == "group":
                self._sequence(inner.children[1], own_field)
            else:
                self._value(inner.children[0], own_field, is_excluded=is_excluded)
        else:
            self._value(content.children[0], field, is_excluded=is_excluded)
        return is_excluded

    def _kind(self, token: Any) -> None:
        """Report the name of a field that ADS does not know."""
        name = token[:-1].casefold()
        if name not in FIELDS:
            near = _nearest(name, FIELDS)
            search = "search in abs (title, abstract and keywords), author, year, bibstem, object or full"
            self.fault(token, f"ADS has no field {token[:-1]}: {near or search}")

    def _function(self, tree: Any) -> None:
        name, *arguments = (child for child in tree.children if child not in ("(", ")", ","))
        place = 1 if name.casefold() == "topn" and len(arguments) > 1 else 0
        texts = [self._query[argument.meta.start_pos : argument.meta.end_pos] for argument in arguments]
        shape, example = FUNCTIONS.get(name.casefold(), (".*", ""))
        if not example:
            near = _nearest(name.casefold(), FUNCTIONS)
            self.fault(name, f"ADS has no function {name}(): {near or 'it has ' + ', '.join(sorted(FUNCTIONS))}")
        self._sequence(arguments[place])
        if not re.fullmatch(shape, ",".join("Q" if n == place else text for n, text in enumerate(texts))):
            self.fault(name, f"{name}() takes other arguments: write it as in {example}")

    def _value(self, token: Any, field: str | None, *, is_excluded: bool) -> None:
        text = token[1 : token.rindex('"')] if token.type == "PHRASE" else str(token)
        if token.type == "UNCLOSED":
            self.fault(token, 'this quotation mark is never closed: add " at the end of the phrase')
        elif not text.strip():
            self.fault(token, "these quotation marks are empty: add a term between them")
        else:
            self.terms.append(Term(field, text, token.start_pos + 1, is_excluded))
            if fault := self._value_fault(token, text, field):
                self.fault(token, fault)

    def _value_fault(self, token: Any, value: str, field: str | None) -> str | None:
        kind = FIELDS.get(field or "", TEXT)
        if token.type == "WORD":
            if value[0] in "'`´‘’‚‛′":
                return f'{value[0]} is not a quotation mark in ADS: use straight double quotes, as in abs:"dark energy"'
            for pattern, fault in _STRANGE_WORDS if field is None else ():
                if pattern.match(self._query, token.start_pos):
                    return f"{value} {fault}"
            if re.search(r"(?<!\\):", value) and not kind.may_have_colon and value != "*:*":
                return f'a colon separates a field from its value: write one, or put "{value}" in quotes'
            value = re.sub(r"(?<=\w)[~^][\d.]*$", "", value)
        if token.type == "RANGE":
            ends = _RANGE.fullmatch(value)
            if field is None:
                return f"{value} is a range without a field: put one before it, as in year:[2010 TO *]"
            if kind.is_end is None:
                return f"{field} takes no ranges such as {value}: write {kind.what}"
            if ends is None:
                return f"{value} is not a range, whose ends TO in capitals separates: write {kind.what}"
        else:
            ends = _YEARS.fullmatch(value) if field == "year" else None
        if ends and kind.is_end:
            first, last = (ends[side].strip('"') for side in ("first", "last"))
            for end in (first, last):
                if end != "*" and not kind.is_end(end):
                    return f"{end} cannot begin or end a range of {field}: write {kind.what}"
            if "*" not in (first, last) and "NOW" not in first + last and _order(first) > _order(last):
                return f"the range {value} runs backwards: write {field}:[{last} TO {first}]"
            return None
        if value.strip() != "*" and not value.strip(' ^*?"'):
            return f"{value} has nothing to search for: write {kind.what}"
        is_valid = kind.is_value(value) or (kind.has_wildcards and ("*" in value or "?" in value))
        return None if is_valid else f"{value} is not a valid {field}: write {kind.what}"


def _order(end: str) -> list[int]:
    """Return what the ends of a range are compared by: a number, or year, month and day."""
    return [int(part) for part in end.partition("T")[0][:18].split("-")]


def _nearest(name: str, names: Iterable[str]) -> str:
    """Suggest a field or function to replace an unknown name; empty if none is similar."""
    near = get_close_matches(name, sorted(names), n=1, cutoff=0.6)
    return f"did you mean {near[0]}?" if near else ""
