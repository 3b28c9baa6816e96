"""The statement of a hypothesis: from a template, as counts from the corpus and a conjecture that is marked as one, or
by a chat model.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from pydantic import ConfigDict, Field

from pathfinder.addons.hypotheses.hypothesis import ClauseKind, Hypothesis, HypothesisClause, LinkingConcept
from pathfinder.answering.assessment.evidence.ledger import ledger_of
from pathfinder.answering.grounding.sources import CitationRegistry, as_sources, room_for_sources, source_text
from pathfinder.errors import ProviderError
from pathfinder.llm.chat import REFUSALS, Chat, complete, finalise_calls, in_brief, parse_json, unreadable
from pathfinder.llm.prompts import render
from pathfinder.models.ports import ChatModel, Embedder
from pathfinder.text.english import counted, enumeration
from pathfinder.types import Claim, Paper, StageOutcome, StageStatus

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

MOST_QUOTED = 3
"""Number of linking concepts that the statement names."""


def statement(
    concepts: tuple[str, str], n_papers: tuple[int, int], n_shared: int, q: float, linking: Sequence[LinkingConcept]
) -> tuple[HypothesisClause, ...]:
    """Write the statement of a hypothesis; only its last clause is more than a count."""
    first, second = map(in_quotes, concepts)
    some = linking[:MOST_QUOTED]
    counts = [f"{in_quotes(each.name)} ({each.n_with[0]:,} and {each.n_with[1]:,} papers)" for each in some]
    quoted_names = [in_quotes(each.name) for each in some]
    ids = tuple(dict.fromkeys(side.paper.paper_id for each in some for side in each.papers))
    n = "1 concept occurs" if n_shared == 1 else f"{n_shared} concepts occur"
    return (
        HypothesisClause(
            f"No paper here with the keyword {first} ({counted(n_papers[0], 'paper')}) names {second} in its title or "
            f"abstract, and none with the keyword {second} ({counted(n_papers[1], 'paper')}) names {first}.",
            ClauseKind.COUNT,
        ),
        HypothesisClause(f"Both occur with {enumeration(counts)}.", ClauseKind.CITED, ids),
        HypothesisClause(
            f"In all, {n} with both, which is more than chance would explain (q = {q:.1g}).", ClauseKind.COUNT
        ),
        HypothesisClause(
            f"{first} and {second} may be related through {enumeration(quoted_names)}.", ClauseKind.CONJECTURE
        ),
    )


def in_quotes(name: str) -> str:
    """Put the name of a concept in quotation marks, as it appears in a sentence."""
    return f"“{name}”"


# Statements by a chat model.

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
    papers = tuple({side.paper.paper_id: side.paper for each in hypothesis.linking for side in each.papers}.values())
    try:
        clauses = _read(hypothesis, papers, chat, embedder)
    except REFUSALS as error:
        status = StageStatus("hypothesis", None, StageOutcome.SUBSTITUTED, in_brief(error, chat.name))
        return replace(hypothesis, notes=(f"the chat model wrote no statement: {error}",), status=status)
    status = StageStatus("hypothesis", chat.name, StageOutcome.RAN)
    return replace(hypothesis, clauses=clauses, model=chat.name, notes=(), status=status)


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


def write_hypothesis(pf: "Pathfinder", hypothesis: Hypothesis) -> Hypothesis:
    """Let the chat model write the statement of `hypothesis`: each clause is cited and checked by the ledger, or
    marked as a conjecture.

    Raises a `ProviderError` if there is no chat model; if the model fails, the statement stays as it was, with a
    note.
    """

    chat = pf.metered_chat("hypothesis")
    if chat is None:
        raise ProviderError("only a chat model can write this statement, and none is set: set PATHFINDER_CHAT_MODEL")
    statement = write_statement(hypothesis, chat, pf.sentence_embedder)
    return replace(statement, calls=finalise_calls(chat))
