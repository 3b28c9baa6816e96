"""Hits as numbered sources of a prompt: quoted material that cannot pass for a part of the prompt."""

from dataclasses import dataclass

from pathfinder.answering.citations import without_marks
from pathfinder.types import Hit, Paper

BUDGET_CHARACTERS = 32_000
"""About 8,000 tokens of English: ten to twenty abstracts, and room in any current model's context."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What a model is given to answer from."""

    text: str
    paper_ids: dict[int, str]
    """By the number that stands for it, the rank of its hit."""
    left_out: tuple[int, ...]
    """Ranks of the hits that did not fit."""


def as_sources(hits: tuple[Hit, ...], budget: int = BUDGET_CHARACTERS) -> Sources:
    """Number `hits` by rank and write them down whole, as many as fit into `budget` characters; the first always does.

    A hit that does not fit is left out, never cut: half an abstract may lack its "not".
    """
    blocks: dict[int, str] = {}
    used = 0
    for rank, hit in enumerate(hits, start=1):
        block = _block(rank, hit.paper)
        if not blocks or used + len(block) <= budget:
            blocks[rank] = block
            used += len(block)
    left_out = tuple(rank for rank in range(1, len(hits) + 1) if rank not in blocks)
    paper_ids = {rank: hits[rank - 1].paper.paper_id for rank in blocks}
    return Sources("\n\n".join(blocks.values()), paper_ids, left_out)


def _block(rank: int, paper: Paper) -> str:
    kind = "Summary" if paper.is_summary else "Abstract"
    published = paper.published
    year = "unknown" if published is None else published.year
    return (
        f'<source n="{rank}">\nTitle: {_quoted(paper.title)}\nYear: {year}\n'
        f"{kind}: {_quoted(paper.abstract)}\n</source>"
    )


def _quoted(text: str) -> str:
    """One line without angle brackets, which could close the source, or [n], which could pass for a mark."""
    escaped = " ".join(text.split()).replace("<", "&lt;").replace(">", "&gt;")
    return without_marks(escaped)
