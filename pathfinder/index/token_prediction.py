"""Token vectors in seven bytes, a product code of what a prediction from the word and the paper's own vector misses.

A token resembles the other tokens of its word, and its paper as a whole. A linear map predicts it from both, and what
the prediction misses is stored as a product code (Jegou et al. 2011, doi:10.1109/TPAMI.2010.57): the axes are divided
into blocks, and each block is replaced by the nearest of 256 vectors. The map and the vectors of all blocks are fitted
by `benchmarks/token_prediction.py`.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_PACKAGED_FILE = Path(__file__).with_name("token_prediction.npz")
_AT_ONCE = 2048
"""Number of tokens that are coded at a time; their distances from the 256 vectors of a block take 2 MB."""

Floats32 = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Prediction:
    """The fitted maps, for a model whose vectors have length m, and for stored tokens whose vectors have length d."""

    projection: Floats32
    """Matrix from a model's token vectors to the stored ones, shape (m, d); it arranges the axes in blocks that are
    equally hard to code.
    """
    words: NDArray[np.int8]
    """Coordinates of each word of the vocabulary, shape (n_words, r)."""
    basis: Floats32
    """Directions along which the coordinates in `words` are measured, shape (r, d)."""
    paper: Floats32
    """Matrix from the vector of a paper to what the paper contributes to its tokens, shape (m, d)."""
    books: Floats32
    """The 256 vectors of each block, side by side, shape (256, d)."""
    n_blocks: int

    @cached_property
    def word_vectors(self) -> Floats32:
        """Contribution of each word to its tokens, shape (n_words, d)."""
        return self.words.astype(np.float32) @ self.basis

    def encode(self, vectors: Floats32, words: NDArray[np.int32], paper: Floats32) -> NDArray[np.uint8]:
        """Return the codes of one paper's tokens, shape (n, n_blocks).

        `vectors` are their projected vectors, shape (n, d), `words` their places in the vocabulary, and `paper` is the
        paper's vector, shape (m,).
        """
        rest = vectors - self.word_vectors[words] - paper @ self.paper
        codes = np.empty((len(rest), self.n_blocks), dtype=np.uint8)
        for first in range(0, len(rest), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            for block, columns in enumerate(self._blocks()):
                book = self.books[:, columns]
                # |v - c|^2 without |v|^2, which is the same for every c.
                distances = np.einsum("ij,ij->i", book, book) - 2 * rest[part, columns] @ book.T
                codes[part, block] = distances.argmin(axis=1)
        return codes

    def decode(
        self, codes: NDArray[np.uint8], words: NDArray[np.int32], papers: Floats32, lengths: NDArray[np.int64]
    ) -> Floats32:
        """Return the vectors of several papers' tokens, shape (n, d); `papers` holds the papers' vectors, and `lengths`
        the number of tokens of each paper.
        """
        vectors = self.word_vectors[words]
        vectors += np.repeat(papers @ self.paper, lengths, axis=0)
        for block, columns in enumerate(self._blocks()):
            vectors[:, columns] += self.books[:, columns][codes[:, block]]
        return vectors

    def _blocks(self) -> list[slice]:
        return blocks_of(self.books.shape[1], self.n_blocks)


def blocks_of(n_axes: int, n_blocks: int) -> list[slice]:
    """Divide axes into blocks of nearly the same width."""
    return [slice(end * n_axes // n_blocks, (end + 1) * n_axes // n_blocks) for end in range(n_blocks)]


@lru_cache(maxsize=1)
def packaged_prediction() -> Prediction:
    """Load the prediction that ships with the package; it is fitted to the local model."""
    return read_prediction(_PACKAGED_FILE)


def read_prediction(path: Path) -> Prediction:
    """Read a file written by `write_prediction`."""
    with np.load(path, allow_pickle=False) as arrays:
        maps = {name: arrays[name].astype(np.float32) for name in ("projection", "basis", "paper", "books")}
        return Prediction(**maps, words=arrays["words"], n_blocks=int(arrays["n_blocks"]))


def write_prediction(prediction: Prediction, path: Path) -> None:
    """Write a prediction as 16-bit floats, except for the coordinates of words, which take one byte each."""
    maps = {name: getattr(prediction, name).astype(np.float16) for name in ("projection", "basis", "paper", "books")}
    np.savez_compressed(path, words=prediction.words, n_blocks=np.int64(prediction.n_blocks), **maps)
