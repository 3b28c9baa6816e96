"""Views of the indexes, in which nothing is copied or computed again: two indexes of a kind joined into one, and some
papers of an index as an index of their own.

A live search adds a few papers to a corpus for one question: the rows of the second index follow those of the first. A
corpus as of a given year is a selection: row i is the i-th of the selected rows, and a search is filtered by a
predicate that selects the same papers, so every engine can be read in this way.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.errors import UsageError
from pathfinder.index.ports import PassageVectors, Ranking, Tokens, TokenSource, VectorIndex, WordIndex, best, places_of
from pathfinder.index.predicate import EVERY_PAPER, PaperColumns, Predicate
from pathfinder.index.terms import ListedTerms, TermPapers
from pathfinder.models.ports import Vectors
from pathfinder.types import Expansion, Floats, Rows

_Scalar = TypeVar("_Scalar", bound=np.generic)


class _Split(NamedTuple):
    """Rows, divided between two indexes."""

    is_second: NDArray[np.bool_]
    first: Rows
    second: Rows
    """Rows of the second index, counted from its own first row."""

    def join(self, first: NDArray[_Scalar], second: NDArray[_Scalar]) -> NDArray[_Scalar]:
        """Put the values of both indexes back into the order of the rows."""
        values = np.empty((len(self.is_second), *first.shape[1:]), dtype=first.dtype)
        values[~self.is_second], values[self.is_second] = first, second
        return values


def _split(rows: Rows, n_first: int) -> _Split:
    rows = np.asarray(rows, dtype=np.int64)
    is_second = rows >= n_first
    return _Split(is_second, rows[~is_second], rows[is_second] - n_first)


def _best_of(first: Ranking, second: Ranking, n_first: int, n: int) -> Ranking:
    rows = np.concatenate([first.rows, second.rows + n_first])
    return best(rows, np.concatenate([first.scores, second.scores]), n)


@dataclass(frozen=True, slots=True, eq=False)
class JoinedVectors:
    """Vector indexes of the same dimension, joined into one."""

    first: VectorIndex
    second: VectorIndex

    def __len__(self) -> int:
        return len(self.first) + len(self.second)

    @property
    def dimension(self) -> int:
        return self.first.dimension

    @property
    def method(self) -> str:
        return self.first.method

    def search(self, vector: NDArray[np.float32], n: int, predicate: Predicate = EVERY_PAPER) -> Ranking:
        first, second = (index.search(vector, n, predicate) for index in (self.first, self.second))
        return _best_of(first, second, len(self.first), n)

    def cosines(self, rows: Rows, vector: NDArray[np.float32]) -> Floats:
        split = _split(rows, len(self.first))
        return split.join(self.first.cosines(split.first, vector), self.second.cosines(split.second, vector))

    def vectors(self, rows: Rows) -> Vectors:
        split = _split(rows, len(self.first))
        return split.join(self.first.vectors(split.first), self.second.vectors(split.second))


@dataclass(frozen=True, slots=True, eq=False)
class JoinedWords:
    """Word indexes joined into one; the scores of the second must be on the same scale as those of the first
    (`sparse.beside`).
    """

    first: WordIndex
    second: WordIndex

    def __len__(self) -> int:
        return len(self.first) + len(self.second)

    @property
    def language(self) -> str | None:
        return self.first.language

    @property
    def has_keywords(self) -> bool:
        """See `WordIndex.has_keywords`; papers of live sources are searched by title and abstract alone."""
        return self.first.has_keywords

    def method(self, expansions: Sequence[Expansion] = ()) -> str:
        return self.first.method(expansions)

    def content_words(self, text: str) -> tuple[str, ...]:
        return self.first.content_words(text)

    def document_frequencies(self, content_words: Sequence[str]) -> NDArray[np.int64]:
        return self.first.document_frequencies(content_words) + self.second.document_frequencies(content_words)

    def only(self, rows: Rows, texts: Iterable[str], columns: PaperColumns | None = None) -> WordIndex:
        raise UsageError("papers from live sources are added to a single search only: choose the year before searching")

    def foreign_language(self, text: str) -> str | None:
        return self.first.foreign_language(text)

    def search(
        self, text: str, n: int, predicate: Predicate = EVERY_PAPER, expansions: Sequence[Expansion] = ()
    ) -> Ranking:
        first, second = (index.search(text, n, predicate, expansions) for index in (self.first, self.second))
        return _best_of(first, second, len(self.first), n)

    def share_of_words(self, content_words: Sequence[str], rows: Rows) -> Floats:
        split = _split(rows, len(self.first))
        return split.join(
            self.first.share_of_words(content_words, split.first),
            self.second.share_of_words(content_words, split.second),
        )


@dataclass(frozen=True, slots=True, eq=False)
class JoinedPassages:
    """Passage indexes joined into one."""

    first: PassageVectors
    second: PassageVectors

    def __len__(self) -> int:
        return len(self.first) + len(self.second)

    @property
    def method(self) -> str:
        return self.first.method

    @property
    def n_places(self) -> int:
        return self.first.n_places + self.second.n_places

    def search(self, vector: NDArray[np.float32], n: int, predicate: Predicate = EVERY_PAPER) -> Ranking:
        first, second = (index.search(vector, n, predicate) for index in (self.first, self.second))
        return _best_of(first, second, self.first.n_places, n)

    def papers_of(self, places: Rows) -> Rows:
        split = _split(places, self.first.n_places)
        return split.join(self.first.papers_of(split.first), self.second.papers_of(split.second) + len(self.first))

    def places_of(self, rows: Rows) -> tuple[Rows, Rows]:
        split = _split(rows, len(self.first))
        places, owners = self.first.places_of(split.first)
        more, their_owners = self.second.places_of(split.second)
        positions = np.flatnonzero(~split.is_second), np.flatnonzero(split.is_second)
        all_places = np.concatenate([places, more + self.first.n_places])
        all_owners = np.concatenate([positions[0][owners], positions[1][their_owners]])
        order = np.argsort(all_owners, kind="stable")
        return all_places[order], all_owners[order]

    def vectors_at(self, places: Rows) -> Vectors:
        split = _split(places, self.first.n_places)
        return split.join(self.first.vectors_at(split.first), self.second.vectors_at(split.second))

    def cosines_at(self, places: Rows, vector: NDArray[np.float32]) -> Floats:
        split = _split(places, self.first.n_places)
        return split.join(self.first.cosines_at(split.first, vector), self.second.cosines_at(split.second, vector))

    def spans_at(self, places: Rows) -> NDArray[np.int32]:
        split = _split(places, self.first.n_places)
        return split.join(self.first.spans_at(split.first), self.second.spans_at(split.second))


@dataclass(frozen=True, slots=True, eq=False)
class JoinedTokens:
    """Token stores with the same projection, joined into one."""

    first: TokenSource
    second: TokenSource
    n_first: int
    """Number of papers in the first store."""

    def project(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        return self.first.project(vectors)

    def gather(self, rows: Rows) -> Tokens:
        split = _split(rows, self.n_first)
        if not len(split.second):
            return self.first.gather(rows)
        first, second = self.first.gather(split.first), self.second.gather(split.second)
        lengths = split.join(np.diff(first.offsets), np.diff(second.offsets))
        by_token = split._replace(is_second=np.repeat(split.is_second, lengths))
        return Tokens(
            by_token.join(first.vectors, second.vectors),
            by_token.join(first.ids, second.ids),
            by_token.join(first.sentences, second.sentences),
            np.concatenate([[0], np.cumsum(lengths)]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class JoinedTerms:
    """The papers with each term, in a corpus and among the papers added to it."""

    first: TermPapers
    second: TermPapers

    @property
    def has_keywords(self) -> NDArray[np.bool_]:
        return np.concatenate([self.first.has_keywords, self.second.has_keywords])

    @property
    def all_terms(self) -> ListedTerms:
        """The terms of the corpus alone, because the papers added to it have no place on the map."""
        return self.first.all_terms

    def rows_of_term(self, term: str) -> NDArray[np.int32]:
        n_first = np.int32(len(self.first.has_keywords))
        return np.concatenate([self.first.rows_of_term(term), self.second.rows_of_term(term) + n_first])


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """Papers of a corpus, as rows and as a predicate."""

    rows: Rows
    """Their rows, ascending."""
    last_year: int
    excluded_ids: frozenset[str] = frozenset()
    """Ids of papers dated no later than `last_year` that are nevertheless not selected."""

    def narrow(self, predicate: Predicate) -> Predicate:
        """Return `predicate`, restricted to the selected papers, as a filter for the whole index."""
        last = self.last_year if predicate.year_to is None else min(predicate.year_to, self.last_year)
        return replace(predicate, year_to=last).without(self.excluded_ids)

    def own(self, rows: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the place of each of `rows` in the selection; all of them must be selected rows."""
        return np.searchsorted(self.rows, rows)


@dataclass(frozen=True, slots=True, eq=False)
class SelectedPapers:
    """The vectors of the selected papers."""

    whole: VectorIndex
    selection: Selection

    def __len__(self) -> int:
        return len(self.selection.rows)

    @property
    def dimension(self) -> int:
        return self.whole.dimension

    @property
    def method(self) -> str:
        return self.whole.method

    def search(self, vector: NDArray[np.float32], n: int, predicate: Predicate = EVERY_PAPER) -> Ranking:
        rows, scores = self.whole.search(vector, n, self.selection.narrow(predicate))
        return Ranking(self.selection.own(rows), scores)

    def cosines(self, rows: Rows, vector: NDArray[np.float32]) -> Floats:
        return self.whole.cosines(self.selection.rows[rows], vector)

    def vectors(self, rows: Rows) -> Vectors:
        return self.whole.vectors(self.selection.rows[rows])


@dataclass(frozen=True, eq=False)
class SelectedPassages:
    """The passages of the selected papers."""

    whole: PassageVectors
    selection: Selection

    @cached_property
    def _places(self) -> Rows:
        return self.whole.places_of(self.selection.rows)[0]

    @cached_property
    def _starts(self) -> Rows:
        _, owners = self.whole.places_of(self.selection.rows)
        return np.searchsorted(owners, np.arange(len(self) + 1))

    def __len__(self) -> int:
        return len(self.selection.rows)

    @property
    def method(self) -> str:
        return self.whole.method

    @property
    def n_places(self) -> int:
        return len(self._places)

    def search(self, vector: NDArray[np.float32], n: int, predicate: Predicate = EVERY_PAPER) -> Ranking:
        places, scores = self.whole.search(vector, n, self.selection.narrow(predicate))
        return Ranking(np.searchsorted(self._places, places), scores)

    def papers_of(self, places: Rows) -> Rows:
        return np.searchsorted(self._starts, places, side="right") - 1

    def places_of(self, rows: Rows) -> tuple[Rows, Rows]:
        return places_of(self._starts, rows)

    def vectors_at(self, places: Rows) -> Vectors:
        return self.whole.vectors_at(self._places[places])

    def cosines_at(self, places: Rows, vector: NDArray[np.float32]) -> Floats:
        return self.whole.cosines_at(self._places[places], vector)

    def spans_at(self, places: Rows) -> NDArray[np.int32]:
        return self.whole.spans_at(self._places[places])


@dataclass(frozen=True, slots=True, eq=False)
class SelectedTokens:
    """The tokens of the selected papers."""

    whole: TokenSource
    selection: Selection

    def project(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        return self.whole.project(vectors)

    def gather(self, rows: Rows) -> Tokens:
        return self.whole.gather(self.selection.rows[rows])


@dataclass(frozen=True, eq=False)
class SelectedTerms:
    """The selected papers that have each term."""

    whole: TermPapers
    selection: Selection

    @cached_property
    def has_keywords(self) -> NDArray[np.bool_]:
        return np.asarray(self.whole.has_keywords[self.selection.rows])

    @cached_property
    def _is_selected(self) -> NDArray[np.bool_]:
        mask = np.zeros(len(self.whole.has_keywords), dtype=np.bool_)
        mask[self.selection.rows] = True
        return mask

    @cached_property
    def all_terms(self) -> ListedTerms:
        """See `TermPapers.all_terms`; terms that no selected paper has are left out."""
        every = self.whole.all_terms
        is_in = self._is_selected[every.rows]
        before = np.concatenate([[0], np.cumsum(is_in)])[every.starts]
        is_used = np.diff(before) > 0
        starts = np.concatenate([[0], before[1:][is_used]]).astype(np.int64)
        rows = self.selection.own(every.rows[is_in]).astype(np.int32)
        terms = pc.filter(every.terms, pa.array(is_used))
        return ListedTerms(terms, starts, rows, self.has_keywords)

    def rows_of_term(self, term: str) -> NDArray[np.int32]:
        rows = self.whole.rows_of_term(term)
        return self.selection.own(rows[self._is_selected[rows]]).astype(np.int32)
