"""Formats the earlier questions and answers for a prompt, so that their sources can be cited again."""

import re
from collections.abc import Iterator, Sequence

from pathfinder.grounding.marks import SHOWN_MARK
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.grounding.sources import quoted
from pathfinder.llm.usage import CHARACTERS_PER_TOKEN
from pathfinder.types import Exchange, Paper

MAX_EARLIER = 4
"""Maximum number of exchanges included, counted back from the most recent."""

BUDGET_TOKENS = 2_000


def earlier_papers(earlier: Sequence[Exchange]) -> tuple[Paper, ...]:
    """List the papers cited in the most recent answers, without duplicates, starting with those of the last answer."""
    papers = (paper for exchange in reversed(earlier[-MAX_EARLIER:]) for paper in _cited_papers(exchange))
    return tuple({paper.paper_id: paper for paper in papers}.values())


def as_conversation(registry: CitationRegistry, earlier: Sequence[Exchange], budget_tokens: int = BUDGET_TOKENS) -> str:
    """Write as many of the most recent exchanges as fit, in chronological order, with keys from `registry` as marks;
    empty if none fits.

    A mark for a paper that is not in the registry is left out.
    """
    blocks: list[str] = []
    budget = budget_tokens * CHARACTERS_PER_TOKEN
    for exchange in reversed(earlier[-MAX_EARLIER:]):
        block = f"<earlier>\nQuestion: {quoted(exchange.question)}\nAnswer: {_keyed(exchange, registry)}\n</earlier>"
        if len(block) > budget:
            break
        blocks.append(block)
        budget -= len(block)
    return "\n\n".join(reversed(blocks))


def _cited_papers(exchange: Exchange) -> Iterator[Paper]:
    for mark in SHOWN_MARK.finditer(exchange.answer):
        yield from _papers(mark, exchange)


def _papers(mark: re.Match[str], exchange: Exchange) -> list[Paper]:
    places = [int(name) for name in mark[1].split(", ") if name.isdecimal()]
    return [exchange.sources[place - 1] for place in places if 1 <= place <= len(exchange.sources)]


def _keyed(exchange: Exchange, registry: CitationRegistry) -> str:
    parts, position = [], 0
    for mark in SHOWN_MARK.finditer(exchange.answer):
        paper_ids = [paper.paper_id for paper in _papers(mark, exchange) if paper in registry.papers]
        parts += [quoted(exchange.answer[position : mark.start()])]
        parts += [f"[{', '.join(map(registry.key, paper_ids))}]"] if paper_ids else []
        position = mark.end()
    return " ".join([*parts, quoted(exchange.answer[position:])])
