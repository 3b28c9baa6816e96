"""Meaningful tokens of a question, each with its weight."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.ports import WordStatistics
from pathfinder.index.words import QUESTION_STOP_WORDS, stems

_WORD = re.compile(r"\w\w+")


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Tokens used to match a question, shape (m,)."""

    vectors: NDArray[np.float32]
    """Unit vectors projected like the papers' tokens, shape (m, d)."""
    weights: NDArray[np.float32]
    """Weights that add up to 1."""


def content_words(text: str) -> list[re.Match[str]]:
    """Return the words of a question, including repetitions, with their positions; stop words and question words are
    left out.
    """
    return [word for word in _WORD.finditer(text) if word.group().lower() not in QUESTION_STOP_WORDS]


def token_weights(text: str, spans: NDArray[np.int32], index: WordStatistics) -> NDArray[np.float32]:
    """Return the weight of each token of a question, shape (len(spans),), adding up to 1.

    A word that occurs in n of N papers has the weight `log(1 + (N - n + 0.5) / (n + 0.5))` (BM25's idf); its tokens
    share that weight. Stop words and question words have no weight; if there are no other words, every token has the
    same weight.
    """
    words = content_words(text)
    rarities = _rarities([word.group() for word in words], index)
    weights = np.zeros(len(spans))
    for word, rarity in zip(words, rarities, strict=True):
        inside = (spans[:, 0] >= word.start()) & (spans[:, 1] <= word.end()) & (spans[:, 1] > spans[:, 0])
        weights[inside] = rarity / max(int(inside.sum()), 1)
    if not weights.any():
        weights[:] = spans[:, 1] > spans[:, 0]
    return np.asarray(weights / max(float(weights.sum()), 1e-9), dtype=np.float32)


def _rarities(words: list[str], index: WordStatistics) -> NDArray[np.float64]:
    n = index.document_frequencies(stems([word.lower() for word in words], frozenset()))
    return np.log1p((len(index) - n + 0.5) / (n + 0.5))
