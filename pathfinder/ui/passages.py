"""The passage that matched: in a line under the title, and marked in the abstract."""

from pathfinder.export.latex import for_markdown
from pathfinder.types import Hit, Passage

MAX_CHARACTERS = 280
"""Of a passage in the line under the title; the whole of it is marked in the abstract."""


def excerpt(hit: Hit) -> str | None:
    """Markdown of the best passage, cut at a word; `None` where it is the whole abstract or none is known."""
    if not hit.passages or _is_whole(hit.passages[0], hit.paper.abstract):
        return None
    text = " ".join(hit.paper.abstract[hit.passages[0].start : hit.passages[0].end].split())
    if len(text) > MAX_CHARACTERS:
        text = f"{text[:MAX_CHARACTERS].rsplit(' ', 1)[0]} …"
    return for_markdown(f"“{text}”")


def marked_abstract(hit: Hit) -> str:
    """Markdown of the abstract, the passage that matched best on a coloured ground.

    Only that one: the passages of an abstract are all of it, and an abstract that is all marked is not marked.
    """
    abstract = hit.paper.abstract
    if not hit.passages or _is_whole(hit.passages[0], abstract):
        return for_markdown(abstract)
    best = hit.passages[0]
    before, after = for_markdown(abstract[: best.start]), for_markdown(abstract[best.end :])
    marked = f":blue-background[{for_markdown(abstract[best.start : best.end])}]"
    return " ".join(part for part in (before, marked, after) if part)


def _is_whole(passage: Passage, abstract: str) -> bool:
    return passage.start == 0 and passage.end >= len(abstract.rstrip())
