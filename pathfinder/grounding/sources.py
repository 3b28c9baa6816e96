"""Writes papers into a prompt as sources under keys, so that their text cannot be taken for part of the prompt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pathfinder.grounding.citations import without_own_marks
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.llm.usage import CHARACTERS_PER_TOKEN
from pathfinder.text.sentences import split_sentences
from pathfinder.types import FullTextPassage, Paper, Passage

BUDGET_TOKENS = 8_000
"""Number of tokens available for sources: enough for ten to twenty abstracts, and within the context length of any
current model.
"""
N_FULL_TEXTS = 8
"""Maximum number of full-text passages in a prompt, unless a paper is read on purpose."""

INSTRUCTION_TOKENS = 700
"""Number of tokens taken by the longest instructions and question, which leave less room for sources in a short
context.
"""
MAX_REPLY_TOKENS = 1024
REPLY_SHARE = 0.25
"""Share of a short context that is left for the reply, up to `MAX_REPLY_TOKENS`."""
SAFETY = 0.7
"""Number of estimated tokens allowed for each real token of room: formulas and names have three characters per token,
not the four that the estimate assumes.
"""
MIN_ROOM = 100

_GAP = " (...) "
_CLOSING = "\n</source>"

NO_ABSTRACT = "(not known: cite this paper for no more than its title says)"
"""Text shown in place of a missing abstract, so that a model does not mistake the title for a finding."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Sources for a model to answer from."""

    text: str
    left_out: tuple[Paper, ...]
    """Papers that did not fit into the budget."""
    shortened_papers: tuple[Paper, ...] = ()
    """Papers for which only passages are shown."""


def room_for_sources(requested_tokens: int, context_tokens: int | None) -> int:
    """Return how many of the `requested_tokens` for sources fit into a prompt for a model with a context of
    `context_tokens`.
    """
    if context_tokens is None:
        return requested_tokens
    reply = min(MAX_REPLY_TOKENS, int(context_tokens * REPLY_SHARE))
    return min(requested_tokens, max(int((context_tokens - INSTRUCTION_TOKENS - reply) * SAFETY), MIN_ROOM))


def as_sources(
    registry: CitationRegistry,
    papers: Sequence[Paper],
    budget_tokens: int = BUDGET_TOKENS,
    passages: Mapping[str, Sequence[Passage]] | None = None,
    full_texts: Mapping[str, Sequence[FullTextPassage]] | None = None,
    n_full_texts: int = N_FULL_TEXTS,
) -> Sources:
    """Write as many of `papers` as fit, under their keys in `registry`, which must contain all of them; the first is
    always included.

    A paper that does not fit as a whole is represented by its `passages` (given by paper id) if they fit; otherwise it
    is left out or, if it is the first, represented by as many of its first sentences as fit. No sentence is cut midway:
    half a sentence may lack its "not". Any remaining room is used for at most `n_full_texts` of the papers'
    `full_texts` (passages by paper id), in order.
    """
    blocks: list[str] = []
    included_papers: list[Paper] = []
    left_out, shortened_papers = [], []
    budget = budget_tokens * CHARACTERS_PER_TOKEN
    for paper in papers:
        key = registry.key(paper.paper_id)
        whole, short = _block(key, paper), _of_passages(key, paper, (passages or {}).get(paper.paper_id, ()))
        block = next((text for text in (whole, short) if text and len(text) <= budget), None)
        if block is None and not blocks:
            block = _beginning(key, paper, budget)
        if block is None:
            left_out.append(paper)
            continue
        if block != whole:
            shortened_papers.append(paper)
        blocks.append(block)
        included_papers.append(paper)
        budget -= len(block)
    for place, paper in enumerate(included_papers):
        for passage in (full_texts or {}).get(paper.paper_id, ()):
            block = _with_full_text(blocks[place], passage)
            if n_full_texts and len(block) - len(blocks[place]) <= budget:
                budget -= len(block) - len(blocks[place])
                blocks[place] = block
                n_full_texts -= 1
    return Sources("\n\n".join(blocks), tuple(left_out), tuple(shortened_papers))


def source_text(text: str) -> str:
    """Write `text` on one line, without angle brackets, which could close the source, or [n], which could be taken for
    a mark.
    """
    escaped_text = " ".join(text.split()).replace("<", "&lt;").replace(">", "&gt;")
    return without_own_marks(escaped_text)


def _block(key: str, paper: Paper) -> str:
    if not paper.has_abstract:
        return _source(key, paper, "Abstract", NO_ABSTRACT)
    return _source(key, paper, "Summary" if paper.is_summary else "Abstract", source_text(paper.abstract))


def _beginning(key: str, paper: Paper, budget: int) -> str:
    """Write as many of the abstract's first sentences as fit into `budget` characters, but at least one."""
    sentences = [source_text(sentence) for sentence in split_sentences(paper.abstract)]
    if not sentences:
        return _block(key, paper)
    n = 1
    while n < len(sentences) and len(_source(key, paper, "Passages", " ".join(sentences[: n + 1]))) <= budget:
        n += 1
    return _source(key, paper, "Passages", " ".join(sentences[:n]))


def _of_passages(key: str, paper: Paper, passages: Sequence[Passage]) -> str | None:
    """Write the passages in the order in which they occur in the abstract; `None` if there are none."""
    parts = [source_text(paper.abstract[p.start : p.end]) for p in sorted(passages, key=lambda p: p.start)]
    return _source(key, paper, "Passages", _GAP.join(parts)) if parts else None


def _with_full_text(block: str, passage: FullTextPassage) -> str:
    """Add a full-text passage to a source, with its section and page."""
    address, text = source_text(passage.address), source_text(passage.text)
    return f"{block.removesuffix(_CLOSING)}\nFull text ({address}): {text}{_CLOSING}"


def _source(key: str, paper: Paper, kind: str, text: str) -> str:
    date = paper.published
    year = "unknown" if date is None else date.year
    warning = f"\nWarning: {source_text(paper.warning)}" if paper.warning else ""
    return f'<source key="{key}">\nTitle: {source_text(paper.title)}\nYear: {year}{warning}\n{kind}: {text}{_CLOSING}'
