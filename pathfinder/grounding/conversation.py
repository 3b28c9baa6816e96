"""Formats the earlier questions and answers for a prompt, so that their sources can be cited again."""

from collections.abc import Sequence

from pathfinder.grounding.marks import shown_marks, shown_numbers
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.grounding.sources import source_text
from pathfinder.llm.usage import CHARACTERS_PER_TOKEN
from pathfinder.types import Exchange, Paper

MAX_EARLIER = 4
"""Maximum number of exchanges included, counted back from the most recent."""

BUDGET_TOKENS = 2_000


def earlier_papers(earlier: Sequence[Exchange]) -> tuple[Paper, ...]:
    """List the papers cited in the most recent answers, without duplicates, starting with those of the last answer."""
    papers = (paper for exchange in reversed(earlier[-MAX_EARLIER:]) for paper in _papers(exchange.answer, exchange))
    return tuple({paper.paper_id: paper for paper in papers}.values())


def as_conversation(registry: CitationRegistry, earlier: Sequence[Exchange], budget_tokens: int = BUDGET_TOKENS) -> str:
    """Write as many of the most recent exchanges as fit, in chronological order, with keys from `registry` as marks;
    empty if none fits.

    A mark for a paper that is not in the registry is left out.
    """
    blocks: list[str] = []
    budget = budget_tokens * CHARACTERS_PER_TOKEN
    for exchange in reversed(earlier[-MAX_EARLIER:]):
        question, answer = source_text(exchange.question), _with_keys(exchange, registry)
        block = f"<earlier>\nQuestion: {question}\nAnswer: {answer}\n</earlier>"
        if len(block) > budget:
            break
        blocks.append(block)
        budget -= len(block)
    return "\n\n".join(reversed(blocks))


def _papers(text: str, exchange: Exchange) -> list[Paper]:
    """Return the papers that a part of an answer cites, in order."""
    return [exchange.sources[n - 1] for n in shown_numbers(text) if 1 <= n <= len(exchange.sources)]


def _with_keys(exchange: Exchange, registry: CitationRegistry) -> str:
    parts, position = [], 0
    for mark in shown_marks(exchange.answer):
        paper_ids = [paper.paper_id for paper in _papers(mark[0], exchange) if paper in registry.papers]
        parts += [source_text(exchange.answer[position : mark.start()])]
        parts += [f"[{', '.join(map(registry.key, paper_ids))}]"] if paper_ids else []
        position = mark.end()
    return " ".join([*parts, source_text(exchange.answer[position:])])
