"""Token vectors as bytes: two bits per coordinate, or seven bytes that correct a prediction.

Two bits: the four levels minimise the squared error for a normal variable (Max 1960, doi:10.1109/TIT.1960.1057548),
which the coordinates of unit vectors resemble once the axes are rotated at random.

Seven bytes: a token resembles the other tokens of its word, and its paper as a whole. A linear map predicts it from
both, and what the prediction misses is stored as a product code (Jegou et al. 2011, doi:10.1109/TPAMI.2010.57): the
axes are divided into blocks, and each block is replaced by the nearest of 256 vectors. The map and the vectors of all
blocks are fitted by `benchmarks/token_prediction.py`.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.ports import VectorIndex
from pathfinder.types import Rows

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


THRESHOLD, INNER, OUTER = 0.9816, 0.4528, 1.510
"""Threshold between the inner and outer levels, and the levels themselves, in units of the standard deviation, which is
`1 / sqrt(d)` in d dimensions.
"""

PER_BYTE = 4
_SHIFTS = np.arange(0, 8, 2)
_LEVELS = np.array([-OUTER, -INNER, INNER, OUTER])
_TABLE = _LEVELS[(np.arange(256)[:, np.newaxis] >> _SHIFTS) & 3].astype(np.float32)


def pack(vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Pack unit vectors of shape (n, d), where d is a multiple of 4, into bytes of shape (n, d / 4)."""
    n, d = vectors.shape
    threshold = THRESHOLD / np.sqrt(d)
    codes = 1 + (vectors >= 0).astype(np.int64) + (vectors > threshold) - (vectors < -threshold)
    fours = codes.reshape(n, d // PER_BYTE, PER_BYTE) << _SHIFTS
    return np.asarray(fours.sum(axis=2), dtype=np.uint8)


def unpack(codes: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Unpack bytes of shape (n, d / 4) into vectors of approximately unit length, shape (n, d)."""
    n, n_bytes = codes.shape
    d = n_bytes * PER_BYTE
    table = _TABLE / np.float32(np.sqrt(max(d, 1)))
    return np.take(table, codes, axis=0).reshape(n, d)


MAX_BYTES = 16_384
"""Limit on the size of a paper's tokens on disk, in bytes."""

MAX_SMALL_TOKENS = 244
"""Limit on the number of small tokens per paper: the number of full tokens that fit into 16 kB."""

_PER_PAPER = 8
"""Number of bytes used to locate a paper's tokens."""

TokenForm = Literal["full", "small"]
"""Form in which the tokens of a corpus are stored."""

StoredTokens = NDArray[np.void]
"""A paper's tokens as stored on disk, in the order of the text: each with its `vector` (as a code), `word` and
`sentence`.
"""


@dataclass(frozen=True, slots=True)
class FullTokens:
    """Stores each vector with two bits per coordinate."""

    dimension: int
    """Number of coordinates after projection."""

    counts_sentences: ClassVar[bool] = False
    """True if a paper stores the number of tokens in each sentence, rather than the sentence of each token."""

    @property
    def n_bytes(self) -> int:
        """Number of bytes per vector."""
        return self.dimension // PER_BYTE

    @property
    def room(self) -> int:
        """Number of tokens that a paper may keep: those that fit into 16 kB."""
        return (MAX_BYTES - _PER_PAPER) // token_type(self).itemsize

    def encode(self, vectors: Floats32, words: NDArray[np.int32], paper: Floats32) -> NDArray[np.uint8]:
        """Return the codes of a paper's tokens, shape (n, n_bytes); `paper` is the vector of the paper."""
        return pack(vectors)

    def decode(self, tokens: StoredTokens, rows: Rows, lengths: NDArray[np.int64]) -> Floats32:
        """Return the token vectors of the papers at `rows`, shape (n, d)."""
        return unpack(tokens["vector"])


@dataclass(frozen=True, slots=True, eq=False)
class SmallTokens:
    """Stores each vector in seven bytes, which are decoded with the help of the word and the paper's vector."""

    prediction: Prediction
    papers: VectorIndex | None = None
    """Vectors of the papers, which only `decode` needs."""
    counts_sentences: ClassVar[bool] = True
    room: ClassVar[int] = MAX_SMALL_TOKENS

    @property
    def n_bytes(self) -> int:
        return self.prediction.n_blocks

    def encode(self, vectors: Floats32, words: NDArray[np.int32], paper: Floats32) -> NDArray[np.uint8]:
        return self.prediction.encode(vectors, words, paper)

    def decode(self, tokens: StoredTokens, rows: Rows, lengths: NDArray[np.int64]) -> Floats32:
        if self.papers is None:
            raise ValueError("small tokens are read with the vectors of their papers: open the store with them")
        words = tokens["word"].astype(np.int32)
        return self.prediction.decode(tokens["vector"], words, self.papers.vectors(rows), lengths)


TokenCodec: TypeAlias = FullTokens | SmallTokens
"""Turns projected vectors of tokens into bytes and back."""


def codec_of(form: TokenForm, dimension: int, papers: VectorIndex | None = None) -> TokenCodec:
    """Return the codec for a form, given vectors with `dimension` coordinates after projection."""
    return FullTokens(dimension) if form == "full" else SmallTokens(packaged_prediction(), papers)


def token_type(codec: "TokenCodec", has_sentence: bool = True) -> np.dtype[Any]:
    """Return the type of a stored token; small tokens have no sentence on disk."""
    fields = [("vector", "u1", (codec.n_bytes,)), ("word", "<u2"), ("sentence", "u1")]
    return np.dtype(fields if has_sentence else fields[:2])
