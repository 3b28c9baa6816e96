"""What a chat model itself makes of the papers: the question as a statement, and its own level, as published."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field

from pathfinder.answering.shelf import Shelf
from pathfinder.answering.sources import as_sources, quoted
from pathfinder.assessment.consensus.levels import level_named
from pathfinder.models.ports import ChatModel
from pathfinder.prompts import render
from pathfinder.retrieval.replies import complete, parse_json, unreadable
from pathfinder.types import ConsensusLevel, Paper

BUDGET_TOKENS = 16_000
"""Thirty abstracts."""
MAX_REPLY_TOKENS = 2_000


@dataclass(frozen=True, slots=True)
class Opinion:
    """The reply of the structured call of arXiv:2408.01556, section 3."""

    statement: str
    level: ConsensusLevel
    explanation: str
    relevance: float
    """Of the papers to the question, [0, 1]."""
    left_out: tuple[Paper, ...]
    """Papers that the prompt had no room for."""


@dataclass(frozen=True)
class _Reply:
    """Its names are those of the published app."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    rewritten_statement: Annotated[str, Field(min_length=1, max_length=1_000)]
    consensus: str
    explanation: Annotated[str, Field(min_length=1, max_length=5_000)]
    relevance_score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


def opinion_of(question: str, papers: Sequence[Paper], chat: ChatModel) -> Opinion:
    """Ask for the statement, level, explanation and relevance in one call.

    Raises a `ProviderError` for a reply that cannot be read or names no level.
    """
    sources = as_sources(Shelf(question, tuple(papers)), papers, BUDGET_TOKENS)
    prompt = render("consensus", sources=sources.text, question=quoted(question))
    reply = complete(chat, render("consensus_system"), prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS)
    said = parse_json(reply, _Reply, chat.name)
    level = level_named(said.consensus)
    statement, explanation = (" ".join(text.split()) for text in (said.rewritten_statement, said.explanation))
    if level is None:
        raise unreadable(reply, f"{said.consensus[:60]!r} is none of the seven levels", chat.name)
    if not statement or not explanation:
        raise unreadable(reply, "the statement or the explanation is empty", chat.name)
    return Opinion(statement, level, explanation, said.relevance_score, sources.left_out)
