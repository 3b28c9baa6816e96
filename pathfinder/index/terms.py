"""Find papers by keyword: the sorted terms of a corpus, each with the rows of the papers that have it.

A term is a run of one to five adjacent lemmas within a keyword or a subject, so "star" is a term of "young stars" and
of "star formation", but not of "starburst".
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Self, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.errors import CorpusDamaged
from pathfinder.text.language.lemmas import lemmas
from pathfinder.types import Expansion, Floats, Keyword, Paper, Rows

MAX_TERM_LEMMAS = 5
ENTITY_MULTIPLE = 3
"""Weight of a named entity in the question, relative to another keyword of the same rarity."""

TERMS_FILE, STARTS_FILE, ROWS_FILE, HAS_KEYWORDS_FILE = "terms.arrow", "starts.npy", "rows.npy", "has_keywords.npy"
_PAPERS_AT_ONCE = 2000
_Scalar = TypeVar("_Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class KeywordIndex:
    """The sorted terms of a corpus, each with the rows of the papers that have it."""

    terms: pa.LargeStringArray
    """Lemmas joined by spaces, sorted by code point, without duplicates."""
    starts: NDArray[np.int64]
    """Start of each term's rows, followed by the total number of rows, shape (n_terms + 1,)."""
    rows: NDArray[np.int32]
    """Rows of the papers that have a term, ascending within each term."""
    has_keywords: NDArray[np.bool_]
    """True for papers that have any keyword, shape (n_papers,)."""

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the index written by `build_keyword_index`, memory-mapped.

        Raises `CorpusDamaged` if a file is missing or altered.
        """
        starts = _array(folder / STARTS_FILE, np.dtype(np.int64))
        rows = _array(folder / ROWS_FILE, np.dtype(np.int32))
        terms = _terms(folder / TERMS_FILE)
        if len(starts) != len(terms) + 1 or starts[0] != 0 or starts[-1] != len(rows):
            raise _damaged(folder / STARTS_FILE, f"it does not match {len(terms)} terms and {len(rows)} rows")
        return cls(terms, starts, rows, _array(folder / HAS_KEYWORDS_FILE, np.dtype(np.bool_)))

    def weights(self, keywords: Sequence[Keyword], rows: Rows, expansions: Sequence[Expansion] = ()) -> Floats:
        """Return the fraction of `keywords` that each paper of `rows` has, weighted by rarity: shape (len(rows),), in
        [0, 1].

        The fraction is `sum_t m_t idf_t has(paper, t) / sum_t m_t idf_t` over the distinct terms of `keywords`, with
        `m_t = 3` for a named entity and 1 otherwise, and `idf_t = log(1 + N / df_t)`. Terms that no paper in the corpus
        has are omitted from both sums; if none remains, all weights are 0. The weight is NaN for a paper without
        keywords. A paper with a synonym of a keyword, from `expansions`, counts as having the keyword, including in its
        `df`.
        """
        other_names = {_term(lemmas(e.term)): [_term(lemmas(name)) for name in e.names] for e in expansions}
        shares = np.zeros(len(rows))
        total = 0.0
        for term, multiple in _multiples(keywords).items():
            papers = self.rows_of_term(term)
            for name in other_names.get(term, ()):
                papers = np.union1d(papers, self.rows_of_term(name))
            if len(papers):
                worth = multiple * math.log1p(len(self.has_keywords) / len(papers))
                shares += worth * _is_among(rows, papers)
                total += worth
        if total == 0:
            return shares
        return np.where(self.has_keywords[rows], np.minimum(shares / total, 1.0), np.nan)

    def papers_with(self, phrase: str) -> NDArray[np.int32]:
        """Return the rows of papers that have `phrase`, compared by lemmas, as a keyword or as part of one."""
        return self.rows_of_term(_term(lemmas(phrase)))

    def rows_of_term(self, term: str) -> NDArray[np.int32]:
        """Return the rows of papers that have `term` (lemmas joined by spaces), ascending."""
        place = bisect_left(range(len(self.terms)), term, key=lambda i: str(self.terms[i].as_py()))
        if place == len(self.terms) or self.terms[place].as_py() != term:
            return self.rows[:0]
        return self.rows[self.starts[place] : self.starts[place + 1]]


def _multiples(keywords: Iterable[Keyword]) -> dict[str, int]:
    """Return the multiplier of each distinct term; a term counts as a named entity if any of its occurrences is one."""
    multiples: dict[str, int] = {}
    for keyword in keywords:
        term = _term(lemmas(keyword.text))
        multiples[term] = max(multiples.get(term, 1), ENTITY_MULTIPLE if keyword.is_entity else 1)
    return multiples


def _term(sequence: Sequence[str]) -> str:
    return " ".join(sequence)


def _is_among(rows: Rows, papers: NDArray[np.int32]) -> NDArray[np.bool_]:
    places = np.minimum(np.searchsorted(papers, rows), len(papers) - 1)
    return np.asarray(papers[places] == rows)


def keyword_index_of(papers: Iterable[Paper]) -> KeywordIndex:
    """Index the keywords and subjects of `papers` in memory."""
    has_keywords: list[bool] = []
    terms, codes, rows = _collected(papers, has_keywords)
    starts = _starts(codes, len(terms))
    return KeywordIndex(terms, starts, rows[np.argsort(codes, kind="stable")], np.array(has_keywords, np.bool_))


# Writing --------------------------------------------------------------------------------------------


def build_keyword_index(papers: Iterable[Paper], folder: Path) -> None:
    """Write the index of the keywords and subjects of `papers` into `folder`; the bytes are the same each time.

    Row i is the i-th of `papers`, which are read once and not kept in memory.
    """
    has_keywords: list[bool] = []
    terms, codes, rows = _collected(papers, has_keywords)
    starts = _starts(codes, len(terms))
    folder.mkdir(parents=True, exist_ok=True)
    _write_terms(terms, folder / TERMS_FILE)
    np.save(folder / STARTS_FILE, starts, allow_pickle=False)
    # A stable sort, so that the rows of a term stay in the order of the papers.
    np.save(folder / ROWS_FILE, rows[np.argsort(codes, kind="stable")], allow_pickle=False)
    np.save(folder / HAS_KEYWORDS_FILE, np.array(has_keywords, np.bool_), allow_pickle=False)


def _starts(codes: NDArray[np.int32], n_terms: int) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=n_terms))]).astype(np.int64)


def _collected(
    papers: Iterable[Paper], has_keywords: list[bool]
) -> tuple[pa.LargeStringArray, NDArray[np.int32], NDArray[np.int32]]:
    """Return the sorted terms, and for each pair of a term and a paper, the term's index and the paper's row."""
    encoded, rows = [], []
    for terms, sizes in _batches(papers):
        # Strings go to Arrow in batches: as Python objects, millions of them would take up gigabytes.
        encoded.append(pa.array(terms, pa.large_string()).dictionary_encode())
        first = len(has_keywords)
        rows.append(np.repeat(np.arange(first, first + len(sizes), dtype=np.int32), sizes))
        has_keywords.extend(size > 0 for size in sizes)
    unified = pa.chunked_array(encoded, pa.dictionary(pa.int32(), pa.large_string())).unify_dictionaries()
    encoded.clear()  # each has its own dictionary, as large as all keywords together
    if not unified.num_chunks:
        return pa.array([], pa.large_string()), np.zeros(0, np.int32), np.zeros(0, np.int32)
    dictionary = unified.chunk(0).dictionary
    order = pc.sort_indices(dictionary)
    places = np.empty(len(order), np.int32)
    places[order.to_numpy()] = np.arange(len(order), dtype=np.int32)
    codes = [places[chunk.indices.to_numpy()] for chunk in unified.iterchunks()]
    return dictionary.take(order), np.concatenate(codes), np.concatenate(rows)


def _batches(papers: Iterable[Paper]) -> Iterator[tuple[list[str], list[int]]]:
    """Yield, for each batch of papers, their terms and the number of terms of each paper."""
    remaining = iter(papers)
    while batch := list(islice(remaining, _PAPERS_AT_ONCE)):
        terms = [sorted(_paper_terms(paper)) for paper in batch]
        yield list(chain.from_iterable(terms)), [len(of_one) for of_one in terms]


def _paper_terms(paper: Paper) -> set[str]:
    return {term for phrase in (*paper.keywords, *paper.subjects) for term in _runs(lemmas(phrase))}


def _runs(sequence: Sequence[str]) -> Iterator[str]:
    for start in range(len(sequence)):
        for end in range(start + 1, min(start + MAX_TERM_LEMMAS, len(sequence)) + 1):
            yield _term(sequence[start:end])


def _write_terms(terms: pa.LargeStringArray, path: Path) -> None:
    batch = pa.record_batch([terms], names=["term"])
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, batch.schema) as writer:
        writer.write_batch(batch)


# Reading --------------------------------------------------------------------------------------------


def _terms(path: Path) -> pa.LargeStringArray:
    try:
        table = pa.ipc.open_file(pa.memory_map(str(path))).read_all()
    except (OSError, pa.ArrowInvalid) as error:
        raise _damaged(path, str(error)) from error
    if table.schema.names != ["term"] or table.schema.types != [pa.large_string()]:
        raise _damaged(path, f"it holds {table.schema.to_string(show_schema_metadata=False)!r}")
    return table["term"].chunk(0) if table.num_rows else pa.array([], pa.large_string())


def _array(path: Path, dtype: np.dtype[_Scalar]) -> NDArray[_Scalar]:
    try:
        array: NDArray[_Scalar] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise _damaged(path, str(error)) from error
    if array.dtype != dtype or array.ndim != 1:
        raise _damaged(path, f"it holds {array.dtype} of {array.ndim} dimensions, not {dtype} of 1")
    return array


def _damaged(path: Path, reason: str) -> CorpusDamaged:
    on_one_line = " ".join(reason.split())
    return CorpusDamaged(f"{path} is damaged ({on_one_line}): build the corpus again")
