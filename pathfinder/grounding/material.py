"""Prepares text written by a chat model for use in a later prompt."""

import re
from collections.abc import Sequence

from pathfinder.grounding.citations import CheckedReply
from pathfinder.grounding.marks import shown_marks, shown_numbers
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.grounding.sources import source_text
from pathfinder.llm.usage import CHARACTERS_PER_TOKEN
from pathfinder.types import Claim, Exchange, Paper

_OPENS_TAG = re.compile(r"<(?=\s*[/!?a-zA-Z])")
"""The "<" that opens a tag, but not the sign in "z < 2": if that were escaped, a model that copies the text would copy
`&lt;` too.
"""


def escape(text: str) -> str:
    """Escape everything in `text` that could open or close a part of a prompt; keep its citation marks."""
    return _OPENS_TAG.sub("&lt;", text)


def with_keys(claims: Sequence[Claim], registry: CitationRegistry) -> str:
    """Write `claims` as one paragraph, each with the keys of the papers that it cites; invented keys are left out."""
    return " ".join(_with_keys(claim, registry) for claim in claims)


def conversation(registry: CitationRegistry, earlier: Sequence[Exchange]) -> str:
    """Write the earlier questions and answers as the beginning of a prompt; empty if there are none."""
    text = as_conversation(registry, earlier)
    return f"{text}\n\n" if text else ""


def each_once(*papers: Paper) -> tuple[Paper, ...]:
    """List `papers` in order without duplicates."""
    return tuple({paper.paper_id: paper for paper in papers}.values())


def without_room(left_out: Sequence[Paper], registry: CitationRegistry) -> str:
    """List the numbers of papers that did not fit into a prompt, or not whole: "[4], [7]"."""
    return ", ".join(f"[{registry.papers.index(paper) + 1}]" for paper in left_out)


def notes_on_marks(checked_reply: CheckedReply) -> tuple[str, ...]:
    """List what the reader should know about the citations in a text."""
    if not any(claim.citations for claim in checked_reply.claims):
        return (
            *checked_reply.complaints,
            "no sentence in this answer cites a paper: check it against the papers yourself",
        )
    return checked_reply.complaints


def _with_keys(claim: Claim, registry: CitationRegistry) -> str:
    keys = ", ".join(registry.key(paper_id) for paper_id in claim.citations)
    return escape(claim.text) + (f" [{keys}]" if keys else "")


# Formats the earlier questions and answers for a prompt, so that their sources can be cited again.

MAX_EARLIER = 4
"""Maximum number of exchanges included, counted back from the most recent."""

CONVERSATION_TOKENS = 2_000


def earlier_papers(earlier: Sequence[Exchange]) -> tuple[Paper, ...]:
    """List the papers cited in the most recent answers, without duplicates, starting with those of the last answer."""
    papers = (paper for exchange in reversed(earlier[-MAX_EARLIER:]) for paper in _papers(exchange.answer, exchange))
    return tuple({paper.paper_id: paper for paper in papers}.values())


def as_conversation(
    registry: CitationRegistry, earlier: Sequence[Exchange], budget_tokens: int = CONVERSATION_TOKENS
) -> str:
    """Write as many of the most recent exchanges as fit, in chronological order, with keys from `registry` as marks;
    empty if none fits.

    A mark for a paper that is not in the registry is left out.
    """
    blocks: list[str] = []
    budget = budget_tokens * CHARACTERS_PER_TOKEN
    for exchange in reversed(earlier[-MAX_EARLIER:]):
        parts, position = [], 0
        for mark in shown_marks(exchange.answer):
            paper_ids = [paper.paper_id for paper in _papers(mark[0], exchange) if paper in registry.papers]
            parts += [source_text(exchange.answer[position : mark.start()])]
            parts += [f"[{', '.join(map(registry.key, paper_ids))}]"] if paper_ids else []
            position = mark.end()
        question, answer = source_text(exchange.question), " ".join([*parts, source_text(exchange.answer[position:])])
        block = f"<earlier>\nQuestion: {question}\nAnswer: {answer}\n</earlier>"
        if len(block) > budget:
            break
        blocks.append(block)
        budget -= len(block)
    return "\n\n".join(reversed(blocks))


def _papers(text: str, exchange: Exchange) -> list[Paper]:
    return [exchange.sources[n - 1] for n in shown_numbers(text) if 1 <= n <= len(exchange.sources)]
