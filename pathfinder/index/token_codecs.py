"""Token vectors as bytes: two bits per coordinate, or seven bytes that correct a prediction (`token_prediction.py`)."""

from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.ports import VectorIndex
from pathfinder.index.token_prediction import Prediction, packaged_prediction
from pathfinder.index.two_bits import PER_BYTE, pack, unpack
from pathfinder.types import Rows

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


class TokenCodec(Protocol):
    """Turns projected vectors of tokens into bytes and back."""

    @property
    def n_bytes(self) -> int:
        """Number of bytes per vector."""

    @property
    def room(self) -> int:
        """Number of tokens that a paper may keep."""

    @property
    def counts_sentences(self) -> bool:
        """True if a paper stores the number of tokens in each sentence, rather than the sentence of each token."""

    def encode(
        self, vectors: NDArray[np.float32], words: NDArray[np.int32], paper: NDArray[np.float32]
    ) -> NDArray[np.uint8]:
        """Return the codes of a paper's tokens, shape (n, n_bytes); `paper` is the vector of the paper."""

    def decode(self, tokens: StoredTokens, rows: Rows, lengths: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the token vectors of the papers at `rows`, shape (n, d)."""


@dataclass(frozen=True, slots=True)
class FullTokens:
    """Stores each vector with two bits per coordinate."""

    dimension: int
    """Number of coordinates after projection."""

    @property
    def n_bytes(self) -> int:
        return self.dimension // PER_BYTE

    @property
    def room(self) -> int:
        return tokens_per_paper(self.dimension)

    @property
    def counts_sentences(self) -> bool:
        return False

    def encode(
        self, vectors: NDArray[np.float32], words: NDArray[np.int32], paper: NDArray[np.float32]
    ) -> NDArray[np.uint8]:
        return pack(vectors)

    def decode(self, tokens: StoredTokens, rows: Rows, lengths: NDArray[np.int64]) -> NDArray[np.float32]:
        return unpack(tokens["vector"])


@dataclass(frozen=True, slots=True, eq=False)
class SmallTokens:
    """Stores each vector in seven bytes, which are decoded with the help of the word and the paper's vector."""

    prediction: Prediction
    papers: VectorIndex | None = None
    """Vectors of the papers, which only `decode` needs."""

    @property
    def n_bytes(self) -> int:
        return self.prediction.n_blocks

    @property
    def room(self) -> int:
        return MAX_SMALL_TOKENS

    @property
    def counts_sentences(self) -> bool:
        return True

    def encode(
        self, vectors: NDArray[np.float32], words: NDArray[np.int32], paper: NDArray[np.float32]
    ) -> NDArray[np.uint8]:
        return self.prediction.encode(vectors, words, paper)

    def decode(self, tokens: StoredTokens, rows: Rows, lengths: NDArray[np.int64]) -> NDArray[np.float32]:
        if self.papers is None:
            raise ValueError("small tokens are read with the vectors of their papers: open the store with them")
        words = tokens["word"].astype(np.int32)
        return self.prediction.decode(tokens["vector"], words, self.papers.vectors(rows), lengths)


def codec_of(form: TokenForm, dimension: int, papers: VectorIndex | None = None) -> TokenCodec:
    """Return the codec for a form, given vectors with `dimension` coordinates after projection."""
    return FullTokens(dimension) if form == "full" else SmallTokens(packaged_prediction(), papers)


def tokens_per_paper(dimension: int) -> int:
    """Return the number of tokens with `dimension` coordinates that fit into 16 kB."""
    return (MAX_BYTES - _PER_PAPER) // token_type(FullTokens(dimension)).itemsize


def token_type(codec: TokenCodec, has_sentence: bool = True) -> np.dtype[Any]:
    """Return the type of a stored token; small tokens have no sentence on disk."""
    fields = [("vector", "u1", (codec.n_bytes,)), ("word", "<u2"), ("sentence", "u1")]
    return np.dtype(fields if has_sentence else fields[:2])
