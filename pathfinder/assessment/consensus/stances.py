"""What each paper says of a statement, told by a chat model a batch at a time and checked."""

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field

from pathfinder.answering.shelf import Shelf
from pathfinder.answering.sources import as_sources, quoted
from pathfinder.assessment.consensus.quotes import find_quote
from pathfinder.export.records import year_of
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.retrieval.replies import complete, parse_json, unreadable
from pathfinder.types import Paper, Stance, StanceLabel

BATCH = 8
"""Papers of one call: 8 abstracts fit into 4,000 tokens, and their quotes into a reply that is not cut."""
AT_ONCE = 4
"""Calls under way at the same time."""
BUDGET_TOKENS = 1_000_000
"""No paper of a batch is left out: a model whose context is too short says so."""
MAX_REPLY_TOKENS = 4_000
MOST_NAMED = 5
"""Wrong keys that an error names."""


@dataclass(frozen=True)
class _Said:
    __pydantic_config__ = ConfigDict(extra="forbid")

    key: str
    stance: StanceLabel
    quote: Annotated[str, Field(max_length=5_000)]


@dataclass(frozen=True)
class _Reply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    stances: tuple[_Said, ...]


def stances_of(statement: str, papers: Sequence[Paper], chat: ChatModel) -> Iterator[tuple[Stance, ...]]:
    """Yield the stances of `papers`, a batch at a time, in their order.

    Up to four batches are asked about at once. Raises a `ProviderError` for a reply that cannot be read or that does
    not speak of every paper of its batch exactly once.
    """
    batches = [papers[start : start + BATCH] for start in range(0, len(papers), BATCH)]
    pool = ThreadPoolExecutor(AT_ONCE)
    try:
        yield from pool.map(lambda batch: _read(statement, batch, chat), batches)
    finally:
        # Where one failed, or nobody waits any more, those that have not begun are not asked.
        pool.shutdown(cancel_futures=True)


def _read(statement: str, papers: Sequence[Paper], chat: ChatModel) -> tuple[Stance, ...]:
    shelf = Shelf(statement, tuple(papers))
    prompt = render(
        "stances",
        sources=as_sources(shelf, papers, BUDGET_TOKENS).text,
        n=str(len(papers)),
        statement=quoted(statement),
    )
    reply = complete(chat, render("stances_system"), prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS)
    said = parse_json(reply, _Reply, chat.name).stances
    if wrong := _wrong_keys([one.key for one in said], shelf):
        raise unreadable(reply, wrong, chat.name)
    by_key = {one.key: one for one in said}
    return tuple(_stance(by_key[shelf.key(paper.paper_id)], paper) for paper in papers)


def _wrong_keys(said: Sequence[str], shelf: Shelf) -> str:
    """What is wrong with the keys of a reply, in words; empty where each key was said once."""
    given = {shelf.key(paper.paper_id) for paper in shelf.papers}
    counts = Counter(said)
    faults = (
        ("no stance for", sorted(given - counts.keys())),
        ("a key that was not given:", sorted(key[:20] for key in counts.keys() - given)),
        ("more than one stance for", sorted(key for key, n in counts.items() if n > 1 and key in given)),
    )
    return "; ".join(f"{words} {_some(keys)}" for words, keys in faults if keys)


def _some(keys: Sequence[str]) -> str:
    more = len(keys) - MOST_NAMED
    return ", ".join(keys[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _stance(said: _Said, paper: Paper) -> Stance:
    is_irrelevant = said.stance is StanceLabel.IRRELEVANT
    found = None if is_irrelevant else find_quote(said.quote, paper)
    return Stance(
        paper_id=paper.paper_id,
        title=paper.title,
        year=year_of(paper),
        label=said.stance,
        quote="" if is_irrelevant else found or " ".join(said.quote.split()),
        is_quote_found=is_irrelevant or found is not None,
    )
