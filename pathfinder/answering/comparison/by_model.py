"""Cells written by a chat model, each with a quotation looked up in the paper and a verdict from the ledger."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field

from pathfinder.answering.comparison.columns import ComparisonColumn
from pathfinder.answering.comparison.from_sentences import numbers_in
from pathfinder.assessment.evidence.ledger import ledger_of
from pathfinder.errors import BudgetExhausted
from pathfinder.grounding.batches import MAX_REPLY_TOKENS, key_faults, prompt_room, read_in_batches
from pathfinder.grounding.quotes import find_quote
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.grounding.sources import as_sources, source_text
from pathfinder.llm.prompts import render
from pathfinder.llm.replies import complete, parse_json, unreadable
from pathfinder.models.ports import ChatModel, Embedder
from pathfinder.types import Claim, ComparisonCell, Paper, Verdict

BATCH = 4
"""Number of papers per call."""
TOKENS_A_PAPER = 900
"""Number of tokens allowed for each paper: a long abstract and the cells of its row."""
MAX_TEXT = 600
Cells = tuple[ComparisonCell | None, ...]


@dataclass(frozen=True)
class _CellReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    text: Annotated[str, Field(max_length=MAX_TEXT)]
    quote: Annotated[str, Field(max_length=5_000)]


@dataclass(frozen=True)
class _RowReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    key: str
    cells: tuple[_CellReply, ...]


@dataclass(frozen=True)
class _TableReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    rows: tuple[_RowReply, ...]


@dataclass(frozen=True, slots=True)
class BatchCells:
    """The cells for a batch of papers."""

    papers: Sequence[Paper]
    rows: tuple[Cells, ...]
    """Cells of each paper; empty if the budget was spent."""
    failure: BudgetExhausted | None = None
    """The reason why there are no cells; `None` if there are."""


def cells_by_model(
    papers: Sequence[Paper], columns: Sequence[ComparisonColumn], chat: ChatModel, embedder: Embedder | None
) -> Iterator[BatchCells]:
    """Yield the cells for `papers`, in order, one batch at a time; up to four batches run at once.

    Raises a `ProviderError` for a reply that cannot be read, or that does not have one row for each paper in its batch
    with one cell for each column.
    """

    def read(batch: Sequence[Paper]) -> BatchCells:
        try:
            return BatchCells(batch, _read(batch, columns, chat, embedder))
        except BudgetExhausted as error:  # batches that run at the same time may have stayed within the budget
            return BatchCells(batch, (), error)

    yield from read_in_batches(papers, read, chat, BATCH, TOKENS_A_PAPER)


def _read(
    papers: Sequence[Paper], columns: Sequence[ComparisonColumn], chat: ChatModel, embedder: Embedder | None
) -> tuple[Cells, ...]:
    names = [source_text(column.name) for column in columns]
    registry = CitationRegistry("; ".join(names), tuple(papers))
    prompt = render(
        "table",
        sources=as_sources(registry, papers, prompt_room(chat)).text,
        n=str(len(papers)),
        columns="\n".join(f"{place}. {name}" for place, name in enumerate(names, start=1)),
        n_columns=str(len(names)),
    )
    system = render("table_system")
    reply = complete(chat, system, prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS, form=_TableReply)
    rows = parse_json(reply, _TableReply, chat).rows
    keys = [registry.key(paper.paper_id) for paper in papers]
    if faults := key_faults([row.key for row in rows], keys, "row for"):
        raise unreadable(reply, faults, chat)
    if wrong := next((row for row in rows if len(row.cells) != len(columns)), None):
        raise unreadable(reply, f"a row has {len(wrong.cells)} cells for {len(columns)} columns", chat)
    cells = {row.key: row.cells for row in rows}
    return tuple(
        tuple(_cell(cell, paper, embedder) for cell in cells[key]) for key, paper in zip(keys, papers, strict=True)
    )


def _cell(reply: _CellReply, paper: Paper, embedder: Embedder | None) -> ComparisonCell | None:
    text = " ".join(reply.text.split())
    if not text:
        return None
    quotation = find_quote(reply.quote, paper) or ""
    return ComparisonCell(text, quotation, numbers_in(quotation), _verdict(text, paper, embedder))


def _verdict(text: str, paper: Paper, embedder: Embedder | None) -> Verdict:
    """Have the ledger judge a cell, as a sentence that cites the paper."""
    sentence = text if text.endswith((".", "!", "?")) else f"{text}."
    (checked_sentence,) = ledger_of([Claim(sentence, (paper.paper_id,))], [paper], embedder).sentences
    return checked_sentence.verdict
