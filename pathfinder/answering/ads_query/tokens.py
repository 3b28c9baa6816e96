"""An ADS query cut into its pieces, each with its place."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

CURLY_QUOTES = "“”„‟«»″"


class Sort(Enum):
    """What a piece is."""

    FIELD = auto()
    """A name and a colon."""
    FUNCTION = auto()
    """A name right before an opening parenthesis."""
    OPEN = auto()
    CLOSE = auto()
    COMMA = auto()
    OPERATOR = auto()
    """AND, OR, NOT, or NEAR with a number."""
    SIGN = auto()
    """A minus, plus or equals sign before a term."""
    PHRASE = auto()
    """Between straight quotes, which are left out."""
    UNCLOSED = auto()
    """A straight quote without another one, to the end."""
    RANGE = auto()
    """Between square brackets, which are kept."""
    WORD = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a query."""

    sort: Sort
    text: str
    place: int
    """Of its first character, from 1."""
    follows_space: bool
    """Whether white space, or nothing, stands before it."""


_PIECE = re.compile(
    rf"""
    (?P<FIELD>[A-Za-z_][\w.-]*:)
    |(?P<FUNCTION>[A-Za-z_]+)(?=\()
    |(?P<OPEN>\()
    |(?P<CLOSE>\))
    |(?P<COMMA>,)
    |(?P<OPERATOR>(?:AND|OR|NOT|NEAR\d*)(?=[\s()"]|$))
    |(?P<SIGN>[-+=](?=[\w"(^*?=]))
    |"(?P<PHRASE>[^"]*)"(?:~\d+)?(?:\^[\d.]+)?
    |"(?P<UNCLOSED>.*)
    |(?P<RANGE>[\[{{][^\]}}]*[\]}}]?)
    |(?P<WORD>\^[^\s"():,]+(?:,\s*[^\s"():,]+)?|[^\s"(),{CURLY_QUOTES}]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_SPACE = re.compile(r"\s*")
_ARXIV_ID = re.compile(r"arxiv:(?=[\w.-]+[./]\d)", re.IGNORECASE)


def tokens(query: str) -> Iterator[Token]:
    """The pieces of `query` in order, and an END at its end. Every text has some, faulty ones too."""
    at, before = 0, None
    while True:
        start = at
        at = _SPACE.match(query, at).end()  # type: ignore[union-attr] # it matches anywhere
        follows_space = start != at or at == 0
        match = _PIECE.match(query, at)
        if match is None:
            yield Token(Sort.END, "", at + 1, follows_space)
            return
        token = _token(match, at, follows_space)
        if token.sort is Sort.FIELD and before is Sort.FIELD and _ARXIV_ID.match(query, at):
            # identifier:arXiv:1108.0669 is one value, not a field in a field.
            whole = re.compile(r"[^\s\"(),]+").match(query, at)
            token = Token(Sort.WORD, whole[0] if whole else "", at + 1, follows_space)
            at += len(token.text)
        else:
            at = match.end()
        before = token.sort
        yield token


def _token(match: re.Match[str], at: int, follows_space: bool) -> Token:
    name = match.lastgroup or "WORD"
    return Token(Sort[name], match[name], at + 1, follows_space)
