"""Pinpoints the sentence of a full-text passage that has the most in common with the question."""

from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.text.sentences import is_prose, sentence_spans
from pathfinder.types.full_texts import FullTextPassage


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
