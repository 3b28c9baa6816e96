"""The papers that a chat model was shown for one answer, each under a key that the model cannot guess, and how they and
earlier texts are written into a prompt, so that no text can be taken for part of the prompt.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pathfinder.answering.grounding.marks import shown_marks, shown_numbers, without_own_marks
from pathfinder.llm.usage import CHARACTERS_PER_TOKEN
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Claim, Exchange, FullTextPassage, Paper, Passage

_LETTERS = "abcdefghijkmnpqrstuvwxyz"
_DIGITS = "23456789"
"""Digits used in keys. Letters and digits that are easily confused (l, o, 0 and 1) are not used."""


@dataclass(frozen=True)
class CitationRegistry:
    """Papers in the order in which they were shown. Immutable: `with_papers` returns a longer registry."""

    question: str
    """The question. The keys are derived from it and from the ids, so that no text in a corpus can contain another
    paper's key.
    """
    papers: tuple[Paper, ...] = ()

    def with_papers(self, papers: Sequence[Paper]) -> "CitationRegistry":
        """Append those of `papers` that are not in the registry yet. Existing keys are kept."""
        known_ids = {paper.paper_id for paper in self.papers}
        new = {paper.paper_id: paper for paper in papers if paper.paper_id not in known_ids}
        return CitationRegistry(self.question, (*self.papers, *new.values()))

    def key(self, paper_id: str) -> str:
        """Return the key of a paper in the registry."""
        return self._keys[paper_id]

    def place(self, key: str) -> int | None:
        """Return the number of the paper under `key`, counted from 1: the n of [n]. `None` for an unknown key."""
        return self._places.get(key)

    def paper(self, key: str) -> Paper | None:
        """Return the paper under `key`; `None` for an unknown key."""
        place = self.place(key)
        return None if place is None else self.papers[place - 1]

    @cached_property
    def _keys(self) -> dict[str, str]:
        return keys_of(self.question, [paper.paper_id for paper in self.papers])

    @cached_property
    def _places(self) -> dict[str, int]:
        return {key: place for place, key in enumerate(self._keys.values(), start=1)}


def keys_of(seed: str, ids: Iterable[str]) -> dict[str, str]:
    """Make a distinct key for each of `ids`, in order, from the id and `seed`."""
    keys: dict[str, str] = {}
    for paper_id in ids:
        n_tried = 0
        while (key := _key(f"{seed}\n{paper_id}\n{n_tried}")) in keys.values():
            n_tried += 1
        keys[paper_id] = key
    return keys


def _key(seed: str) -> str:
    digest = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).digest()
    return "".join((_DIGITS if place % 2 else _LETTERS)[digest[place] % (8 if place % 2 else 24)] for place in range(5))


# Papers as sources in a prompt.

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
    *,
    keeps_room: bool = False,
) -> Sources:
    """Write as many of `papers` as fit, under their keys in `registry`, which must contain all of them; the first is
    always included.

    A paper that does not fit as a whole is represented by its `passages` (given by paper id) if they fit; otherwise it
    is left out or, if it is the first, represented by as many of its first sentences as fit. No sentence is cut midway:
    half a sentence may lack its "not". Any remaining room is used for at most `n_full_texts` of the papers'
    `full_texts` (passages by paper id), in order; with `keeps_room`, as much as half of the room is kept for them.
    """
    blocks: list[str] = []
    included_papers: list[Paper] = []
    left_out, shortened_papers = [], []
    budget = budget_tokens * CHARACTERS_PER_TOKEN
    texts = [text for paper in papers for text in (full_texts or {}).get(paper.paper_id, ())][:n_full_texts]
    kept = min(sum(len(text.text) for text in texts), budget // 2) if keeps_room else 0
    budget -= kept
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
    budget += kept
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
    address, text = source_text(passage.address), source_text(passage.text)
    return f"{block.removesuffix(_CLOSING)}\nFull text ({address}): {text}{_CLOSING}"


def _source(key: str, paper: Paper, kind: str, text: str) -> str:
    date = paper.published
    year = "unknown" if date is None else date.year
    warning = f"\nWarning: {source_text(paper.warning)}" if paper.warning else ""
    return f'<source key="{key}">\nTitle: {source_text(paper.title)}\nYear: {year}{warning}\n{kind}: {text}{_CLOSING}'


# Text written by a chat model, prepared for use in a later prompt.

_OPENS_TAG = re.compile(r"<(?=\s*[/!?a-zA-Z])")
"""The "<" that opens a tag, but not the sign in "z < 2": if that were escaped, a model that copies the text would copy
`&lt;` too.
"""


def escape(text: str) -> str:
    """Escape everything in `text` that could open or close a part of a prompt; keep its citation marks."""
    return _OPENS_TAG.sub("&lt;", text)


def with_keys(claims: Sequence[Claim], registry: CitationRegistry) -> str:
    """Write `claims` as one paragraph, each with the keys of the papers that it cites; invented keys are left out."""
    pieces = []
    for claim in claims:
        keys = ", ".join(map(registry.key, claim.citations))
        pieces.append(escape(claim.text) + (f" [{keys}]" if keys else ""))
    return " ".join(pieces)


def without_room(left_out: Sequence[Paper], registry: CitationRegistry) -> str:
    """List the numbers of papers that did not fit into a prompt, or not whole: "[4], [7]"."""
    return ", ".join(f"[{registry.papers.index(paper) + 1}]" for paper in left_out)


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
