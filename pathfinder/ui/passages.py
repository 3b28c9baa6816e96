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
    """Markdown of the abstract, its matching passages on a coloured ground."""
    abstract, parts, done = hit.paper.abstract, [], 0
    for passage in sorted(hit.passages, key=lambda passage: passage.start):
        if _is_whole(passage, abstract) or passage.start < done:
            continue
        parts += [for_markdown(abstract[done : passage.start]), _marked(abstract[passage.start : passage.end])]
        done = passage.end
    return " ".join(part for part in (*parts, for_markdown(abstract[done:])) if part)


def _marked(text: str) -> str:
    return f":blue-background[{for_markdown(text)}]"


def _is_whole(passage: Passage, abstract: str) -> bool:
    return passage.start == 0 and passage.end >= len(abstract.rstrip())
