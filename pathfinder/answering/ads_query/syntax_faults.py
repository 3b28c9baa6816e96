"""Describes syntax errors in an ADS query, with their positions and remedies."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pathfinder.answering.ads_query.grammar import OPERATORS, as_token, is_token, place_of

if TYPE_CHECKING:
    from lark import Token, UnexpectedToken

    from pathfinder.answering.ads_query.grammar import Node


_FOREIGN_OPERATORS = {"&&": "AND", "&": "AND", "||": "OR", "|": "OR", "!": "NOT"}
_NAME_BEFORE_COMMA = re.compile(r"(?P<field>[a-z_]*author[a-z_]*):\(?(?P<last>[^\s\"(),]+)$", re.IGNORECASE)


def syntax_fault(error: "UnexpectedToken", query: str) -> tuple[int, str]:
    """Return the position and description of a syntax error."""
    token, read = error.token, list(error.interactive_parser.parser_state.value_stack)
    before = as_token(read[-1]) if read and is_token(read[-1]) else None
    if token.type == "FOREIGN":
        return place_of(token), foreign_operator(token)
    if before is not None and before.type == "FIELD":
        return place_of(before), f"{before} has no value: add one directly after the colon"
    if token.type in OPERATORS or (before is not None and before.type in OPERATORS):
        return _operator_fault(token, before)
    return _comma_fault(token, query) if token.type == "COMMA" else _parenthesis_fault(token, read, len(query))


def _operator_fault(token: "Token", before: "Token | None") -> tuple[int, str]:
    if before is None or before.type not in OPERATORS:
        return place_of(token), f"{token} has nothing before it: add a term there, or remove {token}"
    if token.type in OPERATORS:
        return place_of(token), f"{before} {token} are two operators in a row: keep only one"
    return place_of(before), f"{before} has nothing after it: add a term there, or remove {before}"


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


def _parenthesis_fault(token: "Token", read: "Sequence[Node]", length: int) -> tuple[int, str]:
    open_parentheses = [as_token(node) for node in read if is_token(node, "OPEN")]
    if token.type == "CLOSE" and not open_parentheses:
        return place_of(token), "this closing parenthesis has no match: remove it, or open one before it"
    if token.type == "CLOSE" and len(read) > 1 and is_token(read[-2], "FUNCTION"):
        return place_of(as_token(read[-2])), f"{read[-2]}() has no query: write one between its parentheses"
    if token.type == "CLOSE":
        return place_of(token), "there is nothing to search for: add a term"
    if token.type == "$END" and open_parentheses:
        return place_of(open_parentheses[-1]), "this parenthesis is never closed: add ) where it should end"
    place = length if token.type == "$END" else place_of(token)
    return place, f"{token} is not allowed here: remove it, or put it in straight quotes"
