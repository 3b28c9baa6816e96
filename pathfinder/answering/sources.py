"""Papers as sources of a prompt: quoted material under keys, which cannot pass for a part of the prompt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pathfinder.answering.citations import without_marks
from pathfinder.answering.shelf import Shelf
from pathfinder.types import Paper, Passage

BUDGET_TOKENS = 8_000
"""Ten to twenty abstracts, and room in any current model's context."""

CHARACTERS_PER_TOKEN = 4
"""Of English, about."""

_GAP = " (...) "


@dataclass(frozen=True, slots=True)
class Sources:
    """What a model is given to answer from."""

    text: str
    left_out: tuple[Paper, ...]
    """Papers that the budget had no room for."""
    shortened: tuple[Paper, ...] = ()
    """Papers of which only passages are given."""


def as_sources(
    shelf: Shelf,
    papers: Sequence[Paper],
    budget_tokens: int = BUDGET_TOKENS,
    passages: Mapping[str, Sequence[Passage]] | None = None,
) -> Sources:
    """Write `papers`, all of them on `shelf`, down under their keys, as many as fit; the first always is.

    A paper that does not fit whole is given by its `passages`, by paper id, where it has some and they do; else it
    is left out. None is cut in the middle: half a sentence may lack its "not".
    """
    blocks: list[str] = []
    left_out, shortened = [], []
    budget = budget_tokens * CHARACTERS_PER_TOKEN
    for paper in papers:
        key = shelf.key(paper.paper_id)
        whole, short = _block(key, paper), _of_passages(key, paper, (passages or {}).get(paper.paper_id, ()))
        block = next((text for text in (whole, short) if text and len(text) <= budget), None)
        if block is None and not blocks:
            block = short or whole
        if block is None:
            left_out.append(paper)
            continue
        if block != whole:
            shortened.append(paper)
        blocks.append(block)
        budget -= len(block)
    return Sources("\n\n".join(blocks), tuple(left_out), tuple(shortened))


def quoted(text: str) -> str:
    """One line without angle brackets, which could close the source, or [n], which could pass for a mark."""
    escaped = " ".join(text.split()).replace("<", "&lt;").replace(">", "&gt;")
    return without_marks(escaped)


def _block(key: str, paper: Paper) -> str:
    return _written(key, paper, "Summary" if paper.is_summary else "Abstract", quoted(paper.abstract))


def _of_passages(key: str, paper: Paper, passages: Sequence[Passage]) -> str | None:
    """Passages in the order of the abstract; `None` without any."""
    parts = [quoted(paper.abstract[p.start : p.end]) for p in sorted(passages, key=lambda p: p.start)]
    return _written(key, paper, "Passages", _GAP.join(parts)) if parts else None


def _written(key: str, paper: Paper, kind: str, text: str) -> str:
    published = paper.published
    year = "unknown" if published is None else published.year
    return f'<source key="{key}">\nTitle: {quoted(paper.title)}\nYear: {year}\n{kind}: {text}\n</source>'
