"""What a card says of a paper: who, when and where, what to know first, and two lines of its abstract."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from pathfinder.index.words import content_stems
from pathfinder.text.author_names import parse_name
from pathfinder.text.latex.display import MOST_KEPT, for_markdown, readable
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Hit, Paper

NAMED_AUTHORS = 2
"""Maximum number of authors that a card names; of more, it names the first."""
EXCERPT = 320
"""Number of characters of an abstract on a card: two lines of a wide screen; a narrow one shows the first of them."""
LEAD = 30
"""Number of characters of a long sentence that are kept before the first word that matches."""
_WORD = re.compile(r"\w+(?:-like\b)?")

Runs: TypeAlias = tuple[tuple[str, str], ...]
"""Parts of a line, each with how it looks: the name of a style of the cards, a colour, or nothing; and its text."""


def facts(paper: Paper) -> list[str]:
    """List the warning and what `about` says of a paper, as Markdown."""
    warning = [f":red-badge[{for_markdown(paper.warning)}]"] if paper.warning else []
    return [*warning, *map(for_markdown, about(paper))]


def about(paper: Paper) -> Iterator[str]:
    """Yield authors, year, journal and citations of a paper; what is unknown is left out, except the first two."""
    yield authors(paper)
    yield "year unknown" if paper.year is None else str(paper.year)
    if paper.journal:
        yield paper.journal
    if paper.citation_count is not None:
        yield f"{paper.citation_count:,} cited"


def move(rank: int, before: int | None) -> str:
    """Say where a paper stood before the last change: "▲ was 4"; empty if there too, "new" if it was not listed."""
    if before is None:
        return "new"
    return "" if before == rank else f"{'▲' if before > rank else '▼'} was {before}"


def marks(hit: Hit) -> Iterator[tuple[str, str]]:
    """Yield each thing that a reader of the paper should know first, with the colour of its badge."""
    if hit.paper.warning:
        yield "red", hit.paper.warning
    if not hit.paper.has_abstract:
        yield "gray", "no abstract"
    if hit.outlier:
        yield "orange", "unlike the others"
    if hit.live:
        yield "violet", hit.live


def authors(paper: Paper) -> str:
    """Name up to two authors, or the first: "Freedman and 14 others"; "Freedman et al." if nobody counted them."""
    if not paper.authors:
        return "authors unknown"
    last_names = [parse_name(author).last for author in paper.authors]
    n = paper.n_all_authors
    if n is None:
        return f"{last_names[0]} et al."
    if n <= NAMED_AUTHORS == len(last_names) or n == 1:
        return " and ".join(last_names)
    return f"{last_names[0]} and {n - 1} others" if n > 2 else f"{last_names[0]} and another"


def excerpt(hit: Hit, question: str) -> Runs:
    """Return two lines of the abstract around the words of `question`, which are marked; nothing without one."""
    paper = hit.paper
    if not paper.has_abstract:
        return ()
    excerpt_of = _kept_excerpt if len(paper.abstract) + len(question) <= MOST_KEPT else _excerpt
    return excerpt_of(paper.abstract, question, paper.is_summary)


def _excerpt(abstract: str, question: str, is_summary: bool) -> Runs:
    wanted = content_stems(question)
    sentences = _sentences(readable(abstract))
    best = _best(sentences, wanted)
    text = " ".join(sentences[best:])
    first = next((match.start() for match in _WORD.finditer(text) if _is_wanted(match[0], wanted)), 0)
    start = text.rfind(" ", 0, first - LEAD) + 1 if first > LEAD else 0
    end = len(text) if len(text) - start <= EXCERPT else text.rfind(" ", start + 1, start + EXCERPT)
    cut = text[start : end if end > start else start + EXCERPT]
    marked = _WORD.sub(lambda match: f"\0{match[0]}\0" if _is_wanted(match[0], wanted) else match[0], cut)
    marked = f"{'… ' if best or start else ''}{marked}{' …' if start + len(cut) < len(text) else ''}"
    parts = (("mark" if place % 2 else "", part) for place, part in enumerate(marked.split("\0")))
    return (*([("soft", "Summary: ")] if is_summary else ()), *(part for part in parts if part[1]))


_kept_excerpt = lru_cache(maxsize=1024)(_excerpt)  # the same papers are drawn again when the list changes


def _sentences(abstract: str) -> Sequence[str]:
    return split_sentences(abstract) or (abstract,)


def _best(sentences: Sequence[str], wanted: frozenset[str]) -> int:
    """Return the place of the first of the sentences that share most words with the question."""
    n_shared = [len(wanted & content_stems(sentence)) for sentence in sentences]
    return n_shared.index(max(n_shared))


def _is_wanted(word: str, wanted: frozenset[str]) -> bool:
    return not wanted.isdisjoint(content_stems(word.removesuffix("-like")))


def name_of_abstract(paper: Paper) -> str:
    """Return the heading of a paper's abstract, which says if it is a summary by somebody else."""
    return "Summary, not written by the authors" if paper.is_summary else "Abstract"


def marked_abstract(hit: Hit, question: str) -> str:
    """Return the abstract as Markdown; of several sentences, the one that begins its card's lines is highlighted."""
    sentences = _sentences(hit.paper.abstract)
    parts = [*map(for_markdown, sentences)]
    if len(parts) > 1:
        best = _best([*map(readable, sentences)], content_stems(question))
        parts[best] = f":blue-background[{parts[best]}]"
    return " ".join(parts)
