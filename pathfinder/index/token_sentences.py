"""Finds the sentence of each small token from the number of tokens in each sentence, which its paper stores."""

from array import array
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.runs import places_of
from pathfinder.types import Rows

STARTS_FILE, COUNTS_FILE = "sentence_starts.npy", "sentences.npy"
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
        """Open the files written by `SentenceCounts.write`, memory-mapped. Raises `ValueError` if they do not match
        `token_starts`, the position of each paper's first token.
        """
        starts = np.load(folder / STARTS_FILE, mmap_mode="r", allow_pickle=False)
        n_tokens = np.load(folder / COUNTS_FILE, mmap_mode="r", allow_pickle=False)
        are_counts = (starts.dtype, n_tokens.dtype, starts.shape) == (np.uint32, np.uint8, token_starts.shape)
        ends = np.concatenate([[0], np.cumsum(n_tokens, dtype=np.int64)])
        if not are_counts or starts.max() > len(n_tokens) or not np.array_equal(ends[starts], token_starts):
            raise ValueError("its sentences do not match its tokens")
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
        np.save(folder / STARTS_FILE, np.array(self._starts, dtype=np.uint32), allow_pickle=False)
        np.save(folder / COUNTS_FILE, np.frombuffer(self._n_tokens, dtype=np.uint8), allow_pickle=False)
