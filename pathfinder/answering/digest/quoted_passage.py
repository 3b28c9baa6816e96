"""Quotes the full-text passage that was found for a question, if it contains more of the question than any abstract.

A passage was chosen among all the passages of its paper (`retrieval/best_passages.py`), which says more about it than
any sentence says about itself; so its best sentence is quoted together with those around it. If no sentence has most of
what the passage has of the question, the passage is shown as a whole, and the words that match are marked.
"""

import re
from collections.abc import Sequence

import numpy as np

from pathfinder.answering.digest.scoring import content_stems, coverage, shared_words, subjects_of
from pathfinder.grounding.readings import PASSAGE_BREAK
from pathfinder.index.words import INDEX_STOP_WORDS, stems, words
from pathfinder.text.sentences import is_prose, is_row, sentence_spans
from pathfinder.types import Finding, Hit

LONGEST = 120
"""Maximum number of words quoted around a sentence, unless it alone is longer."""

MOST_BEFORE = 2
"""Maximum number of sentences quoted before the one that answers, so that a reader need not search for it."""

MOST_OF_THE_PASSAGE = 0.7
"""Share that the best sentence must have of what the passage has of the question (benchmarks/ANSWERS.md)."""

_WORD_OR_FORMULA = re.compile(r"\$\$?[^$]+\$\$?|[^\W_][\w-]*")

MOST_ABSENT = 0.2
"""Share of the question's subjects that the paper may lack for the passage to count as an answer
(benchmarks/ANSWERS.md)."""


def quoted_passage(question: str, hits: Sequence[Hit]) -> Finding | None:
    """Return the quotation from the first full-text passage of the first of `hits`, whose papers are read with their
    passages, that contains more of the question than every abstract; `None` if no passage with prose or rows does.
    """
    first = hits[0]
    abstracts = [f"{hit.paper.title} {hit.paper.abstract.split(PASSAGE_BREAK)[0]}" for hit in hits]
    passages = [f"{first.paper.title} {each.heading} {each.text}" for each in first.full_text]
    shares = coverage(question, [*abstracts, *passages])
    best_of_abstracts, own = shares[: len(hits)].max(), shares[len(hits) :]
    for passage, share in zip(first.full_text, own, strict=True):
        if share <= best_of_abstracts:
            continue
        at = first.paper.abstract.find(passage.text)
        if at >= 0 and (finding := _quotation(question, first.paper.paper_id, passage.text, at)) is not None:
            return finding
    return None


def is_beyond(question: str, hit: Hit) -> bool:
    """Return whether the paper of `hit` lacks so many of the question's subjects in its title, its abstract and all of
    its full text that it cannot answer the question; false if it has no full text, because nobody knows what it lacks.
    """
    of_paper = {*stems(words(hit.paper.text), INDEX_STOP_WORDS)}
    subjects = subjects_of(question)
    return bool(hit.full_text) and len(subjects & {*hit.absent_words} - of_paper) > MOST_ABSENT * len(subjects)


def _quotation(question: str, paper_id: str, text: str, at: int) -> Finding | None:
    """Return the sentence, or row of a table, with the most of the question, with those around it as far as `LONGEST`
    allows, or all of them if it lacks much of what `text` has of the question; `None` if `text`, which begins at `at`,
    has neither prose nor rows.
    """
    spans = sentence_spans(text)
    sentences = [text[start:end] for start, end in spans]
    is_usable = np.array([is_prose(each) or is_row(each) for each in sentences], dtype=np.bool_)
    if not is_usable.any():
        return None
    *shares, share_of_text = shared_words(question, [*sentences, text])
    lengths = [len(sentence.split()) for sentence in sentences]
    first = last = best = int(np.argmax(np.where(is_usable, shares, -1.0)))
    is_whole = shares[best] < MOST_OF_THE_PASSAGE * share_of_text
    while True:
        fitting = [
            place
            for place in (last + 1, first - 1)
            if 0 <= place < len(spans)
            and is_usable[place]
            and (is_whole or place >= best - MOST_BEFORE)
            and (is_whole or sum(lengths[min(first, place) : max(last, place) + 1]) <= LONGEST)
        ]
        if not fitting:
            break
        addition = max(fitting, key=lambda place: shares[place])
        first, last = min(first, addition), max(last, addition)
    start, end = spans[first][0], spans[last][1]
    marked = _matches(question, text[start:end]) if is_whole else ()
    return Finding(paper_id, text[start:end], at + start, at + end, marked=marked)


def _matches(question: str, text: str) -> tuple[tuple[int, int], ...]:
    """Return the start and end of each word and formula in `text` that has a word of the question."""
    asked = content_stems(question)
    return tuple(match.span() for match in _WORD_OR_FORMULA.finditer(text) if asked & content_stems(match[0]))
