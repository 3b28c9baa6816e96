"""The stance of each paper on a statement, read by a chat model in batches, with quotes checked."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import ConfigDict, Field

from pathfinder.export.records import year_of
from pathfinder.grounding.quotes import find_quote
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.grounding.sources import as_sources, quoted, room_for_sources
from pathfinder.llm.prompts import render
from pathfinder.llm.replies import complete, context_of, parse_json, unreadable
from pathfinder.llm.stopping import StoppablePool
from pathfinder.models.ports import ChatModel
from pathfinder.types import FullTextPassage, Paper, Stance, StanceLabel

BATCH = 8
"""Number of papers per call: 8 abstracts fit into 4,000 tokens, and their quotes into a reply that is not truncated."""
AT_ONCE = 4
"""Maximum number of concurrent calls."""
BUDGET_TOKENS = 1_000_000
"""Prompt budget in tokens, large enough for every paper in a batch: a model whose context is too short reports an
error.
"""
MAX_REPLY_TOKENS = 4_000
TOKENS_A_PAPER = 700
"""Tokens of a long abstract: a model with a short context gets smaller batches, so that every paper fits."""
MOST_NAMED = 5
"""Maximum number of wrong keys listed in an error message."""


@dataclass(frozen=True)
class _StanceReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    key: str
    stance: StanceLabel
    quote: Annotated[str, Field(max_length=5_000)]


@dataclass(frozen=True)
class _StancesReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    stances: tuple[_StanceReply, ...]


def stances_of(
    statement: str, papers: Sequence[Paper], chat: ChatModel, passages: Mapping[str, FullTextPassage] | None = None
) -> Iterator[tuple[Stance, ...]]:
    """Yield the stances of `papers` in the same order, one batch at a time; each is read with its full-text passage in
    `passages`, by paper id, if there is one.

    Up to four batches run at once. Raises a `ProviderError` for a reply that cannot be read or that does not cover
    every paper of its batch exactly once.
    """
    size = max(1, min(BATCH, room_for_sources(BUDGET_TOKENS, context_of(chat)) // TOKENS_A_PAPER))
    passages = passages or {}
    batches = [papers[start : start + size] for start in range(0, len(papers), size)]
    pool = StoppablePool(AT_ONCE)
    try:
        yield from pool.map(lambda batch: _read(statement, batch, chat, passages), batches)
    finally:
        # If a call fails, or the caller stops waiting, calls that have not begun are cancelled.
        pool.shutdown(cancel_futures=True)


def _read(
    statement: str, papers: Sequence[Paper], chat: ChatModel, passages: Mapping[str, FullTextPassage]
) -> tuple[Stance, ...]:
    registry = CitationRegistry(statement, tuple(papers))
    room = room_for_sources(BUDGET_TOKENS, context_of(chat))
    prompt = render(
        "stances",
        sources=as_sources(registry, papers, room, full_texts={key: (own,) for key, own in passages.items()}).text,
        n=str(len(papers)),
        statement=quoted(statement),
    )
    system = render("stances_system")
    reply = complete(chat, system, prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS, form=_StancesReply)
    entries = parse_json(reply, _StancesReply, chat).stances
    if wrong := _wrong_keys([entry.key for entry in entries], registry):
        raise unreadable(reply, wrong, chat)
    by_key = {entry.key: entry for entry in entries}
    return tuple(_stance(by_key[registry.key(paper.paper_id)], paper, passages.get(paper.paper_id)) for paper in papers)


def _wrong_keys(reply_keys: Sequence[str], registry: CitationRegistry) -> str:
    """Describe what is wrong with the keys of a reply; empty if each key occurs exactly once."""
    expected = {registry.key(paper.paper_id) for paper in registry.papers}
    counts = Counter(reply_keys)
    faults = (
        ("no stance for", sorted(expected - counts.keys())),
        ("an unknown key:", sorted(key[:20] for key in counts.keys() - expected)),
        ("more than one stance for", sorted(key for key, n in counts.items() if n > 1 and key in expected)),
    )
    return "; ".join(f"{words} {_some(keys)}" for words, keys in faults if keys)


def _some(keys: Sequence[str]) -> str:
    more = len(keys) - MOST_NAMED
    return ", ".join(keys[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _stance(entry: _StanceReply, paper: Paper, passage: FullTextPassage | None) -> Stance:
    is_irrelevant = entry.stance is StanceLabel.IRRELEVANT
    verbatim = None if is_irrelevant else find_quote(entry.quote, paper)
    of_passage = None
    if passage is not None and not is_irrelevant and verbatim is None:
        of_passage = verbatim = find_quote(entry.quote, replace(paper, abstract=passage.text))
    return Stance(
        paper_id=paper.paper_id,
        title=paper.title,
        year=year_of(paper),
        label=entry.stance,
        quote="" if is_irrelevant else verbatim or " ".join(entry.quote.split()),
        is_quote_found=is_irrelevant or verbatim is not None,
        passage=passage if of_passage is not None else None,
    )
