"""The token vectors of a corpus, projected and compressed, memory-mapped.

A full token takes 64 bytes for its vector (`token_codecs.py`), two for its word and one for its sentence, so 244 tokens
fit into 16 kB per paper. A small token takes seven bytes for its vector and two for its word; its paper stores the
number of tokens in each sentence. A paper with more than 244 tokens keeps those of its title and of the rarest words:
those that come last in the vocabulary of the local model (Devlin et al. 2019, arXiv:1810.04805), which is ordered by
frequency.
"""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import CorpusError
from pathfinder.index.file_maps import check, map_file
from pathfinder.index.ports import Tokens, VectorIndex, places_of
from pathfinder.index.token_codecs import (
    PER_BYTE,
    SmallTokens,
    StoredTokens,
    TokenCodec,
    TokenForm,
    codec_of,
    packaged_prediction,
    token_type,
)
from pathfinder.types import Rows

SENTENCE_STARTS_FILE, SENTENCE_COUNTS_FILE = "sentence_starts.npy", "sentences.npy"
MAX_COUNT = 255


class Sentences(NamedTuple):
    """The sentences of the papers in a corpus."""

    starts: NDArray[np.uint32]
    """Position of each paper's first sentence, its title, followed by the total number of sentences, shape (n_papers +
    1,).
    """
    n_tokens: NDArray[np.uint8]
    """Number of tokens in each sentence."""

    @classmethod
    def open(cls, folder: Path, token_starts: NDArray[np.int64]) -> Self:
        """Open the files written by `SentenceCounts.write`, memory-mapped. Raises `CorpusDamaged` if they do not match
        `token_starts`, the position of each paper's first token.
        """
        starts = np.load(folder / SENTENCE_STARTS_FILE, mmap_mode="r", allow_pickle=False)
        n_tokens = np.load(folder / SENTENCE_COUNTS_FILE, mmap_mode="r", allow_pickle=False)
        are_counts = (starts.dtype, n_tokens.dtype, starts.shape) == (np.uint32, np.uint8, token_starts.shape)
        ends = np.concatenate([[0], np.cumsum(n_tokens, dtype=np.int64)])
        is_right = are_counts and starts.max() <= len(n_tokens) and np.array_equal(ends[starts], token_starts)
        check(folder, is_right, "its sentences do not match its tokens")
        return cls(starts, n_tokens)

    def of_tokens(self, rows: Rows) -> NDArray[np.int32]:
        """Return the sentence of each token of the papers at `rows`, one paper after another; 0 is the title."""
        places, owners = places_of(self.starts, rows)
        return np.repeat((places - self.starts[rows][owners]).astype(np.int32), self.n_tokens[places])


@dataclass(frozen=True, slots=True)
class SentenceCounts:
    """The number of tokens in each sentence, collected paper by paper."""

    _starts: "array[int]" = field(default_factory=lambda: array("I", [0]))
    _n_tokens: bytearray = field(default_factory=bytearray)

    def add(self, sentences: NDArray[Any]) -> None:
        """Add a paper, given the sentence of each token. Raises `ValueError` if the tokens are not in the order of the
        text, or if a sentence has more than 255 tokens.
        """
        counts = np.bincount(sentences)
        if (np.diff(sentences.astype(np.int64)) < 0).any() or counts.max(initial=0) > MAX_COUNT:
            raise ValueError(f"tokens are out of order, or there are more than {MAX_COUNT} in a sentence")
        self._n_tokens.extend(counts.astype(np.uint8).tobytes())
        self._starts.append(len(self._n_tokens))

    def write(self, folder: Path) -> None:
        """Write the counts of all papers into `folder`."""
        np.save(folder / SENTENCE_STARTS_FILE, np.array(self._starts, dtype=np.uint32), allow_pickle=False)
        np.save(folder / SENTENCE_COUNTS_FILE, np.frombuffer(self._n_tokens, dtype=np.uint8), allow_pickle=False)


MAX_WORD, MAX_SENTENCE = 65_535, 255
"""Largest numbers of a word (two bytes) and of a sentence (one byte); higher numbers are stored as these."""

PROJECTION_FILE, STARTS_FILE, TOKENS_FILE = "projection.npy", "starts.npy", "tokens.bin"
_PACKAGED_FILE = Path(__file__).with_name("token_projection.npy")

Projection = NDArray[np.float32]
"""Matrix that maps a model's vectors to those of the store, shape (dimension, d)."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenStore:
    """The tokens of a corpus; row i is paper i."""

    projection: Projection
    starts: NDArray[np.int64]
    tokens: NDArray[np.void]
    codec: TokenCodec
    sentences: Sentences | None = None
    """`None` if each token stores the number of its sentence, as full tokens do and small tokens from an earlier
    version did.
    """

    @classmethod
    def open(cls, folder: Path, form: TokenForm = "full", papers: VectorIndex | None = None) -> Self:
        """Open the files written by `write_tokens`, memory-mapped. Small tokens are read with the vectors of their
        `papers`. Raises `CorpusDamaged` if the files are inconsistent with each other.
        """
        projection = np.load(folder / PROJECTION_FILE, allow_pickle=False)
        is_matrix = projection.ndim == 2 and projection.dtype == np.float16
        check(folder, is_matrix and projection.shape[1] % PER_BYTE == 0, "its projection is not a matrix")
        starts = np.load(folder / STARTS_FILE, mmap_mode="r", allow_pickle=False)
        check(folder, starts.dtype == np.int64 and starts.ndim == 1 and len(starts) > 0, "its starts are not offsets")
        codec = codec_of(form, projection.shape[1], papers)
        if isinstance(codec, SmallTokens) and not np.array_equal(
            projection, codec.prediction.projection.astype(np.float16)
        ):
            raise CorpusError(
                f"the small tokens in {folder} were made with another version's prediction: install the version that "
                "made the corpus, or build it again from its sources in a new folder"
            )
        has_sentences = (folder / SENTENCE_COUNTS_FILE).exists()
        sentences = Sentences.open(folder, starts) if has_sentences else None
        kind = token_type(codec, has_sentence=sentences is None)
        path = folder / TOKENS_FILE
        size = path.stat().st_size
        check(folder, size % kind.itemsize == 0, f"{TOKENS_FILE} has {size} bytes, not {kind.itemsize} for each token")
        # An empty file cannot be mapped.
        tokens = np.frombuffer(map_file(path), kind) if size else np.empty(0, kind)
        in_order = bool((np.diff(starts) >= 0).all())
        check(folder, in_order and starts[0] == 0 and starts[-1] == len(tokens), "its starts do not match its tokens")
        return cls(projection.astype(np.float32), starts, tokens, codec, sentences)

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
        """Return the tokens of the papers at `rows`, in that order, one paper after another."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        places, _ = places_of(self.starts, rows)
        tokens = self.tokens[places]
        return Tokens(
            self.codec.decode(tokens, rows, lengths),
            tokens["word"].astype(np.int32),
            tokens["sentence"].astype(np.int32) if self.sentences is None else self.sentences.of_tokens(rows),
            np.concatenate([[0], np.cumsum(lengths)]),
        )

    def stored_tokens(self, rows: Iterable[int] | None = None) -> Iterator[StoredTokens]:
        """Yield the tokens of every paper, or of those at `rows`, in their stored form, for another version of the
        corpus.
        """
        for row in range(len(self)) if rows is None else rows:
            tokens = self.tokens[self.starts[row] : self.starts[row + 1]]
            yield tokens if self.sentences is None else self._with_sentences(tokens, self.sentences, row)

    def _with_sentences(self, tokens: StoredTokens, sentences: Sentences, row: int) -> StoredTokens:
        whole = np.empty(len(tokens), dtype=token_type(self.codec))
        whole["vector"], whole["word"] = tokens["vector"], tokens["word"]
        whole["sentence"] = sentences.of_tokens(np.array([row], dtype=np.int64))
        return whole


def projection_for(form: TokenForm, dimension: int) -> Projection | None:
    """Return the projection of the local model's token vectors for a given form; `None` for vectors of another
    dimension.
    """
    projection = packaged_projection(dimension)
    return projection if projection is None or form == "full" else packaged_prediction().projection


def packaged_projection(dimension: int) -> Projection | None:
    """Return the projection of the local model's token vectors; `None` for vectors of another dimension."""
    projection: NDArray[np.float16] = np.load(_PACKAGED_FILE, allow_pickle=False)
    return projection.astype(np.float32) if len(projection) == dimension else None


def project(vectors: NDArray[np.float32], projection: Projection) -> NDArray[np.float32]:
    """Project vectors, then normalise them; a vector of zeros remains zero."""
    projections = vectors @ projection
    lengths = np.linalg.norm(projections, axis=1, keepdims=True)
    return np.asarray(projections / np.maximum(lengths, np.finfo(np.float32).tiny), dtype=np.float32)


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
    by_worth = np.lexsort((np.arange(len(ids)), -ids, sentences > 0))
    rows = np.sort(by_worth[: codec.room])
    tokens = np.empty(len(rows), dtype=token_type(codec))
    tokens["vector"] = codec.encode(project(vectors[rows], projection), ids[rows], paper)
    tokens["word"] = np.minimum(ids[rows], MAX_WORD)
    tokens["sentence"] = np.minimum(sentences[rows], MAX_SENTENCE)
    return tokens


def write_tokens(papers: Iterable[StoredTokens], projection: Projection, folder: Path, codec: TokenCodec) -> None:
    """Write the tokens of `papers`, in order, into `folder`; they are read once and not kept in memory."""
    folder.mkdir(parents=True, exist_ok=True)
    kind = token_type(codec, has_sentence=not codec.counts_sentences)
    lengths, sentences = [0], SentenceCounts()
    with (folder / TOKENS_FILE).open("wb") as file:
        for tokens in papers:
            some = np.empty(len(tokens), dtype=kind)
            for name in kind.names or ():
                some[name] = tokens[name]
            file.write(some.tobytes())
            lengths.append(len(tokens))
            if codec.counts_sentences:
                sentences.add(tokens["sentence"])
    np.save(folder / STARTS_FILE, np.cumsum(lengths, dtype=np.int64), allow_pickle=False)
    np.save(folder / PROJECTION_FILE, projection.astype(np.float16), allow_pickle=False)
    if codec.counts_sentences:
        sentences.write(folder)


def from_bytes(content: bytes, codec: TokenCodec) -> StoredTokens:
    """Read back a record written by `to_bytes`."""
    return np.frombuffer(content, dtype=token_type(codec))


def to_bytes(tokens: StoredTokens) -> bytes:
    """Convert a paper's tokens to one journal record."""
    return tokens.tobytes()
