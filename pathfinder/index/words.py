"""Words of a text, as the sparse index sees them."""

from collections.abc import Sequence
from functools import lru_cache, partial

import Stemmer

from pathfinder.text.languages import WORD
from pathfinder.text.stop_words import FREQUENT_ENGLISH, STOP_WORDS_BY_LANGUAGE

INDEX_STOP_WORDS = FREQUENT_ENGLISH
"""English words too frequent to be indexed."""

QUESTION_STOP_WORDS = STOP_WORDS_BY_LANGUAGE["English"]
"""Stop words of a question, including question words ("what", "which", "does"), which name nothing."""


def words(text: str) -> list[str]:
    """Return all runs of at least two letters, digits or underscores, in lower case and in any script."""
    return WORD.findall(text.lower())


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english")


def stems(tokens: Sequence[str], stop_words: frozenset[str]) -> list[str]:
    """Return the Snowball stems of `tokens`, excluding `stop_words` but keeping repetitions."""
    return list(_stemmer().stemWords([token for token in tokens if token not in stop_words]))


def contains(tokens: Sequence[str], phrase: Sequence[str]) -> bool:
    """Return whether the words of `phrase` occur one after another in `tokens`."""
    n = len(phrase)
    return any(tuple(tokens[start : start + n]) == tuple(phrase) for start in range(len(tokens) - n + 1))


MOST_KEPT, MOST_OF_A_PAPER = 500, 2_000
"""Numbers of characters of the longest texts whose stems are kept: sentences and keywords, which several measures
compare, and papers, which are read again when a list is drawn in another order. 4096 such sentences of random words
take 57 MB, 2048 such papers 67 MB.
"""


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the words in `text`, without a question's stop words."""
    return _kept_stems(text) if len(text) <= MOST_KEPT else stems_of_paper(text, QUESTION_STOP_WORDS)


def stems_of_paper(text: str, stop_words: frozenset[str]) -> frozenset[str]:
    """Return the stems of the words in the text of a paper, excluding `stop_words`."""
    return (_kept_stems_of_papers if len(text) <= MOST_OF_A_PAPER else _distinct_stems)(text, stop_words)


def _distinct_stems(text: str, stop_words: frozenset[str]) -> frozenset[str]:
    return frozenset(stems(words(text), stop_words))


_kept_stems = lru_cache(maxsize=4096)(partial(_distinct_stems, stop_words=QUESTION_STOP_WORDS))
_kept_stems_of_papers = lru_cache(maxsize=2048)(_distinct_stems)
