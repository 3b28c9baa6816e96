"""The stance of each paper on a statement, read by a chat model in batches, with quotes checked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import ConfigDict, Field

from pathfinder.export.records import year_of
from pathfinder.grounding.batches import MAX_REPLY_TOKENS, key_faults, prompt_room, read_in_batches
from pathfinder.grounding.quotes import find_quote
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.grounding.sources import as_sources, source_text
from pathfinder.llm.prompts import render
from pathfinder.llm.replies import complete, parse_json, unreadable
from pathfinder.models.ports import ChatModel
from pathfinder.types import FullTextPassage, Paper, Stance, StanceLabel

BATCH = 8
"""Number of papers per call: 8 abstracts fit into 4,000 tokens, and their quotes into a reply that is not truncated."""
TOKENS_A_PAPER = 700
"""Number of tokens in a long abstract."""


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
    """Yield the stances of `papers` in the same order, one batch at a time; a paper with a full-text passage in
    `passages` (by paper id) is read together with it.

    Up to four batches run at once. Raises a `ProviderError` for a reply that cannot be read or that does not cover
    every paper in its batch exactly once.
    """
    texts = passages or {}
    yield from read_in_batches(papers, lambda batch: _read(statement, batch, chat, texts), chat, BATCH, TOKENS_A_PAPER)


def _read(
    statement: str, papers: Sequence[Paper], chat: ChatModel, passages: Mapping[str, FullTextPassage]
) -> tuple[Stance, ...]:
    registry = CitationRegistry(statement, tuple(papers))
    prompt = render(
        "stances",
        sources=as_sources(
            registry, papers, prompt_room(chat), full_texts={key: (own,) for key, own in passages.items()}
        ).text,
        n=str(len(papers)),
        statement=source_text(statement),
    )
    system = render("stances_system")
    reply = complete(chat, system, prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS, form=_StancesReply)
    entries = parse_json(reply, _StancesReply, chat).stances
    keys = [registry.key(paper.paper_id) for paper in papers]
    if faults := key_faults([entry.key for entry in entries], keys, "stance for"):
        raise unreadable(reply, faults, chat)
    by_key = {entry.key: entry for entry in entries}
    return tuple(
        _stance(by_key[key], paper, passages.get(paper.paper_id)) for key, paper in zip(keys, papers, strict=True)
    )


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
