"""What a way of answering hands back, and what it has to work with."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from time import perf_counter
from typing import TypeAlias, TypeVar

from pathfinder.models.ports import ChatModel, Embedder
from pathfinder.types import AdsQuery, Claim, Paper, SearchRequest, SearchResult, Step, Trace, Version

Whole = TypeVar("Whole")


@dataclass(frozen=True, slots=True)
class Branch:
    """Where an earlier run is gone on from."""

    kept: tuple[Step, ...]
    """Its steps so far, the last of them as the reader wants it."""
    place: int
    """Of that last step, from 0."""


@dataclass(frozen=True, slots=True)
class Means:
    """What an answer may be made with. Whatever searches does so under the reader's own settings."""

    embedder: Embedder
    chat: ChatModel | None
    search: Callable[[SearchRequest], SearchResult]
    clock: Callable[[], float] = perf_counter
    """Seconds, for budgets."""
    branch: Branch | None = None
    """An agent goes on from there; `None`: it begins at the beginning."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer before its evidence is checked; the fields are those of `Answer`."""

    text: str
    claims: tuple[Claim, ...]
    ran: str
    """In words for a badge."""
    abstained: bool = False
    notes: tuple[str, ...] = ()
    sources: tuple[Paper, ...] = ()
    trace: Trace | None = None
    versions: tuple[Version, ...] = ()
    ads_query: AdsQuery | None = None
    redirect: str | None = None


Replying: TypeAlias = Generator[str | Step, None, Reply]
"""Yields words of the answer and steps as they come; returns the whole."""


def finished(stream: Generator[object, None, Whole]) -> Whole:
    """What `stream` returns at its end; what it yields on the way is let go."""
    while True:
        try:
            next(stream)
        except StopIteration as end:
            whole: Whole = end.value
            return whole
