"""Finds a model's quote in the paper that it is attributed to."""

from pathfinder.grounding.citations import without_own_marks
from pathfinder.text.sentences import sentence_spans
from pathfinder.types import Paper

MIN_WORDS = 4
"""Minimum number of words in a quote: shorter quotes occur in many papers and say nothing about any one of them."""


def find_quote(quote: str, paper: Paper) -> str | None:
    """Return the complete sentences in the paper's title or abstract that contain `quote`: part of a sentence may lack
    its "not".

    `None` if neither contains the quote, if it begins or ends inside a word, or if it has fewer than four words. Any
    white space counts as one space, and the changes that are made to a paper in a prompt (to angle brackets, and to
    numbers in square brackets) are ignored; nothing else is corrected.
    """
    tidy_quote = without_own_marks(" ".join(quote.split()))
    if len(tidy_quote.split()) < MIN_WORDS:
        return None
    with_brackets = tidy_quote.replace("&lt;", "<").replace("&gt;", ">")
    for text in (" ".join(paper.abstract.split()), " ".join(paper.title.split())):
        searchable_text = without_own_marks(text)  # square brackets become round; the length stays the same
        for words in (tidy_quote, with_brackets):
            if (start := _find_words(words, searchable_text)) is not None:
                return _whole_sentences(text, start, start + len(words))
    return None


def _find_words(words: str, text: str) -> int | None:
    """Find the first position of `words` in `text` that does not cut a word at either end."""
    start = text.find(words)
    while start >= 0:
        end = start + len(words)
        if not (_is_inside_word(text, start) or _is_inside_word(text, end)):
            return start
        start = text.find(words, start + 1)
    return None


def _is_inside_word(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def _whole_sentences(text: str, start: int, end: int) -> str:
    spans = [(first, last) for first, last in sentence_spans(text) if first < end and start < last]
    return text[spans[0][0] : spans[-1][1]]
