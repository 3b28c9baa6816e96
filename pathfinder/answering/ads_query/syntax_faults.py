"""Describes syntax errors in an ADS query, and words and symbols that ADS would misread, with their remedies."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pathfinder.answering.ads_query.fields import FieldKind
from pathfinder.answering.ads_query.grammar import OPERATORS, as_token, is_token, place_of

if TYPE_CHECKING:
    from lark import Token, UnexpectedToken

    from pathfinder.answering.ads_query.grammar import Node


_FOREIGN_OPERATORS = {"&&": "AND", "&": "AND", "||": "OR", "|": "OR", "!": "NOT"}
_NAME_BEFORE_COMMA = re.compile(r"(?<![a-z_])(?P<field>[a-z_]*author[a-z_]*):\(?(?P<last>[^\s\"(),]+)$", re.IGNORECASE)
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
        return _operator_fault(token, before)
    return _comma_fault(token, query) if token.type == "COMMA" else _parenthesis_fault(token, stack, len(query))


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
