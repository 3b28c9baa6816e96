"""The vectors of a corpus's tokens, small enough to keep: projected, in two bits, memory-mapped.

A token takes 64 bytes for the 256 dimensions of its vector, two for its word and one for its sentence, so that
244 of them are within 16 kB a paper. A paper that has more keeps those of the rarest words, its title's first: the
vocabulary of the local model (Devlin et al. 2019, arXiv:1810.04805) is in the order of how common words are.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import CorpusDamaged
from pathfinder.index.two_bits import PER_BYTE, pack, unpack
from pathfinder.types import Rows

MAX_BYTES = 16_384
"""Of a paper, on the disk."""

MAX_WORD, MAX_SENTENCE = 65_535, 255
"""What two bytes and one byte hold; a sentence behind the last counts as the last."""

PROJECTION_FILE, STARTS_FILE, TOKENS_FILE = "projection.npy", "starts.npy", "tokens.bin"
_PACKAGED = Path(__file__).with_name("token_projection.npy")
_PER_PAPER = 8
"""Bytes of a paper's start."""

Projection = NDArray[np.float32]
"""From a model's dimension to that of the store, shape (dimension, d)."""


StoredTokens = NDArray[np.void]
"""A paper's tokens as they lie on the disk: `vector` (see `two_bits`), `word` and `sentence`, in the text's order."""


class Tokens(NamedTuple):
    """The tokens of some papers."""

    vectors: NDArray[np.float32]
    """Shape (n, d), about 1 long."""
    ids: NDArray[np.int32]
    sentences: NDArray[np.int32]
    """0 for the title, the abstract's from 1."""
    offsets: NDArray[np.int64]
    """Where each paper's tokens begin, shape (n_papers + 1,)."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenStore:
    """The tokens of a corpus; row i is paper i."""

    projection: Projection
    starts: NDArray[np.int64]
    tokens: NDArray[np.void]

    @classmethod
    def open(cls, folder: Path) -> Self:
        """What `write_tokens` wrote, memory-mapped. Raises `CorpusDamaged` where the files do not fit each other."""
        projection = np.load(folder / PROJECTION_FILE, allow_pickle=False)
        is_matrix = projection.ndim == 2 and projection.dtype == np.float16
        _check(folder, is_matrix and projection.shape[1] % PER_BYTE == 0, "its projection is no matrix")
        starts = np.load(folder / STARTS_FILE, mmap_mode="r", allow_pickle=False)
        _check(folder, starts.dtype == np.int64 and starts.ndim == 1 and len(starts) > 0, "its starts are none")
        tokens = _mapped(folder / TOKENS_FILE, _token_type(projection.shape[1]))
        in_order = bool((np.diff(starts) >= 0).all())
        _check(folder, in_order and starts[0] == 0 and starts[-1] == len(tokens), "its starts do not fit its tokens")
        return cls(projection.astype(np.float32), starts, tokens)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def dimension(self) -> int:
        """Of the model's vectors, before they are projected."""
        return int(self.projection.shape[0])

    def project(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """A model's token vectors, shape (n, dimension), as they are compared with the stored ones: shape (n, d)."""
        return project(vectors, self.projection)

    def vectors(self, row: int) -> tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.int32]]:
        """Of one paper: vectors (n, d), places in the vocabulary (n,), sentences (n,), 0 for the title."""
        found = self.gather(np.array([row], dtype=np.int64))
        return found.vectors, found.ids, found.sentences

    def gather(self, rows: Rows) -> Tokens:
        """The tokens of the papers at `rows`, in that order, one paper behind the other."""
        starts = self.starts[rows]
        lengths = self.starts[rows + 1] - starts
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        places = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
        tokens = self.tokens[places]
        return Tokens(
            unpack(tokens["vector"]),
            tokens["word"].astype(np.int32),
            tokens["sentence"].astype(np.int32),
            offsets,
        )

    def stored(self) -> Iterator[StoredTokens]:
        """Each paper's, as it lies here, for a corpus that papers are added to."""
        for start, end in pairwise(self.starts):
            yield self.tokens[start:end]


def packaged_projection(dimension: int) -> Projection | None:
    """The projection for token vectors of the local model; `None` for those of another dimension."""
    projection: NDArray[np.float16] = np.load(_PACKAGED, allow_pickle=False)
    return projection.astype(np.float32) if len(projection) == dimension else None


def project(vectors: NDArray[np.float32], projection: Projection) -> NDArray[np.float32]:
    """Vectors projected, then brought to length 1; one of nothing but zeros stays one."""
    projected = vectors @ projection
    lengths = np.linalg.norm(projected, axis=1, keepdims=True)
    return np.asarray(projected / np.maximum(lengths, np.finfo(np.float32).tiny), dtype=np.float32)


def encode(
    vectors: NDArray[np.float32], ids: NDArray[np.int32], sentences: NDArray[np.int32], projection: Projection
) -> StoredTokens:
    """A paper's tokens as they are stored; of too many, those of the rarest words, the title's first."""
    kept = _kept(ids, sentences, projection.shape[1])
    tokens = np.empty(len(kept), dtype=_token_type(projection.shape[1]))
    tokens["vector"] = pack(project(vectors[kept], projection))
    tokens["word"] = np.minimum(ids[kept], MAX_WORD)
    tokens["sentence"] = np.minimum(sentences[kept], MAX_SENTENCE)
    return tokens


def tokens_per_paper(dimension: int) -> int:
    """How many tokens of `dimension` are within 16 kB."""
    return (MAX_BYTES - _PER_PAPER) // _token_type(dimension).itemsize


def write_tokens(papers: Iterable[StoredTokens], projection: Projection, folder: Path) -> None:
    """Write the tokens of `papers`, in their order, into `folder`; they are read once and not kept."""
    folder.mkdir(parents=True, exist_ok=True)
    lengths = [0]
    with (folder / TOKENS_FILE).open("wb") as file:
        for tokens in papers:
            file.write(tokens.tobytes())
            lengths.append(len(tokens))
    np.save(folder / STARTS_FILE, np.cumsum(lengths, dtype=np.int64), allow_pickle=False)
    np.save(folder / PROJECTION_FILE, projection.astype(np.float16), allow_pickle=False)


def from_bytes(content: bytes, dimension: int) -> StoredTokens:
    """What `to_bytes` made."""
    return np.frombuffer(content, dtype=_token_type(dimension))


def to_bytes(stored: StoredTokens) -> bytes:
    """A paper's tokens as one record of a journal."""
    return stored.tobytes()


def _kept(ids: NDArray[np.int32], sentences: NDArray[np.int32], dimension: int) -> NDArray[np.int64]:
    room = tokens_per_paper(dimension)
    by_worth = np.lexsort((np.arange(len(ids)), -ids, sentences > 0))
    return np.sort(by_worth[:room])


def _token_type(dimension: int) -> np.dtype[Any]:
    return np.dtype([("vector", "u1", (dimension // PER_BYTE,)), ("word", "<u2"), ("sentence", "u1")])


def _mapped(path: Path, kind: np.dtype[Any]) -> NDArray[np.void]:
    # An empty file cannot be mapped.
    return np.memmap(path, kind, mode="r") if path.stat().st_size else np.empty(0, kind)


def _check(folder: Path, is_right: bool, fault: str) -> None:
    if not is_right:
        raise CorpusDamaged(f"{folder} is damaged ({fault}): build the corpus again")
