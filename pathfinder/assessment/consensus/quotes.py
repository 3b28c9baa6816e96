"""A model's quote, looked up in the paper that it is said to be from."""

from pathfinder.answering.citations import without_marks
from pathfinder.corpus.sentences import sentence_spans
from pathfinder.types import Paper

MIN_WORDS = 4
"""Fewer words stand in many papers, and say nothing of what they are about."""


def find_quote(quote: str, paper: Paper) -> str | None:
    """The whole sentences of the paper's title or abstract that `quote` stands in: a part of one may lack its "not".

    `None` where it stands in neither, begins or ends inside a word, or has fewer than four words. White space counts
    as one space, and what was changed to show the paper in a prompt (angle brackets, numbers in square brackets) is
    changed back; nothing else is put right.
    """
    asked = without_marks(" ".join(quote.split()))
    if len(asked.split()) < MIN_WORDS:
        return None
    unescaped = asked.replace("&lt;", "<").replace("&gt;", ">")
    for text in (" ".join(paper.abstract.split()), " ".join(paper.title.split())):
        shown = without_marks(text)  # of the same length: round brackets for square ones
        for wanted in (asked, unescaped):
            if (start := _find_words(wanted, shown)) is not None:
                return _whole_sentences(text, start, start + len(wanted))
    return None


def _find_words(wanted: str, text: str) -> int | None:
    """Where `wanted` first stands in `text` with no word cut at its ends."""
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not (_is_inside_word(text, start) or _is_inside_word(text, end)):
            return start
        start = text.find(wanted, start + 1)
    return None


def _is_inside_word(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def _whole_sentences(text: str, start: int, end: int) -> str:
    spans = [(first, last) for first, last in sentence_spans(text) if first < end and start < last]
    return text[spans[0][0] : spans[-1][1]]
