"""Some papers of an index as an index of their own: row i is the i-th of the selected rows.

A corpus as of a given year consists of such indexes. Nothing is copied or computed again, and every engine can be read
in this way: a search is filtered by a predicate that selects the same papers.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.index.listed_terms import ListedTerms
from pathfinder.index.ports import PassageVectors, Ranking, Tokens, TokenSource, VectorIndex
from pathfinder.index.predicate import EVERY_PAPER, Predicate
from pathfinder.index.runs import places_of
from pathfinder.index.terms import TermPapers
from pathfinder.models.ports import Vectors
from pathfinder.types import Floats, Rows


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
        """See `VectorIndex.search`."""
        rows, scores = self.whole.search(vector, n, self.selection.narrow(predicate))
        return Ranking(self.selection.own(rows), scores)

    def cosines(self, rows: Rows, vector: NDArray[np.float32]) -> Floats:
        """See `VectorIndex.cosines`."""
        return self.whole.cosines(self.selection.rows[rows], vector)

    def vectors(self, rows: Rows) -> Vectors:
        """See `VectorIndex.vectors`."""
        return self.whole.vectors(self.selection.rows[rows])


@dataclass(frozen=True, eq=False)
class SelectedPassages:
    """The passages of the selected papers."""

    whole: PassageVectors
    selection: Selection

    @cached_property
    def _places(self) -> Rows:
        """Places of the selected passages in the whole index, ascending."""
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
        """See `PassageVectors.search`."""
        places, scores = self.whole.search(vector, n, self.selection.narrow(predicate))
        return Ranking(np.searchsorted(self._places, places), scores)

    def papers_of(self, places: Rows) -> Rows:
        """See `PassageVectors.papers_of`."""
        return np.searchsorted(self._starts, places, side="right") - 1

    def places_of(self, rows: Rows) -> tuple[Rows, Rows]:
        """See `PassageVectors.places_of`."""
        return places_of(self._starts, rows)

    def vectors_at(self, places: Rows) -> Vectors:
        """See `PassageVectors.vectors_at`."""
        return self.whole.vectors_at(self._places[places])

    def cosines_at(self, places: Rows, vector: NDArray[np.float32]) -> Floats:
        """See `PassageVectors.cosines_at`."""
        return self.whole.cosines_at(self._places[places], vector)

    def spans_at(self, places: Rows) -> NDArray[np.int32]:
        """See `PassageVectors.spans_at`."""
        return self.whole.spans_at(self._places[places])


@dataclass(frozen=True, slots=True, eq=False)
class SelectedTokens:
    """The tokens of the selected papers."""

    whole: TokenSource
    selection: Selection

    def project(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """See `TokenSource.project`."""
        return self.whole.project(vectors)

    def gather(self, rows: Rows) -> Tokens:
        """See `TokenSource.gather`."""
        return self.whole.gather(self.selection.rows[rows])


@dataclass(frozen=True, eq=False)
class SelectedTerms:
    """The selected papers that have each term."""

    whole: TermPapers
    selection: Selection

    @cached_property
    def has_keywords(self) -> NDArray[np.bool_]:
        """See `TermPapers.has_keywords`."""
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
        """See `TermPapers.rows_of_term`."""
        rows = self.whole.rows_of_term(term)
        return self.selection.own(rows[self._is_selected[rows]]).astype(np.int32)
