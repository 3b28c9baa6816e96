"""Tokens of the papers to rerank, compared with those of the question and grouped by sentence."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.ports import TokenSource
from pathfinder.retrieval.reranking.local.terms import Terms
from pathfinder.types import Rows

PAPERS_AT_ONCE = 16
"""Number of papers whose vectors are unpacked at a time, small enough to fit in a processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenPool:
    """Tokens of n papers, one paper after the other, grouped into sentences."""

    cosines: NDArray[np.float32]
    """Cosine between each token and each token of the question, shape (n_tokens, m)."""
    sentence_starts: NDArray[np.int64]
    """Index of the first token of each sentence, shape (n_sentences,)."""
    papers: NDArray[np.int64]
    """Index of the paper that each sentence belongs to, 0 to n - 1, ascending."""
    lengths: NDArray[np.int64]
    """Number of tokens of each paper, shape (n,)."""

    @classmethod
    def of(cls, source: TokenSource, rows: Rows, terms: Terms) -> Self:
        """Compare the tokens of the papers at `rows`, which must not be empty, with those of the question."""
        cosines, sentences, lengths = [], [], []
        for first in range(0, len(rows), PAPERS_AT_ONCE):
            tokens = source.gather(rows[first : first + PAPERS_AT_ONCE])
            cosines.append(cosines_of(tokens.vectors, terms.vectors))
            sentences.append(tokens.sentences)
            lengths.append(np.diff(tokens.offsets))
        return cls._cut(np.concatenate(cosines), np.concatenate(sentences), np.concatenate(lengths))

    @classmethod
    def _cut(cls, cosines: NDArray[np.float32], sentences: NDArray[np.int32], lengths: NDArray[np.int64]) -> Self:
        owners = np.repeat(np.arange(len(lengths)), lengths)
        begins = np.ones(len(sentences), dtype=np.bool_)
        begins[1:] = (sentences[1:] != sentences[:-1]) | (owners[1:] != owners[:-1])
        starts = np.flatnonzero(begins)
        return cls(cosines, starts, owners[starts], lengths)

    @property
    def n_papers(self) -> int:
        return len(self.lengths)

    def by_sentence(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the largest value in each sentence: shape (n_tokens, k) becomes (n_sentences, k)."""
        if not len(self.sentence_starts):
            return np.zeros((0, values.shape[1]), dtype=np.float32)
        return np.asarray(np.maximum.reduceat(values, self.sentence_starts, axis=0))

    def largest(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the largest value over each paper's sentences, 0 if it has none: shape (n_sentences, k) becomes (n,
        k).
        """
        maxima = np.zeros((self.n_papers, *values.shape[1:]), dtype=np.float32)
        if len(self.papers):
            firsts = np.flatnonzero(np.diff(self.papers, prepend=-1))
            maxima[self.papers[firsts]] = np.maximum.reduceat(values, firsts, axis=0)
        return maxima

    def with_next(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the larger of each sentence's values and those of the next sentence in its paper, shape (n_sentences,
        k).
        """
        joined = values.copy()
        same = np.flatnonzero(self.papers[1:] == self.papers[:-1])
        joined[same] = np.maximum(values[same], values[same + 1])
        return joined


def cosines_of(vectors: NDArray[np.float32], unit_vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cosines of n vectors of any length and m unit vectors, shape (n, m); 0 for a zero vector."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    # There are fewer products than coordinates, so the products are divided, not the vectors.
    products = vectors @ unit_vectors.T
    return np.asarray(products / np.maximum(lengths, np.finfo(np.float32).tiny)[:, np.newaxis], dtype=np.float32)
