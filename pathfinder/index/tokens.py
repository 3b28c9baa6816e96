"""The token vectors of a corpus, projected and compressed, memory-mapped.

In full, a token takes two bits per coordinate, 64 bytes for the 256 dimensions of its vector; a small token takes seven
(`predicted.py`). Two more are for its word and one for its sentence, so 244 tokens in full fit into 16 kB per paper. A
paper with more keeps the tokens of its title and those of the rarest words: the vocabulary of the local model (Devlin
et al. 2019, arXiv:1810.04805) is ordered by frequency.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import CorpusDamaged, CorpusError
from pathfinder.index.ports import Tokens, VectorIndex
from pathfinder.index.predicted import Prediction, packaged_prediction
from pathfinder.index.two_bits import PER_BYTE, pack, unpack
from pathfinder.types import Rows

MAX_BYTES = 16_384
"""Limit on the size of a paper's tokens on disk."""

MAX_SMALL_TOKENS = 244
"""Limit on the number of small tokens of a paper: as many as fit into 16 kB in full."""

MAX_WORD, MAX_SENTENCE = 65_535, 255
"""Largest values that fit in two bytes and in one; later sentences count as the last."""

PROJECTION_FILE, STARTS_FILE, TOKENS_FILE = "projection.npy", "starts.npy", "tokens.bin"
_PACKAGED = Path(__file__).with_name("token_projection.npy")
_PER_PAPER = 8
"""Number of bytes used to locate a paper's tokens."""

Projection = NDArray[np.float32]
"""Matrix from the dimension of a model to that of the store, shape (dimension, d)."""

TokenForm = Literal["full", "small"]
"""Form in which the tokens of a corpus are stored."""

StoredTokens = NDArray[np.void]
"""A paper's tokens as stored on disk: `vector` (its code), `word` and `sentence`, in the order of the text."""


class TokenCodec(Protocol):
    """Turns projected vectors of tokens into bytes and back."""

    @property
    def n_bytes(self) -> int:
        """Bytes of a vector."""

    @property
    def room(self) -> int:
        """Number of tokens that a paper may keep."""

    def encode(
        self, vectors: NDArray[np.float32], words: NDArray[np.int32], paper: NDArray[np.float32]
    ) -> NDArray[np.uint8]:
        """Return the codes of a paper's tokens, shape (n, n_bytes); `paper` is the vector of the paper."""

    def decode(self, tokens: StoredTokens, rows: Rows, lengths: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of the tokens of the papers at `rows`, shape (n, d)."""


@dataclass(frozen=True, slots=True)
class FullTokens:
    """Two bits per coordinate."""

    dimension: int
    """Number of coordinates after projection."""

    @property
    def n_bytes(self) -> int:
        return self.dimension // PER_BYTE

    @property
    def room(self) -> int:
        return tokens_per_paper(self.dimension)

    def encode(
        self, vectors: NDArray[np.float32], words: NDArray[np.int32], paper: NDArray[np.float32]
    ) -> NDArray[np.uint8]:
        return pack(vectors)

    def decode(self, tokens: StoredTokens, rows: Rows, lengths: NDArray[np.int64]) -> NDArray[np.float32]:
        return unpack(tokens["vector"])


@dataclass(frozen=True, slots=True, eq=False)
class SmallTokens:
    """Seven bytes, decoded with the help of `word` and of the vector of the paper."""

    prediction: Prediction
    papers: VectorIndex | None = None
    """Vectors of the papers, which only `decode` needs."""

    @property
    def n_bytes(self) -> int:
        return self.prediction.n_blocks

    @property
    def room(self) -> int:
        return MAX_SMALL_TOKENS

    def encode(
        self, vectors: NDArray[np.float32], words: NDArray[np.int32], paper: NDArray[np.float32]
    ) -> NDArray[np.uint8]:
        return self.prediction.encode(vectors, words, paper)

    def decode(self, tokens: StoredTokens, rows: Rows, lengths: NDArray[np.int64]) -> NDArray[np.float32]:
        if self.papers is None:
            raise ValueError("small tokens are read with the vectors of their papers: open the store with them")
        words = tokens["word"].astype(np.int32)
        return self.prediction.decode(tokens["vector"], words, self.papers.vectors(rows), lengths)


@dataclass(frozen=True, slots=True, eq=False)
class TokenStore:
    """The tokens of a corpus; row i is paper i."""

    projection: Projection
    starts: NDArray[np.int64]
    tokens: NDArray[np.void]
    codec: TokenCodec

    @classmethod
    def open(cls, folder: Path, form: TokenForm = "full", papers: VectorIndex | None = None) -> Self:
        """Open the files written by `write_tokens`, memory-mapped. Small tokens are read with the vectors of their
        `papers`. Raises `CorpusDamaged` if the files are inconsistent with each other.
        """
        projection = np.load(folder / PROJECTION_FILE, allow_pickle=False)
        is_matrix = projection.ndim == 2 and projection.dtype == np.float16
        _check(folder, is_matrix and projection.shape[1] % PER_BYTE == 0, "its projection is not a matrix")
        starts = np.load(folder / STARTS_FILE, mmap_mode="r", allow_pickle=False)
        _check(folder, starts.dtype == np.int64 and starts.ndim == 1 and len(starts) > 0, "its starts are not offsets")
        codec = codec_of(form, projection.shape[1], papers)
        if isinstance(codec, SmallTokens):
            _check_prediction(folder, projection, codec.prediction)
        tokens = _open_array(folder / TOKENS_FILE, _token_type(codec))
        in_order = bool((np.diff(starts) >= 0).all())
        _check(folder, in_order and starts[0] == 0 and starts[-1] == len(tokens), "its starts do not match its tokens")
        return cls(projection.astype(np.float32), starts, tokens, codec)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def dimension(self) -> int:
        """Dimension of the model's vectors before projection."""
        return int(self.projection.shape[0])

    def project(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Project a model's token vectors, shape (n, dimension), to the vectors that are compared, shape (n, d)."""
        return project(vectors, self.projection)

    def vectors(self, row: int) -> tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.int32]]:
        """Return a paper's vectors (n, d), vocabulary indices (n,) and sentence numbers (n,), where 0 is the title."""
        tokens = self.gather(np.array([row], dtype=np.int64))
        return tokens.vectors, tokens.ids, tokens.sentences

    def gather(self, rows: Rows) -> Tokens:
        """Return the tokens of the papers at `rows`, in that order, one paper after the other."""
        starts = self.starts[rows]
        lengths = self.starts[rows + 1] - starts
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        places = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
        tokens = self.tokens[places]
        return Tokens(
            self.codec.decode(tokens, rows, lengths),
            tokens["word"].astype(np.int32),
            tokens["sentence"].astype(np.int32),
            offsets,
        )

    def stored(self, rows: Iterable[int] | None = None) -> Iterator[StoredTokens]:
        """Yield the tokens of each paper, or of those at `rows`, as stored, for another version of a corpus."""
        for row in range(len(self)) if rows is None else rows:
            yield self.tokens[self.starts[row] : self.starts[row + 1]]


def codec_of(form: TokenForm, dimension: int, papers: VectorIndex | None = None) -> TokenCodec:
    """Return the codec of a form, for vectors with `dimension` coordinates after projection."""
    return FullTokens(dimension) if form == "full" else SmallTokens(packaged_prediction(), papers)


def projection_for(form: TokenForm, dimension: int) -> Projection | None:
    """Return the projection for token vectors of the local model in a form; `None` for those of another dimension."""
    projection = packaged_projection(dimension)
    return projection if projection is None or form == "full" else packaged_prediction().projection


def packaged_projection(dimension: int) -> Projection | None:
    """Return the projection for token vectors of the local model; `None` for those of another dimension."""
    projection: NDArray[np.float16] = np.load(_PACKAGED, allow_pickle=False)
    return projection.astype(np.float32) if len(projection) == dimension else None


def project(vectors: NDArray[np.float32], projection: Projection) -> NDArray[np.float32]:
    """Project vectors, then normalise them; a vector of zeros remains zero."""
    projected = vectors @ projection
    lengths = np.linalg.norm(projected, axis=1, keepdims=True)
    return np.asarray(projected / np.maximum(lengths, np.finfo(np.float32).tiny), dtype=np.float32)


def encode(
    vectors: NDArray[np.float32],
    ids: NDArray[np.int32],
    sentences: NDArray[np.int32],
    projection: Projection,
    paper: NDArray[np.float32],
    codec: TokenCodec,
) -> StoredTokens:
    """Convert the tokens of a paper, whose vector is `paper`, to their stored form; if there are too many, keep those
    of the title and of the rarest words.
    """
    chosen = _select(ids, sentences, codec.room)
    tokens = np.empty(len(chosen), dtype=_token_type(codec))
    tokens["vector"] = codec.encode(project(vectors[chosen], projection), ids[chosen], paper)
    tokens["word"] = np.minimum(ids[chosen], MAX_WORD)
    tokens["sentence"] = np.minimum(sentences[chosen], MAX_SENTENCE)
    return tokens


def tokens_per_paper(dimension: int) -> int:
    """Return the number of tokens with `dimension` coordinates that fit into 16 kB."""
    return (MAX_BYTES - _PER_PAPER) // _token_type(FullTokens(dimension)).itemsize


def write_tokens(papers: Iterable[StoredTokens], projection: Projection, folder: Path) -> None:
    """Write the tokens of `papers`, in order, into `folder`; they are read once and not kept in memory."""
    folder.mkdir(parents=True, exist_ok=True)
    lengths = [0]
    with (folder / TOKENS_FILE).open("wb") as file:
        for tokens in papers:
            file.write(tokens.tobytes())
            lengths.append(len(tokens))
    np.save(folder / STARTS_FILE, np.cumsum(lengths, dtype=np.int64), allow_pickle=False)
    np.save(folder / PROJECTION_FILE, projection.astype(np.float16), allow_pickle=False)


def from_bytes(content: bytes, codec: TokenCodec) -> StoredTokens:
    """Read back a record written by `to_bytes`."""
    return np.frombuffer(content, dtype=_token_type(codec))


def to_bytes(stored: StoredTokens) -> bytes:
    """Convert a paper's tokens to one journal record."""
    return stored.tobytes()


def _select(ids: NDArray[np.int32], sentences: NDArray[np.int32], room: int) -> NDArray[np.int64]:
    by_worth = np.lexsort((np.arange(len(ids)), -ids, sentences > 0))
    return np.sort(by_worth[:room])


def _token_type(codec: TokenCodec) -> np.dtype[Any]:
    return np.dtype([("vector", "u1", (codec.n_bytes,)), ("word", "<u2"), ("sentence", "u1")])


def _open_array(path: Path, kind: np.dtype[Any]) -> NDArray[np.void]:
    # An empty file cannot be mapped.
    return np.memmap(path, kind, mode="r") if path.stat().st_size else np.empty(0, kind)


def _check_prediction(folder: Path, projection: NDArray[np.float16], prediction: Prediction) -> None:
    """Raise `CorpusError` unless the small tokens in `folder` were made with `prediction`."""
    if not np.array_equal(projection, prediction.projection.astype(np.float16)):
        raise CorpusError(
            f"the small tokens in {folder} were made with another version's prediction: install the version that made "
            "the corpus, or build it again from its sources in a new folder"
        )


def _check(folder: Path, is_right: bool, fault: str) -> None:
    if not is_right:
        raise CorpusDamaged(f"{folder} is damaged ({fault}): build the corpus again")
