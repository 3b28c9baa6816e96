"""The passages of a paper that are shown for a question: their order within the paper, how far each reaches, and
the sentence that has the most in common with the question.

Within one paper, its subject says nothing: its passages are ordered by BM25 with the rarity of a word measured over the
passages of this paper alone, where words of its title count less. A passage also gains from the words of its heading
and from its neighbours in the section, and the sum is fused with its cosine. Each passage is then extended by
neighbouring sentences, so that it shows as many words wherever the text happened to be cut (benchmarks/FULLTEXT.md has
the measurements).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from pathfinder.index.full_texts import FullTextIndex
from pathfinder.index.predicate import Mask
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.retrieval.fusion import fuse
from pathfinder.retrieval.lookup.question import Direction
from pathfinder.text.sentences import is_prose, sentence_spans
from pathfinder.types import Floats, Rows
from pathfinder.types.full_texts import MAX_FULL_TEXT_PASSAGES, FullTextPassage

MAX_WORDS = 165
"""Maximum number of words to which a passage is extended."""

K1, B = 1.2, 0.4
"""Parameters of BM25 within a paper. Its passages are about as long as each other, and captions and footnotes, which
are shorter, need no bonus: hence the small `B`.
"""

TITLE_WORD, HEADING, NEIGHBOUR, DENSE_SHARE = 0.4, 0.6, 0.2, 0.3
"""Weights of a word that the paper's title contains, of the score of a passage's heading, of the score of each
neighbouring passage, and of the cosine in the fused score.
"""


class BestPassages(NamedTuple):
    """The passages of a paper chosen for a question."""

    passages: tuple[FullTextPassage, ...]
    absent_words: tuple[str, ...]
    """Stems of the question's words that occur in none of the paper's passages and headings, whether chosen or not."""


def best_passages(
    question: str, title: str, places: Rows, index: FullTextIndex, vector: Direction, is_in: Mask | None = None
) -> BestPassages:
    """Choose at most three of the passages of a paper at `places` (all, in reading order), the best first, each
    extended; with the mask `is_in`, of shape (len(places),), only from sections in which it is true.

    Without a `vector`, only passages with a word of the question count. The `score` of a passage is its cosine before
    it was extended.
    """
    asked = list(dict.fromkeys(_stems(question)))
    cosines = np.full(len(places), np.nan)
    if vector is not None:
        cosines = np.einsum("ij,j->i", index.vectors_at(places), vector, dtype=np.float64)
    passages = index.passages(places, cosines)
    of_title = {*_stems(title)}
    weights = np.array([TITLE_WORD if word in of_title else 1.0 for word in asked])
    counts, lengths = index.words.counts(asked, places)
    in_headings, lengths_of_headings = _count_in_headings(asked, passages)
    worth = _rarity(counts) * weights
    # Each passage gains a part of the scores of the passages before and after it in the section.
    scores = _bm25(counts, lengths) @ worth
    goes_on = np.array([_is_next(passages, place) for place in range(1, len(passages))], dtype=np.float64)
    by_words = scores.copy()
    by_words[1:] += NEIGHBOUR * scores[:-1] * goes_on
    by_words[:-1] += NEIGHBOUR * scores[1:] * goes_on
    by_words += HEADING * (_bm25(in_headings, lengths_of_headings) @ (_rarity(in_headings) * weights))
    lowest = float(np.nan_to_num(cosines).min(initial=1.0))
    fused = fuse(cosines, np.where(by_words > 0, by_words, np.nan), lowest, dense_share=DENSE_SHARE)
    fused = fused if is_in is None else np.where(is_in, fused, 0.0)
    chosen: list[FullTextPassage] = []
    for place in np.argsort(-fused, kind="stable").tolist():
        if len(chosen) == MAX_FULL_TEXT_PASSAGES or not fused[place]:
            break
        if not any(_contains(other, passages[place]) for other in chosen):
            chosen.append(_extended(place, passages, chosen))
    is_absent = (counts + in_headings).sum(axis=0) == 0
    return BestPassages(tuple(chosen), tuple(word for word, absent in zip(asked, is_absent, strict=True) if absent))


def _stems(text: str) -> list[str]:
    return stems(words(text), QUESTION_STOP_WORDS)


def _rarity(counts: Floats) -> Floats:
    """Return Lucene's inverse document frequency of each word, over the passages of the paper; 0 if none has it."""
    n_with = (counts > 0).sum(axis=0)
    return np.where(n_with > 0, np.log1p((len(counts) - n_with + 0.5) / (n_with + 0.5)), 0.0)


def _bm25(counts: Floats, lengths: Floats) -> Floats:
    """Return the score of each word in each passage as a share of its rarity, shape (n_passages, n_words)."""
    saturation = K1 * (1 - B + B * lengths / max(float(lengths.mean()), 1.0))
    return np.asarray(counts / (counts + saturation[:, None]))


def _count_in_headings(asked: Sequence[str], passages: Sequence[FullTextPassage]) -> tuple[Floats, Floats]:
    """Count the words in the heading of each passage, as `SparseIndex.counts` does in its text."""
    stems_of = {heading: _stems(heading) for heading in {passage.heading for passage in passages}}
    own = [stems_of[passage.heading] for passage in passages]
    counts = np.array([[heading.count(word) for word in asked] for heading in own], dtype=np.float64)
    return counts.reshape(len(passages), len(asked)), np.array([len(heading) for heading in own], dtype=np.float64)


def _is_next(passages: Sequence[FullTextPassage], place: int) -> bool:
    """Return whether the passage at `place` goes on where the one before it in the list ends."""
    passage, before = passages[place], passages[place - 1]
    return not passage.is_caption and not before.is_caption and passage.section == before.section


# Extends a passage by the sentences before and after it in its section.


def _contains(other: FullTextPassage, passage: FullTextPassage) -> bool:
    """Return whether all of `passage` is part of `other`, which has been extended."""
    return (
        (other.section, other.is_caption) == (passage.section, passage.is_caption)
        and (other.first, other.start) <= (passage.first, passage.start)
        and (passage.last, passage.end) <= (other.last, other.end)
    )


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a passage, by its position in the text of the passage."""

    passage: FullTextPassage
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.passage.text[self.start : self.end]

    def position(self, offset: int) -> tuple[int, int]:
        """Return the paragraph in the section, and the position in it, of an `offset` in the passage's text."""
        before = self.passage.text[:offset]
        start = 0 if "\n" in before else self.passage.start
        return self.passage.first + before.count("\n"), start + offset - (before.rfind("\n") + 1)


def _extended(place: int, passages: Sequence[FullTextPassage], chosen: Sequence[FullTextPassage]) -> FullTextPassage:
    """Extend the passage at `place` by the sentences after it, then by those before it, up to `MAX_WORDS` words, but
    not by a sentence that one of the `chosen` passages shows.
    """
    passage = passages[place]
    sides = ((_sentences_after(place, passages), _with_later), (_sentences_before(place, passages), _with_earlier))
    for sentences, extended in sides:
        for sentence in sentences:
            n_words = len(passage.text.split()) + len(sentence.text.split())
            if n_words > MAX_WORDS or any(_shows(other, sentence) for other in chosen):
                break
            passage = extended(passage, sentence)
    return passage


def _sentences_of(passage: FullTextPassage) -> list[_Sentence]:
    offsets = np.cumsum([0, *(len(line) + 1 for line in passage.text.split("\n"))]).tolist()
    lines = zip(offsets, passage.text.split("\n"), strict=False)
    return [_Sentence(passage, at + start, at + end) for at, line in lines for start, end in sentence_spans(line)]


def _sentences_before(place: int, passages: Sequence[FullTextPassage]) -> Iterator[_Sentence]:
    """Yield the sentences before the passage at `place` on its page, the nearest first."""
    page = passages[place].page
    while place > 0 and _is_next(passages, place) and passages[place - 1].page == page:
        place -= 1
        yield from reversed(_sentences_of(passages[place]))


def _sentences_after(place: int, passages: Sequence[FullTextPassage]) -> Iterator[_Sentence]:
    while place + 1 < len(passages) and _is_next(passages, place + 1):
        place += 1
        yield from _sentences_of(passages[place])


def _shows(other: FullTextPassage, sentence: _Sentence) -> bool:
    first, start = sentence.position(sentence.start)
    last, end = sentence.position(sentence.end)
    return _contains(other, replace(sentence.passage, first=first, start=start, last=last, end=end))


def _with_earlier(passage: FullTextPassage, sentence: _Sentence) -> FullTextPassage:
    first, start = sentence.position(sentence.start)
    last, end = sentence.position(sentence.end)
    between = " " * (passage.start - end) if last == passage.first else "\n"
    return replace(passage, text=f"{sentence.text}{between}{passage.text}", first=first, start=start)


def _with_later(passage: FullTextPassage, sentence: _Sentence) -> FullTextPassage:
    first, start = sentence.position(sentence.start)
    last, end = sentence.position(sentence.end)
    between = " " * (start - passage.end) if first == passage.last else "\n"
    return replace(passage, text=f"{passage.text}{between}{sentence.text}", last=last, end=end)


def best_sentence_span(question: str, passage: FullTextPassage) -> tuple[int, int]:
    """Return the start and end, in the passage, of the sentence that has the most content words in common with the
    question; in a tie, the first. A table or other markup counts only if the passage has no sentence.
    """
    of_question = frozenset(stems(words(question), QUESTION_STOP_WORDS))
    all_spans = sentence_spans(passage.text)
    spans = tuple(span for span in all_spans if is_prose(passage.text[slice(*span)])) or all_spans
    n_shared = [
        len(of_question & {*stems(words(passage.text[start:end]), QUESTION_STOP_WORDS)}) for start, end in spans
    ]
    return spans[n_shared.index(max(n_shared))]


def pinpointed_sentence(question: str, passage: FullTextPassage) -> str:
    """Return the pinpointed sentence on one line."""
    start, end = best_sentence_span(question, passage)
    return " ".join(passage.text[start:end].split())
