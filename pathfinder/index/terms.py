"""Find papers by keyword: the terms of a corpus, each with the rows of the papers that have it.

A term is a run of one to five adjacent lemmas within a keyword or a subject, so "star" is a term of "young stars" and
of "star formation", but not of "starburst".

For each paper, the lemmas of its keywords are stored, each as a number. For each lemma, and for each frequent term of
several lemmas, the rows of its papers are stored. The papers with any other term are those that have all of its lemmas,
side by side. Rows take 16 bits: a mark shows where the next 65,535 rows begin.
"""

import math
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.index.file_maps import check_starts, damage_error, open_array
from pathfinder.index.ports import places_of
from pathfinder.text.language.lemmas import lemmas
from pathfinder.types import Expansion, Floats, Keyword, Paper, Rows

MAX_TERM_LEMMAS = 5

FREQUENT = 200
"""A term of several lemmas is frequent if it occurs at least once in this many papers, on average."""

ENTRIES_FILE, STARTS_FILE, ROWS_FILE = "entries.arrow", "entry_starts.npy", "entry_rows.npy"
PHRASES_FILE, PHRASE_STARTS_FILE = "phrases.npy", "phrase_starts.npy"
TERMS_FILE, TERM_STARTS_FILE, TERM_ROWS_FILE = "terms.arrow", "starts.npy", "rows.npy"
HAS_KEYWORDS_FILE = "has_keywords.npy"

END = 0
"""Number that follows the last lemma of a phrase; lemmas are numbered from 1."""
BLOCK = NEXT_BLOCK = 65_535
"""Number of rows that 16 bits can distinguish, and the value that marks the start of the next block of rows."""

_OFFSET, _ROW, _NUMBERS = np.dtype(np.uint32), np.dtype(np.uint16), (np.dtype(np.uint16), np.dtype(np.uint32))


@dataclass(frozen=True, slots=True, eq=False)
class ListedTerms:
    """The sorted terms of a corpus, each with the rows of the papers that have it, as earlier versions stored them, and
    as the statistics of the map use them.
    """

    terms: pa.LargeStringArray
    """Lemmas joined by spaces, sorted by code point, without duplicates."""
    starts: NDArray[np.int64]
    """Start of each term's rows, followed by the total number of rows, shape (n_terms + 1,)."""
    rows: NDArray[np.int32]
    """Rows of each term's papers, ascending within each term."""
    has_keywords: NDArray[np.bool_]
    """True for papers that have any keyword, shape (n_papers,)."""

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open files that an earlier version wrote, memory-mapped. Raises `CorpusDamaged` if one is missing or
        altered.
        """
        starts = open_array(folder / TERM_STARTS_FILE, np.dtype(np.int64))
        rows = open_array(folder / TERM_ROWS_FILE, np.dtype(np.int32))
        terms = open_strings(folder / TERMS_FILE, "term", pa.large_string())
        check_starts(folder / TERM_STARTS_FILE, starts, len(terms), len(rows))
        return cls(terms, starts, rows, open_array(folder / HAS_KEYWORDS_FILE, np.dtype(np.bool_)))

    @property
    def all_terms(self) -> "ListedTerms":
        return self

    def rows_of_term(self, term: str) -> NDArray[np.int32]:
        place = place_of(term, self.terms)
        return self.rows[:0] if place is None else self.rows[self.starts[place] : self.starts[place + 1]]


def place_of(text: str, texts: pa.Array) -> int | None:
    """Return the place of `text` among sorted `texts`; `None` if it is not there."""
    place = bisect_left(range(len(texts)), text, key=lambda i: str(texts[i].as_py()))
    return place if place < len(texts) and texts[place].as_py() == text else None


def open_strings(path: Path, column: str, kind: pa.DataType) -> pa.Array:
    """Open a file with one column of strings, memory-mapped. Raises `CorpusDamaged` if it is anything else."""
    try:
        table = pa.ipc.open_file(pa.memory_map(str(path))).read_all()
    except (OSError, pa.ArrowInvalid) as error:
        raise damage_error(path, str(error)) from error
    if table.schema.names != [column] or table.schema.types != [kind]:
        raise damage_error(path, f"it holds {table.schema.to_string(show_schema_metadata=False)!r}")
    return table[column].chunk(0) if table.num_rows else pa.array([], kind)


@dataclass(frozen=True, eq=False)
class KeywordPhrases:
    """The keywords of a corpus as sequences of lemmas."""

    entries: pa.StringArray
    """Lemmas, and frequent terms with spaces between their lemmas, sorted by code point; the first has number 1."""
    entry_starts: NDArray[np.uint32]
    """Start of each entry's rows, followed by the length of `entry_rows`, shape (n_entries + 1,)."""
    entry_rows: NDArray[np.uint16]
    """Rows of the papers with each entry, ascending, in blocks."""
    phrase_starts: NDArray[np.uint32]
    """Start of each paper's phrases, followed by the length of `phrases`, shape (n_papers + 1,)."""
    phrases: NDArray[Any]
    """Numbers of each phrase's lemmas, followed by `END`, in 16 bits if they fit, otherwise in 32."""

    @classmethod
    def of(cls, papers: Iterable[Paper]) -> Self:
        """Index the keywords and subjects of `papers`, which are read once and not kept in memory."""
        numbers: dict[str, int] = {}
        phrase_codes, starts = array("I"), array("I", [0])
        for paper in papers:
            for phrase in _phrases(paper):
                phrase_codes.extend(numbers.setdefault(lemma, len(numbers) + 1) for lemma in phrase)
                phrase_codes.append(END)
            starts.append(len(phrase_codes))
        phrases, phrase_starts = np.array(phrase_codes, dtype=np.int64), np.array(starts, dtype=_OFFSET)
        owners, least = _owners(phrase_starts), max(2, -(-(len(starts) - 1) // FREQUENT))
        runs = list(_runs(phrases, owners, pa.array(list(numbers), pa.large_string()), least))
        terms = _sorted_terms(runs, np.diff(phrase_starts) > 0)
        entry_starts, rows = in_blocks(terms)
        places = np.zeros(len(numbers) + 1, dtype=_NUMBERS[len(terms.terms) > np.iinfo(_NUMBERS[0]).max])
        places[1:] = pc.index_in(pa.array(list(numbers), pa.large_string()), terms.terms).to_numpy() + 1
        return cls(terms.terms.cast(pa.string()), entry_starts, rows, phrase_starts, places[phrases])

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the files written by `write`, memory-mapped. Raises `CorpusDamaged` if a file is missing or altered."""
        entries = open_strings(folder / ENTRIES_FILE, "entry", pa.string())
        entry_starts, phrase_starts = (open_array(folder / name, _OFFSET) for name in (STARTS_FILE, PHRASE_STARTS_FILE))
        rows, phrases = open_array(folder / ROWS_FILE, _ROW), open_array(folder / PHRASES_FILE, *_NUMBERS)
        check_starts(folder / STARTS_FILE, entry_starts, len(entries), len(rows))
        check_starts(folder / PHRASE_STARTS_FILE, phrase_starts, max(len(phrase_starts) - 1, 0), len(phrases))
        return cls(entries, entry_starts, rows, phrase_starts, phrases)

    def write(self, folder: Path) -> None:
        """Write the index into `folder`; the bytes are always the same."""
        folder.mkdir(parents=True, exist_ok=True)
        batch = pa.record_batch([self.entries], names=["entry"])
        with pa.OSFile(str(folder / ENTRIES_FILE), "wb") as file, pa.ipc.new_file(file, batch.schema) as writer:
            writer.write_batch(batch)
        np.save(folder / STARTS_FILE, self.entry_starts, allow_pickle=False)
        np.save(folder / ROWS_FILE, self.entry_rows, allow_pickle=False)
        np.save(folder / PHRASE_STARTS_FILE, self.phrase_starts, allow_pickle=False)
        np.save(folder / PHRASES_FILE, self.phrases, allow_pickle=False)

    @cached_property
    def has_keywords(self) -> NDArray[np.bool_]:
        """True for papers that have any keyword, shape (n_papers,)."""
        return np.asarray(self.phrase_starts[1:] > self.phrase_starts[:-1])

    @cached_property
    def all_terms(self) -> ListedTerms:
        """All terms written out, which takes 0.07 ms and as much memory as 70 row numbers per paper."""
        text = self.entries.cast(pa.large_string())
        is_lemma = pc.invert(pc.match_substring(text, " "))
        numbers = np.concatenate([[END], np.cumsum(is_lemma.to_numpy(zero_copy_only=False))])
        phrases = numbers[self.phrases]
        return _sorted_terms(
            list(_runs(phrases, _owners(self.phrase_starts), text.filter(is_lemma))), self.has_keywords
        )

    def rows_of_term(self, term: str) -> NDArray[np.int32]:
        entry = place_of(term, self.entries)
        if entry is not None:
            return self._rows_of_entry(entry)
        words = term.split(" ")
        if not 1 < len(words) <= MAX_TERM_LEMMAS:
            return np.zeros(0, dtype=np.int32)
        known_places = [place for lemma in words if (place := place_of(lemma, self.entries)) is not None]
        if len(known_places) < len(words):
            return np.zeros(0, dtype=np.int32)
        # Frequent pairs of a term's lemmas leave fewer papers to check than its single lemmas do.
        pairs = [place for pair in pairwise(words) if (place := place_of(" ".join(pair), self.entries)) is not None]
        rows, *others = sorted((self._rows_of_entry(place) for place in (*known_places, *pairs)), key=len)
        for other in others:
            rows = rows[is_among(rows, other)]
        numbers = np.array(known_places) + 1
        places, owners = places_of(self.phrase_starts, rows)
        phrases = self.phrases[places]
        # The end of a phrase is not a lemma, so no term spans two phrases or two papers.
        n = max(len(phrases) - len(numbers) + 1, 0)
        is_found = np.logical_and.reduce([phrases[at : at + n] == number for at, number in enumerate(numbers)])
        return rows[np.unique(owners[:n][is_found])]

    def _rows_of_entry(self, place: int) -> NDArray[np.int32]:
        entries = self.entry_rows[int(self.entry_starts[place]) : int(self.entry_starts[place + 1])]
        is_mark = entries == NEXT_BLOCK
        rows = entries.astype(np.int32)
        return (rows + BLOCK * np.cumsum(is_mark, dtype=np.int32))[~is_mark] if is_mark.any() else rows


def is_among(rows: Rows | NDArray[np.int32], papers: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which of `rows` are among `papers`, which are ascending and not empty."""
    places = np.minimum(np.searchsorted(papers, rows), len(papers) - 1)
    return np.asarray(papers[places] == rows)


def _phrases(paper: Paper) -> Iterator[tuple[str, ...]]:
    """Yield the phrases of a paper, except those that are part of another one and so add no term."""
    distinct = sorted({own for phrase in (*paper.keywords, *paper.subjects) if (own := lemmas(phrase))})
    texts = [f" {' '.join(own)} " for own in distinct]
    for own, text in zip(distinct, texts, strict=True):
        if not any(text in other for other in texts if other != text):
            yield own


def _owners(starts: NDArray[np.uint32]) -> NDArray[np.int64]:
    return np.repeat(np.arange(len(starts) - 1), starts[1:].astype(np.int64) - starts[:-1])


class _Runs(NamedTuple):
    """The runs of a given number of adjacent lemmas."""

    texts: pa.LargeStringArray
    terms: Rows
    """Place in `texts` of each run, shape (n,)."""
    rows: Rows
    """Row of the paper to which each run belongs, shape (n,)."""


def _runs(
    phrases: NDArray[np.int64], owners: NDArray[np.int64], words: pa.LargeStringArray, least: int = 1
) -> Iterator[_Runs]:
    """Yield the runs of one to five lemmas within a phrase; those of several lemmas only if they occur at least `least`
    times.

    `words` lists the lemmas in the order of their numbers in `phrases`, and `owners` the row of the paper to which each
    number belongs.
    """
    space = pa.scalar(" ", pa.large_string())  # this imports pandas, which a search does not need
    places = np.flatnonzero(phrases != END)
    texts, terms = words, phrases[places] - 1
    yield _Runs(texts, terms, owners[places])
    for length in range(1, MAX_TERM_LEMMAS):
        goes_on = phrases[places + length] != END
        places = places[goes_on]
        # A run of several lemmas is a shorter run followed by one lemma.
        pairs = terms[goes_on] * max(len(words), 1) + phrases[places + length] - 1
        distinct, terms, counts = np.unique(pairs, return_inverse=True, return_counts=True)
        is_kept = counts >= least
        first, last = np.divmod(distinct[is_kept], max(len(words), 1))
        texts = pc.binary_join_element_wise(texts.take(first), words.take(last), space)
        places, terms = places[is_kept[terms]], (np.cumsum(is_kept) - 1)[terms[is_kept[terms]]]
        yield _Runs(texts, terms, owners[places])


def _sorted_terms(runs: Sequence[_Runs], has_keywords: NDArray[np.bool_]) -> ListedTerms:
    """List the terms of all lengths together, each with its papers."""
    texts = pa.concat_arrays([of_length.texts for of_length in runs])
    order = pc.sort_indices(texts)
    place = np.empty(len(texts), dtype=np.int64)
    place[order.to_numpy()] = np.arange(len(texts))
    firsts = np.cumsum([0, *(len(of_length.texts) for of_length in runs)])
    terms = np.concatenate([place[first + own.terms] for first, own in zip(firsts[:-1], runs, strict=True)])
    n_papers = max(len(has_keywords), 1)
    pairs = np.unique(terms * n_papers + np.concatenate([of_length.rows for of_length in runs]))
    number, row = np.divmod(pairs, n_papers)
    starts = np.concatenate([[0], np.cumsum(np.bincount(number, minlength=len(texts)))]).astype(np.int64)
    return ListedTerms(texts.take(order), starts, row.astype(np.int32), has_keywords)


def in_blocks(terms: ListedTerms) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """Return the start of each term's rows, and the rows in blocks."""
    blocks = terms.rows // BLOCK
    before = np.concatenate([[0], blocks[:-1]])[: len(blocks)]
    # The last terms may have no papers.
    before[terms.starts[:-1][terms.starts[:-1] < len(before)]] = 0
    n_marks = blocks - before
    entries = np.full(len(blocks) + int(n_marks.sum()), NEXT_BLOCK, dtype=_ROW)
    entries[np.arange(len(blocks)) + np.cumsum(n_marks)] = terms.rows % BLOCK
    marks = np.concatenate([[0], np.cumsum(n_marks)])
    return (terms.starts + marks[terms.starts]).astype(_OFFSET), entries


ENTITY_MULTIPLE = 3
"""Weight of a named entity in the question, relative to another keyword of the same rarity."""


class TermPapers(Protocol):
    """The papers that have each term."""

    @property
    def has_keywords(self) -> NDArray[np.bool_]:
        """True for papers that have any keyword, shape (n_papers,)."""

    @property
    def all_terms(self) -> ListedTerms:
        """All terms, each written out with the rows of its papers, for the statistics of the map."""

    def rows_of_term(self, term: str) -> NDArray[np.int32]:
        """Return the rows of papers that have `term` (lemmas joined by spaces), ascending."""


@dataclass(frozen=True, slots=True, eq=False)
class KeywordIndex:
    """The keywords of a corpus; row i is paper i."""

    papers: TermPapers

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the index written by `build_keyword_index`, or by an earlier version, memory-mapped.

        Raises `CorpusDamaged` if a file is missing or altered.
        """
        is_listed = (folder / TERMS_FILE).exists()
        return cls(ListedTerms.open(folder) if is_listed else KeywordPhrases.open(folder))

    @property
    def has_keywords(self) -> NDArray[np.bool_]:
        return self.papers.has_keywords

    @property
    def terms(self) -> pa.LargeStringArray:
        """All terms: lemmas joined by spaces, sorted by code point, without duplicates."""
        return self.papers.all_terms.terms

    @property
    def starts(self) -> NDArray[np.int64]:
        """Start of each term's rows in `rows`, followed by the total number of rows, shape (n_terms + 1,)."""
        return self.papers.all_terms.starts

    @property
    def rows(self) -> NDArray[np.int32]:
        """Rows of the papers that have a term, ascending within each term."""
        return self.papers.all_terms.rows

    def weights(self, keywords: Sequence[Keyword], rows: Rows, expansions: Sequence[Expansion] = ()) -> Floats:
        """Return the fraction of `keywords` that each of the papers at `rows` has, weighted by rarity: shape
        (len(rows),), in [0, 1].

        The fraction is `sum_t m_t idf_t has(paper, t) / sum_t m_t idf_t` over the distinct terms of `keywords`, with
        `m_t = 3` for a named entity and 1 otherwise, and `idf_t = log(1 + N / df_t)`. Terms that no paper in the corpus
        has are omitted from both sums; if none remains, all weights are 0. The weight is NaN for a paper without
        keywords. A paper with a synonym of a keyword, from `expansions`, counts as having the keyword, including in its
        `df`.
        """
        other_names = {_term(e.term): [_term(name) for name in e.names] for e in expansions}
        # A term counts as a named entity if any of its occurrences is one.
        multiples: dict[str, int] = {}
        for keyword in keywords:
            term = _term(keyword.text)
            multiples[term] = max(multiples.get(term, 1), ENTITY_MULTIPLE if keyword.is_entity else 1)
        shares = np.zeros(len(rows))
        total = 0.0
        for term, multiple in multiples.items():
            papers = self.rows_of_term(term)
            for name in other_names.get(term, ()):
                papers = np.union1d(papers, self.rows_of_term(name))
            if len(papers):
                worth = multiple * math.log1p(len(self.has_keywords) / len(papers))
                shares += worth * is_among(rows, papers)
                total += worth
        if total == 0:
            return shares
        return np.where(self.has_keywords[rows], np.minimum(shares / total, 1.0), np.nan)

    def papers_with(self, phrase: str) -> NDArray[np.int32]:
        """Return the rows of papers that have `phrase`, compared by lemmas, as a keyword or as part of one."""
        return self.rows_of_term(_term(phrase))

    def rows_of_term(self, term: str) -> NDArray[np.int32]:
        return self.papers.rows_of_term(term)


def _term(phrase: str) -> str:
    return " ".join(lemmas(phrase))


def keyword_index_of(papers: Iterable[Paper]) -> KeywordIndex:
    """Index the keywords and subjects of `papers` in memory."""
    return KeywordIndex(KeywordPhrases.of(papers))


def build_keyword_index(papers: Iterable[Paper], folder: Path) -> None:
    """Write the index of the keywords and subjects of `papers` into `folder`.

    The same papers always give the same bytes. Row i is the i-th of `papers`, which are read once and not kept in
    memory.
    """
    KeywordPhrases.of(papers).write(folder)
