"""Papers as read for an answer: the abstract, followed by the full-text passages that a search has found."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from pathfinder.answering.grounding.marks import without_own_marks
from pathfinder.text.sentences import sentence_spans
from pathfinder.types import FullTextPassage, Hit, Paper

PASSAGE_BREAK = "\n\f\n"
"""Separator between an abstract and a passage, and between two passages; its form feed never occurs in an abstract."""
_ENDS = ".!?"


@dataclass(frozen=True, slots=True)
class ReadingSpan:
    """A span of the text that was read: in `passage`, or in the abstract if `passage` is `None`."""

    start: int
    end: int
    """Positions in the abstract or in the text of the passage."""
    passage: FullTextPassage | None = None


@dataclass(frozen=True, slots=True)
class Readings:
    """The full-text passages found so far by the searches for an answer."""

    passages: Mapping[str, tuple[FullTextPassage, ...]] = field(default_factory=dict)
    """Passages by paper id; those from each paper are in the order in which they were found."""

    def with_hits(self, hits: Iterable[Hit]) -> "Readings":
        """Add the passages of `hits`."""
        return self.with_passages({hit.paper.paper_id: hit.full_text for hit in hits if hit.full_text})

    def with_passages(self, new: Mapping[str, tuple[FullTextPassage, ...]]) -> "Readings":
        """Add passages, by paper id; those that were found before are now the last found."""
        if not new:
            return self
        texts = {key: {passage.text for passage in passages} for key, passages in new.items()}
        earlier = {
            key: tuple(passage for passage in self.passages.get(key, ()) if passage.text not in own)
            for key, own in texts.items()
        }
        return Readings({**self.passages, **{key: (*earlier[key], *passages) for key, passages in new.items()}})

    def read(self, paper: Paper) -> Paper:
        """Return the paper with its passages after its abstract; the paper unchanged if it has no passages."""
        if paper.paper_id not in self.passages:
            return paper
        return replace(paper, abstract=PASSAGE_BREAK.join(_with_full_stop(text) for text, _ in self._parts(paper)))

    def read_hit(self, hit: Hit) -> Hit:
        """Return the hit with its paper as `read` returns it."""
        paper = self.read(hit.paper)
        return hit if paper is hit.paper else replace(hit, paper=paper)

    def place(self, paper: Paper, start: int, end: int) -> ReadingSpan:
        """Find the abstract or passage that a span of `read(paper).abstract` comes from, and the span's position there;
        if the span crosses a boundary, its longest part counts.
        """
        if paper.paper_id not in self.passages or end <= len(paper.abstract):
            return ReadingSpan(start, end)
        spans, offset = [], 0
        for text, passage in self._parts(paper):
            spans.append(ReadingSpan(max(start - offset, 0), min(end - offset, len(text)), passage))
            offset += len(_with_full_stop(text)) + len(PASSAGE_BREAK)
        return max(spans, key=lambda span: span.end - span.start)

    def passage_with(self, paper: Paper, sentence: str) -> FullTextPassage | None:
        """Return the passage that contains `sentence`; `None` if the abstract or the title contains it, or if no
        passage does.
        """
        plain = _plain(sentence)
        if plain in _plain(paper.abstract) or plain in _plain(paper.title):
            return None
        own = self.passages.get(paper.paper_id, ())
        return next((passage for passage in own if plain in _plain(passage.text)), None)

    def _parts(self, paper: Paper) -> list[tuple[str, FullTextPassage | None]]:
        """Return the abstract, unless it is empty, and the passages, in the order in which they are read."""
        own = [(passage.text, passage) for passage in self.passages[paper.paper_id]]
        return [(paper.abstract, None), *own] if paper.has_abstract else [*own]


def _with_full_stop(text: str) -> str:
    """Return `text` with a full stop at its end, so that no sentence runs on into the next passage."""
    return f"{text}." if text.rstrip()[-1:] not in _ENDS else text


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(_ENDS)


# Finds a model's quote in the paper that it is attributed to.

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
                end = start + len(words)
                spans = [(first, last) for first, last in sentence_spans(text) if first < end and start < last]
                return text[spans[0][0] : spans[-1][1]]
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
