"""What was asked and answered before, as a part of a prompt, with its sources citable again."""

import re
from collections.abc import Iterator, Sequence

from pathfinder.answering.citations import SHOWN_MARK
from pathfinder.answering.shelf import Shelf
from pathfinder.answering.sources import CHARACTERS_PER_TOKEN, quoted
from pathfinder.types import Exchange, Paper

MAX_EARLIER = 4
"""How many exchanges are read, the latest ones."""

BUDGET_TOKENS = 2_000


def earlier_papers(earlier: Sequence[Exchange]) -> tuple[Paper, ...]:
    """The papers that the latest answers cite, those of the latest answer first, each once."""
    papers = (paper for exchange in reversed(earlier[-MAX_EARLIER:]) for paper in _cited(exchange))
    return tuple({paper.paper_id: paper for paper in papers}.values())


def as_conversation(shelf: Shelf, earlier: Sequence[Exchange], budget_tokens: int = BUDGET_TOKENS) -> str:
    """The latest exchanges that fit, the latest last, their marks as keys of `shelf`; nothing where none fits.

    A mark of a paper that is not on the shelf is left out.
    """
    kept: list[str] = []
    budget = budget_tokens * CHARACTERS_PER_TOKEN
    for exchange in reversed(earlier[-MAX_EARLIER:]):
        block = f"<earlier>\nQuestion: {quoted(exchange.question)}\nAnswer: {_keyed(exchange, shelf)}\n</earlier>"
        if len(block) > budget:
            break
        kept.append(block)
        budget -= len(block)
    return "\n\n".join(reversed(kept))


def _cited(exchange: Exchange) -> Iterator[Paper]:
    for mark in SHOWN_MARK.finditer(exchange.answer):
        yield from _papers(mark, exchange)


def _papers(mark: re.Match[str], exchange: Exchange) -> list[Paper]:
    places = [int(name) for name in mark[1].split(", ") if name.isdecimal()]
    return [exchange.sources[place - 1] for place in places if 1 <= place <= len(exchange.sources)]


def _keyed(exchange: Exchange, shelf: Shelf) -> str:
    parts, position = [], 0
    for mark in SHOWN_MARK.finditer(exchange.answer):
        known = [paper.paper_id for paper in _papers(mark, exchange) if paper in shelf.papers]
        parts += [quoted(exchange.answer[position : mark.start()])]
        parts += [f"[{', '.join(map(shelf.key, known))}]"] if known else []
        position = mark.end()
    return " ".join([*parts, quoted(exchange.answer[position:])])
