"""Grammar of an ADS query, for Lark, and its tokens."""

from functools import cache
from typing import TYPE_CHECKING, TypeAlias, cast

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
