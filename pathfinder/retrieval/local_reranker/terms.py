"""The tokens of a question that say something, each with its weight."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.sparse import SparseIndex
from pathfinder.index.words import QUESTION_STOP_WORDS, stems

_WORD = re.compile(r"\w\w+")


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The tokens that a question is matched by, shape (m,)."""

    vectors: NDArray[np.float32]
    """Projected like the papers' tokens, unit length, shape (m, d)."""
    weights: NDArray[np.float32]
    """They add up to 1."""


def token_weights(text: str, spans: NDArray[np.int32], index: SparseIndex) -> NDArray[np.float32]:
    """The weight of each token of a question, shape (len(spans),), adding up to 1.

    A word weighs `log(1 + (N - n + 0.5) / (n + 0.5))`, n of N papers having it (BM25's idf); its tokens share
    that. Stop words and words that ask weigh nothing; where no other is left, every token weighs the same.
    """
    found = [word for word in _WORD.finditer(text) if word.group().lower() not in QUESTION_STOP_WORDS]
    rarities = _rarities([word.group() for word in found], index)
    weights = np.zeros(len(spans))
    for word, rarity in zip(found, rarities, strict=True):
        inside = (spans[:, 0] >= word.start()) & (spans[:, 1] <= word.end()) & (spans[:, 1] > spans[:, 0])
        weights[inside] = rarity / max(int(inside.sum()), 1)
    if not weights.any():
        weights[:] = spans[:, 1] > spans[:, 0]
    return np.asarray(weights / max(float(weights.sum()), 1e-9), dtype=np.float32)


def _rarities(words: list[str], index: SparseIndex) -> NDArray[np.float64]:
    n = index.document_frequencies(stems([word.lower() for word in words], frozenset()))
    return np.log1p((len(index) - n + 0.5) / (n + 0.5))
