"""Quotes the full-text passage that was found for a question, if it contains more of the question than any abstract.

A passage was chosen among all the passages of its paper (`retrieval/best_passages.py`), which says more about it than
any sentence says about itself; so its best sentence is quoted together with those around it.
"""

from collections.abc import Sequence

import numpy as np

from pathfinder.answering.digest.scoring import coverage, shared_words, subjects_of
from pathfinder.grounding.readings import PASSAGE_BREAK
from pathfinder.index.words import INDEX_STOP_WORDS, stems, words
from pathfinder.text.sentences import is_prose, sentence_spans
from pathfinder.types import Finding, Hit

LONGEST = 120
"""Maximum number of words quoted from a passage, unless its best sentence alone is longer."""

MOST_BEFORE = 2
"""Maximum number of sentences quoted before the best one, so that a reader need not search for it."""

FORWARD = 1.3
"""Factor by which the sentence after a quotation is preferred to the one before it."""

MOST_ABSENT = 0.2
"""Share of the question's subjects that the paper may lack for the passage to count as an answer
(benchmarks/ANSWERS.md)."""


def quoted_passage(question: str, hits: Sequence[Hit]) -> Finding | None:
    """Return the quotation from the first full-text passage of the first of `hits`, whose papers are read with their
    passages, that contains more of the question than every abstract; `None` if no passage with prose does.
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
        span = _window(question, passage.text)
        if span is not None and at >= 0:
            start, end = span
            return Finding(first.paper.paper_id, passage.text[start:end], at + start, at + end)
    return None


def is_beyond(question: str, hit: Hit) -> bool:
    """Return whether the paper of `hit` lacks so many of the question's subjects in its title, its abstract and all of
    its full text that it cannot answer the question; false if it has no full text, because nobody knows what it lacks.
    """
    of_paper = {*stems(words(hit.paper.text), INDEX_STOP_WORDS)}
    subjects = subjects_of(question)
    return bool(hit.full_text) and len(subjects & {*hit.absent_words} - of_paper) > MOST_ABSENT * len(subjects)


def _window(question: str, text: str) -> tuple[int, int] | None:
    """Return the start and end of the sentence with the most of the question, with the sentences around it as far as
    `LONGEST` allows; `None` if the passage has no prose.
    """
    spans = sentence_spans(text)
    sentences = [text[start:end] for start, end in spans]
    is_usable = np.array([is_prose(sentence) for sentence in sentences], dtype=np.bool_)
    if not is_usable.any():
        return None
    shares = shared_words(question, sentences)
    lengths = [len(sentence.split()) for sentence in sentences]
    first = last = best = int(np.argmax(np.where(is_usable, shares, -1.0)))
    while True:
        fitting = [
            place
            for place in (last + 1, first - 1)
            if max(best - MOST_BEFORE, 0) <= place < len(spans)
            and is_usable[place]
            and sum(lengths[min(first, place) : max(last, place) + 1]) <= LONGEST
        ]
        if not fitting:
            return spans[first][0], spans[last][1]
        addition = max(fitting, key=lambda place: shares[place] * (FORWARD if place > last else 1.0))
        first, last = min(first, addition), max(last, addition)
