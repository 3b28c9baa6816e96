"""The passage that matched: one line under the title, and highlighted in the abstract."""

from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Hit, Passage

MAX_CHARACTERS = 280
"""Maximum number of characters of a passage in the line under the title; in the abstract the whole passage is
highlighted.
"""


def excerpt(hit: Hit) -> str | None:
    """Return the best passage as Markdown, cut at the end of a word; `None` if it is unknown or the whole abstract."""
    if not hit.passages or _is_whole(hit.passages[0], hit.paper.abstract):
        return None
    text = " ".join(hit.paper.abstract[hit.passages[0].start : hit.passages[0].end].split())
    if len(text) > MAX_CHARACTERS:
        text = f"{text[:MAX_CHARACTERS].rsplit(' ', 1)[0]} …"
    return for_markdown(f"“{text}”")


def marked_abstract(hit: Hit) -> str:
    """Return the abstract as Markdown, with the best passage highlighted.

    Only the best passage is highlighted: passages cover the whole abstract, and highlighting all of them would
    highlight nothing.
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
