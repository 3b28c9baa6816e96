"""Papers as sources of a prompt: quoted material under keys, which cannot pass for a part of the prompt."""

from collections.abc import Sequence
from dataclasses import dataclass

from pathfinder.answering.citations import without_marks
from pathfinder.answering.shelf import Shelf
from pathfinder.types import Paper

BUDGET_TOKENS = 8_000
"""Ten to twenty abstracts, and room in any current model's context."""

CHARACTERS_PER_TOKEN = 4
"""Of English, about."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What a model is given to answer from."""

    text: str
    left_out: tuple[Paper, ...]
    """Papers that the budget had no room for."""


def as_sources(shelf: Shelf, papers: Sequence[Paper], budget_tokens: int = BUDGET_TOKENS) -> Sources:
    """Write `papers`, all of them on `shelf`, down under their keys, as many as fit; the first always does.

    A paper that does not fit is left out, never cut: half an abstract may lack its "not".
    """
    blocks: list[str] = []
    left_out = []
    budget = budget_tokens * CHARACTERS_PER_TOKEN
    for paper in papers:
        block = _block(shelf.key(paper.paper_id), paper)
        if not blocks or len(block) <= budget:
            blocks.append(block)
            budget -= len(block)
        else:
            left_out.append(paper)
    return Sources("\n\n".join(blocks), tuple(left_out))


def quoted(text: str) -> str:
    """One line without angle brackets, which could close the source, or [n], which could pass for a mark."""
    escaped = " ".join(text.split()).replace("<", "&lt;").replace(">", "&gt;")
    return without_marks(escaped)


def _block(key: str, paper: Paper) -> str:
    kind = "Summary" if paper.is_summary else "Abstract"
    published = paper.published
    year = "unknown" if published is None else published.year
    return (
        f'<source key="{key}">\nTitle: {quoted(paper.title)}\nYear: {year}\n{kind}: {quoted(paper.abstract)}\n</source>'
    )
