"""The tokens of the papers that are reranked, compared with the question's and told apart by sentence."""

from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.tokens import Tokens
from pathfinder.retrieval.local_reranker.terms import Terms
from pathfinder.types import Rows

PAPERS_AT_ONCE = 16
"""How many papers' vectors are unpacked at a time, so that they stay within a processor's cache."""


class TokenSource(Protocol):
    """What keeps the papers' tokens: `index.tokens.TokenStore`."""

    def gather(self, rows: Rows) -> Tokens:
        """The tokens of the papers at `rows`, in that order."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenPool:
    """The tokens of n papers, one paper behind the other, cut into sentences."""

    cosines: NDArray[np.float32]
    """Of each token and each of the question's, shape (n_tokens, m)."""
    sentence_starts: NDArray[np.int64]
    """The first token of each sentence, shape (n_sentences,)."""
    papers: NDArray[np.int64]
    """Whose sentence it is, 0 to n - 1, ascending."""
    lengths: NDArray[np.int64]
    """How many tokens each paper has, shape (n,)."""

    @classmethod
    def of(cls, source: TokenSource, rows: Rows, terms: Terms) -> Self:
        """The tokens of the papers at `rows`, at least one, compared with the question's."""
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
        """The largest value in each sentence: shape (n_tokens, k) becomes (n_sentences, k)."""
        if not len(self.sentence_starts):
            return np.zeros((0, values.shape[1]), dtype=np.float32)
        return np.asarray(np.maximum.reduceat(values, self.sentence_starts, axis=0))

    def largest(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """The largest value over each paper's sentences, 0 for a paper without any: (n_sentences, k) to (n, k)."""
        found = np.zeros((self.n_papers, *values.shape[1:]), dtype=np.float32)
        if len(self.papers):
            firsts = np.flatnonzero(np.diff(self.papers, prepend=-1))
            found[self.papers[firsts]] = np.maximum.reduceat(values, firsts, axis=0)
        return found

    def with_next(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """The larger of each sentence's values and its successor's in the same paper, shape (n_sentences, k)."""
        joined = values.copy()
        same = np.flatnonzero(self.papers[1:] == self.papers[:-1])
        joined[same] = np.maximum(values[same], values[same + 1])
        return joined


def cosines_of(vectors: NDArray[np.float32], unit_vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of n vectors of any length and m unit vectors, shape (n, m); a vector of nothing but zeros has 0."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    # Products are fewer than coordinates, so they are divided and not the vectors.
    products = vectors @ unit_vectors.T
    return np.asarray(products / np.maximum(lengths, np.finfo(np.float32).tiny)[:, np.newaxis], dtype=np.float32)
