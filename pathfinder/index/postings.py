"""The papers that contain each stem, memory-mapped: three bytes per paper and stem, or the scores of bm25s.

An entry holds the last 16 bits of its row number, and the number of times that the paper contains the stem. Rows
ascend; so where these bits do not ascend, the next block of 65,536 rows begins. A larger gap is bridged by entries with
a count of 0. When scores are needed, they are computed from the counts and the lengths of the papers. A corpus whose
papers have keywords has these postings twice: of the papers' texts, and of their keywords.
"""

import json
from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter
from scipy.sparse import csc_array, csr_array

from pathfinder.text.strict_json import read_json

BLOCK = 65_536
"""Number of rows that 16 bits can distinguish."""

STEMS_AT_HAND = 32
"""Number of stems whose papers stay in memory, which takes 8 bytes per paper and stem."""

MAX_COUNT, MAX_LENGTH = 255, 65_535
"""Largest numbers stored for the count of a stem and for the words in a paper; anything larger is stored as these."""

VOCABULARY_FILE, STARTS_FILE, ENTRIES_FILE, LENGTHS_FILE = "vocabulary.json", "starts.npy", "entries.bin", "lengths.npy"
KEYWORDS = "keywords-"
"""Prefix of the files that hold the postings of the papers' keywords."""

_VOCABULARY = TypeAdapter(dict[str, int])
_ENTRY = np.dtype([("row", "<u2"), ("count", "u1")])


class Entries(NamedTuple):
    """The papers that contain a stem, each with its BM25 score."""

    papers: NDArray[np.integer[Any]]
    """Rows, ascending, shape (n,)."""
    scores: NDArray[np.float32]
    """Scores above 0, shape (n,)."""


@dataclass(frozen=True, slots=True, eq=False)
class CountedPostings:
    """The counts of each stem in the papers that contain it, from which scores are computed."""

    vocabulary: Mapping[str, int]
    """Column of each stem in the matrix of counts."""
    postings_of: Callable[[str], tuple[NDArray[np.int32], NDArray[np.float32]]]
    """Returns the rows of the papers that contain a stem, ascending, and how often each contains it."""
    lengths: NDArray[np.uint16]
    """Number of indexed words in each paper, shape (n_papers,)."""
    saturation: NDArray[np.float32]
    """Count at which a word reaches half its maximum weight in each paper, `k1 (1 - b + b length / mean length)`."""

    @classmethod
    def open(cls, folder: Path, k1: float, b: float, prefix: str = "") -> "CountedPostings":
        """Open the files written by `write_postings`, whose names begin with `prefix`.

        Raises `ValueError` if they are inconsistent with each other.
        """
        vocabulary = read_json(_VOCABULARY, folder / f"{prefix}{VOCABULARY_FILE}")
        starts = np.load(folder / f"{prefix}{STARTS_FILE}", mmap_mode="r", allow_pickle=False)
        lengths = np.load(folder / f"{prefix}{LENGTHS_FILE}", mmap_mode="r", allow_pickle=False)
        # An ordinary array, because slicing a memory map takes a microsecond each time.
        entries = np.asarray(np.memmap(folder / f"{prefix}{ENTRIES_FILE}", _ENTRY, mode="r")).view(np.ndarray)
        if len(starts) != len(vocabulary) + 1 or starts[-1] != len(entries):
            raise ValueError(f"{folder / prefix}{STARTS_FILE} does not match its vocabulary and its entries")

        def read(stem: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
            column = vocabulary.get(stem)
            return decode(entries[:0] if column is None else entries[starts[column] : starts[column + 1]])

        # A search looks up each of its stems several times.
        return cls(vocabulary, lru_cache(STEMS_AT_HAND)(read), lengths, _saturation(lengths, k1, b))

    def only(self, rows: NDArray[np.int64], k1: float, b: float) -> "CountedPostings":
        """Return postings of the papers at `rows` (ascending) alone; paper i is then the one at the i-th of these
        rows.
        """
        places = np.full(len(self.lengths), -1, dtype=np.int32)
        places[rows] = np.arange(len(rows), dtype=np.int32)

        def read(stem: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
            papers, counts = self.postings_of(stem)
            is_in = places[papers] >= 0
            return places[papers[is_in]], counts[is_in]

        lengths = np.asarray(self.lengths[rows])
        return CountedPostings(self.vocabulary, lru_cache(STEMS_AT_HAND)(read), lengths, _saturation(lengths, k1, b))

    @classmethod
    def of(
        cls, papers: Iterable[NDArray[np.int32]], vocabulary: Mapping[str, int], k1: float, b: float
    ) -> "CountedPostings":
        """Index `papers`, given as in `write_postings`, in memory."""
        by_stem, lengths = _by_stem(papers, vocabulary)

        def read(stem: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
            column = vocabulary.get(stem)
            part = slice(0, 0) if column is None else slice(by_stem.indptr[column], by_stem.indptr[column + 1])
            return by_stem.indices[part].astype(np.int32), by_stem.data[part].astype(np.float32)

        return cls(vocabulary, read, lengths, _saturation(lengths, k1, b))

    def papers(self, stem: str) -> NDArray[np.integer[Any]]:
        """Return the rows of the papers that contain `stem`, ascending; none if no paper contains it."""
        return self.postings_of(stem)[0]

    def entries(self, stem: str) -> Entries:
        """Return the papers that contain `stem`, each with its score."""
        rows, shares = self.shares(stem)
        return Entries(rows, _rarity(len(rows), len(self.lengths)) * shares)

    def shares(self, stem: str) -> Entries:
        """Return the papers that contain `stem`, each with its score as a share of the largest possible one, in
        (0, 1).
        """
        rows, counts = self.postings_of(stem)
        return Entries(rows, counts / (counts + self.saturation[rows]))


@dataclass(frozen=True, slots=True, eq=False)
class FieldedPostings:
    """The postings of two fields: a paper's score is that of its text plus `weight` times that of its keywords, with
    the rarity of a stem measured over the papers that contain it in either.
    """

    texts: CountedPostings
    keywords: CountedPostings
    weight: float

    def only(self, rows: NDArray[np.int64], k1: float, b: float) -> "FieldedPostings":
        return FieldedPostings(self.texts.only(rows, k1, b), self.keywords.only(rows, k1, b), self.weight)

    def papers(self, stem: str) -> NDArray[np.integer[Any]]:
        texts, keywords = self.texts.papers(stem), self.keywords.papers(stem)
        return np.union1d(texts, keywords) if len(keywords) else texts

    def entries(self, stem: str) -> Entries:
        texts, keywords = self.texts.shares(stem), self.keywords.shares(stem)
        rows = self.papers(stem)
        scores = np.zeros(len(rows), dtype=np.float32)
        scores[np.searchsorted(rows, texts.papers)] = texts.scores
        scores[np.searchsorted(rows, keywords.papers)] += np.float32(self.weight) * keywords.scores
        return Entries(rows, _rarity(len(rows), len(self.texts.lengths)) * scores)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPostings:
    """The matrix of BM25 scores that bm25s wrote for corpora built with earlier versions: one column per stem."""

    vocabulary: Mapping[str, int]
    starts: NDArray[np.int32]
    """First entry of each column, followed by the total number of entries, shape (n_stems + 1,)."""
    rows: NDArray[np.int32]
    scores: NDArray[np.float32]

    @classmethod
    def open(cls, folder: Path) -> "ScoredPostings":
        """Open the files written by `bm25s.BM25.save`, memory-mapped."""
        vocabulary = read_json(_VOCABULARY, folder / "vocab.index.json")
        names = ("indptr", "indices", "data")
        arrays = [np.load(folder / f"{name}.csc.index.npy", mmap_mode="r", allow_pickle=False) for name in names]
        return cls(vocabulary, *arrays)

    def papers(self, stem: str) -> NDArray[np.integer[Any]]:
        return self.rows[self._of(stem)]

    def entries(self, stem: str) -> Entries:
        part = self._of(stem)
        return Entries(self.rows[part], self.scores[part])

    def _of(self, stem: str) -> slice:
        column = self.vocabulary.get(stem)
        return slice(0, 0) if column is None else slice(int(self.starts[column]), int(self.starts[column + 1]))


def _rarity(n: int, n_papers: int) -> np.float32:
    """Return Lucene's inverse document frequency of a stem that `n` of `n_papers` papers contain."""
    return np.float32(np.log1p((n_papers - n + 0.5) / (n + 0.5)))


def _saturation(lengths: NDArray[np.uint16], k1: float, b: float) -> NDArray[np.float32]:
    # A paper without keywords is not one with few of them: it does not count towards the mean.
    present = lengths[lengths > 0]
    mean = float(present.mean(dtype=np.float64)) if len(present) else 1.0
    return (k1 * (1 - b + b * lengths.astype(np.float64) / mean)).astype(np.float32)


def decode(entries: NDArray[np.void]) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return the rows of one stem's entries, ascending, and how often each paper contains it."""
    rows, counts = entries["row"].astype(np.int32), entries["count"]
    begins = np.flatnonzero(rows[1:] <= rows[:-1]) + 1
    for first in begins:
        rows[first:] += BLOCK
    if counts.all():
        return rows, counts.astype(np.float32)
    is_count = counts > 0
    return rows[is_count], counts[is_count].astype(np.float32)


def with_bridges(rows: NDArray[np.int64], counts: NDArray[np.integer[Any]]) -> NDArray[np.void]:
    """Return the entries of one stem, given its `rows` (ascending) and `counts`, with those that bridge larger gaps."""
    gaps = np.diff(rows, prepend=-1)
    before, n_bridges = rows - gaps, (gaps - 1) // BLOCK
    entries = np.zeros(len(rows) + int(n_bridges.sum()), dtype=_ENTRY)
    places = np.arange(len(rows)) + np.cumsum(n_bridges)
    entries["row"][places], entries["count"][places] = rows % BLOCK, np.minimum(counts, MAX_COUNT)
    # Each bridge repeats the bits of the row before the gap, and so begins the next block of 65,536 rows.
    is_bridge = np.ones(len(entries), dtype=np.bool_)
    is_bridge[places] = False
    entries["row"][is_bridge] = np.repeat(before % BLOCK, n_bridges)
    return entries


def write_postings(
    papers: Iterable[NDArray[np.int32]], vocabulary: Mapping[str, int], folder: Path, prefix: str = ""
) -> int:
    """Write the postings of `papers` into `folder`, in files whose names begin with `prefix`, and return the number of
    papers.

    Each paper is given as the column numbers of its words, with repetitions; `vocabulary` may grow while papers are
    read. This takes 5 bytes of memory per paper and stem. If there are no words, nothing is written.
    """
    by_stem, lengths = _by_stem(papers, vocabulary)
    if not vocabulary:
        return len(lengths)
    starts = [0]
    with (folder / f"{prefix}{ENTRIES_FILE}").open("wb") as file:
        for first, end in pairwise(by_stem.indptr):
            entries = with_bridges(by_stem.indices[first:end].astype(np.int64), by_stem.data[first:end])
            file.write(entries.tobytes())
            starts.append(starts[-1] + len(entries))
    np.save(folder / f"{prefix}{STARTS_FILE}", np.array(starts, dtype=np.int64), allow_pickle=False)
    np.save(folder / f"{prefix}{LENGTHS_FILE}", lengths, allow_pickle=False)
    (folder / f"{prefix}{VOCABULARY_FILE}").write_text(json.dumps(vocabulary), encoding="utf-8")
    return len(lengths)


def _by_stem(
    papers: Iterable[NDArray[np.int32]], vocabulary: Mapping[str, int]
) -> tuple[csc_array, NDArray[np.uint16]]:
    """Count the words of `papers`; return a matrix of papers by stems, and the length of each paper."""
    lengths, ends = array("L"), array("Q", [0])
    columns, counts = array("i"), array("B")
    for words in papers:
        distinct, n_repeats = np.unique(words, return_counts=True)
        columns.frombytes(distinct.astype(np.int32).tobytes())
        counts.frombytes(np.minimum(n_repeats, MAX_COUNT).astype(np.uint8).tobytes())
        lengths.append(min(len(words), MAX_LENGTH))
        ends.append(len(columns))
    shape = (len(lengths), len(vocabulary))
    by_paper = csr_array((np.asarray(counts), np.asarray(columns), np.asarray(ends, dtype=np.int64)), shape)
    return by_paper.tocsc(), np.asarray(lengths).astype(np.uint16)
