"""A model's quote, looked up in the paper that it is said to be from."""

from pathfinder.answering.citations import without_marks
from pathfinder.types import Paper

MIN_WORDS = 4
"""Fewer words stand in many papers, and say nothing of what they are about."""


def find_quote(quote: str, paper: Paper) -> str | None:
    """`quote` as the paper's title or abstract has it; `None` where neither does, or it has fewer than four words.

    White space counts as one space, and what was changed to show the paper in a prompt (angle brackets, numbers in
    square brackets) is changed back; nothing else is put right.
    """
    asked = without_marks(" ".join(quote.split()))
    if len(asked.split()) < MIN_WORDS:
        return None
    unescaped = asked.replace("&lt;", "<").replace("&gt;", ">")
    for text in (" ".join(paper.abstract.split()), " ".join(paper.title.split())):
        shown = without_marks(text)  # of the same length: round brackets for square ones
        for wanted in (asked, unescaped):
            if (start := shown.find(wanted)) >= 0:
                return text[start : start + len(wanted)]
    return None
