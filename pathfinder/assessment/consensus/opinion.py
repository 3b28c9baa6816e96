"""The chat model's own reading of the papers: it turns the question into a statement and gives a consensus level, as in
the published app.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field

from pathfinder.grounding.registry import CitationRegistry
from pathfinder.grounding.sources import as_sources, room_for_sources, source_text
from pathfinder.llm.prompts import render
from pathfinder.llm.replies import complete, context_of, parse_json, unreadable
from pathfinder.models.ports import ChatModel
from pathfinder.types import ConsensusLevel, Paper

BUDGET_TOKENS = 16_000
"""Prompt budget in tokens, enough for thirty abstracts."""
MAX_REPLY_TOKENS = 2_000

_PUBLISHED_TAIL = " between abstracts and query"
"""Suffix of the published app's level names (github.com/UniverseTBD/Pathfinder)."""

_OTHER_NAMES = {
    "no clear agreement/disagreement": ConsensusLevel.NO_CLEAR_CONSENSUS,
    "no clear agreement": ConsensusLevel.NO_CLEAR_CONSENSUS,
    "no consensus": ConsensusLevel.NO_CLEAR_CONSENSUS,
}

_NAMES = {level.value.casefold(): level for level in ConsensusLevel} | _OTHER_NAMES


@dataclass(frozen=True, slots=True)
class ConsensusReply:
    """Reply to the structured call described in arXiv:2408.01556, section 3."""

    statement: str
    level: ConsensusLevel
    explanation: str
    relevance: float
    """Relevance of the papers to the question, in [0, 1]."""
    left_out: tuple[Paper, ...]
    """Papers that did not fit into the prompt."""


@dataclass(frozen=True)
class _PublishedReply:
    """Reply with the field names of the published app."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    rewritten_statement: Annotated[str, Field(min_length=1, max_length=1_000)]
    consensus: str
    explanation: Annotated[str, Field(min_length=1, max_length=5_000)]
    relevance_score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


def opinion_of(question: str, papers: Sequence[Paper], chat: ChatModel) -> ConsensusReply:
    """Ask for the statement, level, explanation and relevance in one call.

    Raises a `ProviderError` for a reply that cannot be read or contains no valid level.
    """
    room = room_for_sources(BUDGET_TOKENS, context_of(chat))
    sources = as_sources(CitationRegistry(question, tuple(papers)), papers, room)
    prompt = render("consensus", sources=sources.text, question=source_text(question))
    system = render("consensus_system")
    reply = complete(chat, system, prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS, form=_PublishedReply)
    fields = parse_json(reply, _PublishedReply, chat)
    level = level_named(fields.consensus)
    statement, explanation = (" ".join(text.split()) for text in (fields.rewritten_statement, fields.explanation))
    if level is None:
        raise unreadable(reply, f"{fields.consensus[:60]!r} is not one of the seven levels", chat)
    if not statement or not explanation:
        raise unreadable(reply, "the statement or the explanation is empty", chat)
    return ConsensusReply(statement, level, explanation, fields.relevance_score, sources.left_out)


def level_named(name: str) -> ConsensusLevel | None:
    """Return the level called `name`, in upper or lower case, or as the published app writes it; `None` for any other
    text.

    >>> level_named("Weak Agreement Between Abstracts and Query").value
    'Weak Agreement'
    """
    plain_name = " ".join(name.split()).rstrip(".").casefold().removesuffix(_PUBLISHED_TAIL)
    return _NAMES.get(plain_name.replace(" / ", "/"))
