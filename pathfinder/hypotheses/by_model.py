"""The statement of a hypothesis, written by a chat model: every clause is cited and checked, or marked as a
conjecture.
"""

from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import ConfigDict, Field

from pathfinder.assessment.evidence.ledger import ledger_of
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.grounding.sources import as_sources, room_for_sources, source_text
from pathfinder.llm.chat import REFUSALS, Chat, complete, in_brief, parse_json, unreadable
from pathfinder.llm.prompts import render
from pathfinder.models.ports import ChatModel, Embedder
from pathfinder.types import Claim, ClauseKind, Hypothesis, HypothesisClause, Paper, StageOutcome, StageStatus

BUDGET_TOKENS = 20_000
MAX_REPLY_TOKENS = 2_000
MAX_CLAUSES, MAX_TEXT = 8, 500


@dataclass(frozen=True)
class _ClauseReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    text: Annotated[str, Field(max_length=MAX_TEXT)]
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class _StatementReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    clauses: tuple[_ClauseReply, ...]


def write_statement(hypothesis: Hypothesis, chat: ChatModel, embedder: Embedder | None) -> Hypothesis:
    """Let the chat model write the statement from the papers on both sides.

    A clause that names none of the papers that the model was shown is a conjecture; the ledger judges every other
    clause. If the model fails, the statement stays as it was, and a note gives the reason.
    """
    papers = _papers(hypothesis)
    try:
        clauses = _read(hypothesis, papers, chat, embedder)
    except REFUSALS as error:
        status = StageStatus("hypothesis", None, StageOutcome.SUBSTITUTED, in_brief(error, chat.name))
        return replace(hypothesis, notes=(f"the chat model wrote no statement: {error}",), status=status)
    status = StageStatus("hypothesis", chat.name, StageOutcome.RAN)
    return replace(hypothesis, clauses=clauses, model=chat.name, notes=(), status=status)


def _papers(hypothesis: Hypothesis) -> tuple[Paper, ...]:
    """Return the papers on both sides, without duplicates."""
    return tuple({side.paper.paper_id: side.paper for each in hypothesis.linking for side in each.papers}.values())


def _read(
    hypothesis: Hypothesis, papers: tuple[Paper, ...], chat: ChatModel, embedder: Embedder | None
) -> tuple[HypothesisClause, ...]:
    first, second = map(source_text, hypothesis.concepts)
    registry = CitationRegistry(f"{first}; {second}", papers)
    sources = as_sources(registry, papers, room_for_sources(BUDGET_TOKENS, Chat.of(chat).context_tokens))
    papers = tuple(paper for paper in papers if paper not in sources.left_out)
    prompt = render(
        "hypothesis",
        sources=sources.text,
        n=str(len(papers)),
        first=first,
        second=second,
        linking="; ".join(source_text(each.name) for each in hypothesis.linking),
    )
    system = render("hypothesis_system")
    reply = complete(chat, system, prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS, form=_StatementReply)
    clauses = [clause for clause in parse_json(reply, _StatementReply, chat).clauses if clause.text.strip()]
    if not 1 <= len(clauses) <= MAX_CLAUSES:
        raise unreadable(reply, f"it has {len(clauses)} clauses, not 1 to {MAX_CLAUSES}", chat)
    by_key = {registry.key(paper.paper_id): paper for paper in papers}
    return tuple(_clause(clause, by_key, embedder) for clause in clauses)


def _clause(reply: _ClauseReply, by_key: dict[str, Paper], embedder: Embedder | None) -> HypothesisClause:
    text = " ".join(reply.text.split())
    cited_papers = [by_key[key] for key in dict.fromkeys(reply.keys) if key in by_key]
    if not cited_papers:
        return HypothesisClause(text, ClauseKind.CONJECTURE)
    ids = tuple(paper.paper_id for paper in cited_papers)
    sentence = text if text.endswith((".", "!", "?")) else f"{text}."
    (checked_sentence,) = ledger_of([Claim(sentence, ids)], cited_papers, embedder).sentences
    return HypothesisClause(text, ClauseKind.CITED, ids, checked_sentence.verdict)
