"""Words of a text, as the sparse index sees them."""

from collections.abc import Sequence
from functools import lru_cache

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


MOST_KEPT = 500
"""Number of characters of the longest text whose stems are kept: sentences and keywords, which several measures
compare, and again when a list is drawn in another order. 4096 such texts of random words take 57 MB.
"""


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the words in `text`, without a question's stop words."""
    return _kept_stems(text) if len(text) <= MOST_KEPT else _content_stems(text)


def _content_stems(text: str) -> frozenset[str]:
    return frozenset(stems(words(text), QUESTION_STOP_WORDS))


_kept_stems = lru_cache(maxsize=4096)(_content_stems)
