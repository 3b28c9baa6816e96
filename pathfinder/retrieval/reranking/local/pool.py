"""Tokens of the papers to rerank, compared with those of the question."""

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
    """Tokens of n papers, one paper after the other."""

    cosines: NDArray[np.float32]
    """Cosine between each token of the papers and each token of the question, shape (n_tokens, m)."""
    lengths: NDArray[np.int64]
    """Number of tokens in each paper, shape (n,)."""

    @classmethod
    def of(cls, source: TokenSource, rows: Rows, terms: Terms) -> Self:
        """Compare the tokens of the papers at `rows`, which must not be empty, with those of the question."""
        cosines, lengths = [], []
        for first in range(0, len(rows), PAPERS_AT_ONCE):
            tokens = source.gather(rows[first : first + PAPERS_AT_ONCE])
            cosines.append(cosines_of(tokens.vectors, terms.vectors))
            lengths.append(np.diff(tokens.offsets))
        return cls(np.concatenate(cosines), np.concatenate(lengths))

    def largest(self) -> NDArray[np.float32]:
        """Return the largest cosine of each paper with each token of the question, shape (n, m); 0 if none is above 0,
        or if the paper has no tokens.
        """
        maxima = np.zeros((len(self.lengths), self.cosines.shape[1]), dtype=np.float32)
        has_tokens = self.lengths > 0
        if has_tokens.any():
            firsts = (np.cumsum(self.lengths) - self.lengths)[has_tokens]
            maxima[has_tokens] = np.maximum(np.maximum.reduceat(self.cosines, firsts, axis=0), 0)
        return maxima


def cosines_of(vectors: NDArray[np.float32], unit_vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cosines of n vectors of any length and m unit vectors, shape (n, m); 0 for a zero vector."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    # There are fewer products than coordinates, so the products are divided by the lengths, not the vectors.
    products = vectors @ unit_vectors.T
    return np.asarray(products / np.maximum(lengths, np.finfo(np.float32).tiny)[:, np.newaxis], dtype=np.float32)
