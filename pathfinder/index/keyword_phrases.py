"""Keywords as sequences of lemmas, from which the papers with a term are found.

A paper keeps the lemmas of its keywords, each lemma as a number, and each lemma the rows of its papers. The papers with
a term of several lemmas are those that have all of them, and have them side by side. Rows take 16 bits: a mark means
that the next 65,535 rows begin.
"""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.index.listed_terms import ListedTerms, check_starts, open_array, open_strings, place_of
from pathfinder.index.runs import places_of
from pathfinder.text.language.lemmas import lemmas
from pathfinder.types import Paper, Rows

MAX_TERM_LEMMAS = 5

LEMMAS_FILE, STARTS_FILE, ROWS_FILE = "lemmas.arrow", "lemma_starts.npy", "lemma_rows.npy"
PHRASES_FILE, PHRASE_STARTS_FILE = "phrases.npy", "phrase_starts.npy"

END = 0
"""Number behind the last lemma of a phrase; lemmas are numbered from 1."""
BLOCK = NEXT_BLOCK = 65_535
"""Number of rows that 16 bits tell apart, and the value that means that the next block of rows begins."""

_SPACE = pa.scalar(" ", pa.large_string())
_OFFSET, _ROW, _NUMBERS = np.dtype(np.uint32), np.dtype(np.uint16), (np.dtype(np.uint16), np.dtype(np.uint32))


@dataclass(frozen=True, eq=False)
class KeywordPhrases:
    """The keywords of a corpus as sequences of lemmas."""

    lemmas: pa.StringArray
    """Sorted by code point, without duplicates; the first has number 1."""
    lemma_starts: NDArray[np.uint32]
    """Start of each lemma's rows, followed by the total number, shape (n_lemmas + 1,)."""
    lemma_rows: NDArray[np.uint16]
    """Rows of the papers with each lemma, ascending, in blocks."""
    phrase_starts: NDArray[np.uint32]
    """Start of each paper's phrases, followed by the total number, shape (n_papers + 1,)."""
    phrases: NDArray[Any]
    """Numbers of the lemmas of each phrase, then `END`, in 16 bits if they fit, otherwise in 32."""

    @classmethod
    def of(cls, papers: Iterable[Paper]) -> Self:
        """Index the keywords and subjects of `papers`, which are read once and not kept in memory."""
        numbers: dict[str, int] = {}
        numbered, starts = array("I"), array("I", [0])
        for paper in papers:
            for phrase in _phrases(paper):
                numbered.extend(numbers.setdefault(lemma, len(numbers) + 1) for lemma in phrase)
                numbered.append(END)
            starts.append(len(numbered))
        in_order = sorted(numbers)
        places = np.zeros(len(numbers) + 1, dtype=_NUMBERS[len(numbers) > np.iinfo(_NUMBERS[0]).max])
        places[[numbers[lemma] for lemma in in_order]] = np.arange(1, len(in_order) + 1)
        phrases, phrase_starts = places[np.asarray(numbered)], np.array(starts, dtype=_OFFSET)
        lemma_starts, rows = _inverted(phrases, phrase_starts, len(in_order))
        return cls(pa.array(in_order, pa.string()), lemma_starts, rows, phrase_starts, phrases)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the files written by `write`, memory-mapped. Raises `CorpusDamaged` if a file is missing or altered."""
        known = open_strings(folder / LEMMAS_FILE, "lemma", pa.string())
        lemma_starts, phrase_starts = (open_array(folder / name, _OFFSET) for name in (STARTS_FILE, PHRASE_STARTS_FILE))
        rows, phrases = open_array(folder / ROWS_FILE, _ROW), open_array(folder / PHRASES_FILE, *_NUMBERS)
        check_starts(folder / STARTS_FILE, lemma_starts, len(known), len(rows))
        check_starts(folder / PHRASE_STARTS_FILE, phrase_starts, max(len(phrase_starts) - 1, 0), len(phrases))
        return cls(known, lemma_starts, rows, phrase_starts, phrases)

    def write(self, folder: Path) -> None:
        """Write the index into `folder`; the bytes are the same each time."""
        folder.mkdir(parents=True, exist_ok=True)
        batch = pa.record_batch([self.lemmas], names=["lemma"])
        with pa.OSFile(str(folder / LEMMAS_FILE), "wb") as file, pa.ipc.new_file(file, batch.schema) as writer:
            writer.write_batch(batch)
        np.save(folder / STARTS_FILE, self.lemma_starts, allow_pickle=False)
        np.save(folder / ROWS_FILE, self.lemma_rows, allow_pickle=False)
        np.save(folder / PHRASE_STARTS_FILE, self.phrase_starts, allow_pickle=False)
        np.save(folder / PHRASES_FILE, self.phrases, allow_pickle=False)

    @cached_property
    def has_keywords(self) -> NDArray[np.bool_]:
        """True for papers that have any keyword, shape (n_papers,)."""
        return np.asarray(self.phrase_starts[1:] > self.phrase_starts[:-1])

    @cached_property
    def listed(self) -> ListedTerms:
        """All terms written out: 70 rows for each paper in memory, and 0.07 ms to make them."""
        return _listed(self)

    def rows_of_term(self, term: str) -> NDArray[np.int32]:
        """See `TermPapers.rows_of_term`."""
        places = [place_of(lemma, self.lemmas) for lemma in term.split(" ")]
        known = [place for place in places if place is not None]
        if len(known) < len(places) or len(places) > MAX_TERM_LEMMAS:
            return np.zeros(0, dtype=np.int32)
        rows, *others = sorted((self._rows_of_lemma(place) for place in known), key=len)
        for other in others:
            rows = rows[is_among(rows, other)]
        return rows if len(known) == 1 else self._side_by_side(rows, np.array(known) + 1)

    def _rows_of_lemma(self, place: int) -> NDArray[np.int32]:
        return _decoded(self.lemma_rows[int(self.lemma_starts[place]) : int(self.lemma_starts[place + 1])])

    def _side_by_side(self, rows: NDArray[np.int32], numbers: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return those of `rows` whose papers have a phrase with the lemmas `numbers` in this order."""
        places, owners = places_of(self.phrase_starts, rows)
        phrases = self.phrases[places]
        # The end of a phrase is no lemma, so nothing is found across two phrases, nor across two papers.
        n = max(len(phrases) - len(numbers) + 1, 0)
        is_found = np.logical_and.reduce([phrases[at : at + n] == number for at, number in enumerate(numbers)])
        return rows[np.unique(owners[:n][is_found])]


def is_among(rows: Rows | NDArray[np.int32], papers: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which of `rows` are among `papers`, which ascend and are not empty."""
    places = np.minimum(np.searchsorted(papers, rows), len(papers) - 1)
    return np.asarray(papers[places] == rows)


def _phrases(paper: Paper) -> Iterator[tuple[str, ...]]:
    """Yield the phrases of a paper, without those that are part of another: they add no term."""
    distinct = sorted({own for phrase in (*paper.keywords, *paper.subjects) if (own := lemmas(phrase))})
    written = [f" {' '.join(own)} " for own in distinct]
    for own, text in zip(distinct, written, strict=True):
        if not any(text in other for other in written if other != text):
            yield own


def _owners(starts: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Return the row of the paper of each number in the phrases."""
    return np.repeat(np.arange(len(starts) - 1), starts[1:].astype(np.int64) - starts[:-1])


def _inverted(
    phrases: NDArray[Any], phrase_starts: NDArray[np.uint32], n_lemmas: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """Return the rows of the papers with each lemma, in blocks, and the start of each lemma's."""
    n_papers = max(len(phrase_starts) - 1, 1)
    pairs = np.unique(phrases.astype(np.int64) * n_papers + _owners(phrase_starts))
    number, rows = np.divmod(pairs[np.searchsorted(pairs, n_papers) :], n_papers)
    blocks = rows // BLOCK
    before = np.where(np.diff(number, prepend=0) > 0, 0, np.concatenate([[0], blocks[:-1]])[: len(blocks)])
    n_marks = blocks - before
    stored = np.full(len(rows) + int(n_marks.sum()), NEXT_BLOCK, dtype=_ROW)
    stored[np.arange(len(rows)) + np.cumsum(n_marks)] = rows % BLOCK
    sizes = np.bincount(number - 1, n_marks + 1, minlength=n_lemmas)
    return np.concatenate([[0], np.cumsum(sizes)]).astype(_OFFSET), stored


def _decoded(stored: NDArray[np.uint16]) -> NDArray[np.int32]:
    is_mark = stored == NEXT_BLOCK
    rows = stored.astype(np.int32)
    return (rows + BLOCK * np.cumsum(is_mark, dtype=np.int32))[~is_mark] if is_mark.any() else rows


def _listed(index: KeywordPhrases) -> ListedTerms:
    """List every run of one to five lemmas within a phrase, with its papers."""
    phrases, owners = index.phrases.astype(np.int64), _owners(index.phrase_starts)
    known = index.lemmas.cast(pa.large_string())
    places = np.flatnonzero(phrases != END)
    texts, terms, rows = [known], [phrases[places] - 1], [owners[places]]
    for length in range(1, MAX_TERM_LEMMAS):
        goes_on = phrases[places + length] != END
        places = places[goes_on]
        # A run is the run without its last lemma, and that lemma.
        shorter, lemma = terms[-1][goes_on], phrases[places + length] - 1
        runs, of_place = np.unique(shorter * max(len(known), 1) + lemma, return_inverse=True)
        first, last = np.divmod(runs, max(len(known), 1))
        texts.append(pc.binary_join_element_wise(texts[-1].take(first), known.take(last), _SPACE))
        terms.append(of_place)
        rows.append(owners[places])
    return _sorted_terms(texts, terms, rows, index.has_keywords)


def _sorted_terms(
    texts: list[pa.LargeStringArray], terms: list[Rows], rows: list[Rows], has_keywords: NDArray[np.bool_]
) -> ListedTerms:
    """Sort runs of all lengths together; `terms` are places in the `texts` of their length, one for each of `rows`."""
    joined = pa.concat_arrays(texts)
    order = pc.sort_indices(joined)
    place = np.empty(len(joined), dtype=np.int64)
    place[order.to_numpy()] = np.arange(len(joined))
    firsts = np.cumsum([0, *map(len, texts)])
    of_pair = [place[first:end][own] for (first, end), own in zip(pairwise(firsts), terms, strict=True)]
    n_papers = max(len(has_keywords), 1)
    number, row = np.divmod(np.unique(np.concatenate(of_pair) * n_papers + np.concatenate(rows)), n_papers)
    starts = np.concatenate([[0], np.cumsum(np.bincount(number, minlength=len(joined)))]).astype(np.int64)
    return ListedTerms(joined.take(order), starts, row.astype(np.int32), has_keywords)
