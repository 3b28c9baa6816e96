"""The place up to which an ADS query was read, and what was found so far."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from difflib import get_close_matches

from pathfinder.answering.ads_query.tokens import Sort, Token


@dataclass(frozen=True, slots=True)
class Term:
    """A value that is looked for in a field; in every field where `field` is `None`."""

    field: str | None
    value: str
    place: int
    is_excluded: bool


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a query says."""

    terms: tuple[Term, ...]
    faults: tuple[str, ...]
    """In the order of their places, each with its place, counted from 1, and the way out."""


class Cursor:
    """Goes from token to token and notes terms and faults."""

    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._at = 0
        self.terms: list[Term] = []
        self.faults: list[tuple[int, str]] = []
        """Place and words of each."""

    @property
    def next(self) -> Token:
        """The token that comes; at the end, END again and again."""
        return self._tokens[self._at]

    def take(self) -> Token:
        """The token that comes, and go on behind it."""
        token = self.next
        self._at += token.sort is not Sort.END
        return token

    def take_all(self) -> None:
        """Read no further."""
        self._at = len(self._tokens) - 1

    def fault(self, token: Token, text: str) -> None:
        """Note what is wrong at `token`, and the way out."""
        self.faults.append((token.place, text))


def meant(name: str, known: Mapping[str, object] | Set[str]) -> str:
    """The way out for the name of a field or function that is not among those `known`."""
    near = get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    if near:
        return f": did you mean {near[0]}?"
    if isinstance(known, Mapping):
        return ": search in abs (title, abstract and keywords), author, year, bibstem, object or full"
    return f": it has {', '.join(sorted(known))}"
