"""Concepts of a corpus: its multi-word terms, each with the papers that contain it."""

from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pathfinder.corpus.papers import PaperTable
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.statistics.keywords import as_written
from pathfinder.types import Rows

MIN_PAPERS = 4
"""Minimum number of papers with a term for it to count as a concept."""
MAX_SHARE = 0.1
"""Maximum share of papers that may have a concept; a more frequent concept says little."""
MAX_CONCEPTS = 2_000
"""Maximum number of concepts that are compared with each other; the most frequent are chosen."""
_MOST_TRIALS = 3 * MAX_CONCEPTS


@dataclass(frozen=True, slots=True, eq=False)
class Concepts:
    """Concepts, the most frequent first; column j of `papers` is concept j."""

    names: tuple[str, ...]
    """The most common spelling of each concept in the papers."""
    terms: tuple[str, ...]
    """Lemmas of each concept, joined by spaces."""
    papers: csr_array
    """1 where a paper has a concept, shape (n_papers, n_concepts)."""

    def __len__(self) -> int:
        return len(self.names)

    @property
    def n_papers(self) -> NDArray[np.int64]:
        """Number of papers with each concept, shape (n_concepts,)."""
        return np.asarray(self.papers.sum(axis=0), dtype=np.int64)

    def rows_with(self, *concepts: int) -> Rows:
        """Return the rows of the papers that have all of these concepts, ascending."""
        n_of = np.asarray(self.papers[:, list(concepts)].sum(axis=1))
        return np.flatnonzero(n_of == len(concepts))


def choose_concepts(
    index: KeywordIndex, papers: PaperTable, is_in: NDArray[np.bool_] | None = None, limit: int = MAX_CONCEPTS
) -> Concepts:
    """Choose up to `limit` terms of several words, each shared by at least `MIN_PAPERS` papers but by at most a tenth
    of all papers.

    A term counts only if it is a keyword in its own right, not merely a part of longer ones. `is_in` selects the
    papers, by default all; the others are ignored.
    """
    is_selected = np.ones(len(papers), dtype=np.bool_) if is_in is None else is_in
    of_term = np.repeat(np.arange(len(index.terms)), np.diff(index.starts))
    selected_rows = is_selected[index.rows]
    n_with = np.bincount(of_term[selected_rows], minlength=len(index.terms))
    most = max(MAX_SHARE * int(is_selected.sum()), MIN_PAPERS)
    has_words = pc.match_substring(index.terms, " ").to_numpy(zero_copy_only=False)
    places = np.flatnonzero((n_with >= MIN_PAPERS) & (n_with <= most) & has_words)
    places_to_try = places[np.argsort(-n_with[places], kind="stable")[:_MOST_TRIALS]]
    names = as_written(index, papers, places_to_try, is_selected)
    best_places = [place for place, name in zip(places_to_try.tolist(), names, strict=True) if name][:limit]
    return Concepts(
        tuple(name for name in names if name)[:limit],
        tuple(str(index.terms[place].as_py()) for place in best_places),
        _papers_with(index, best_places, is_selected),
    )


def _papers_with(index: KeywordIndex, places: list[int], is_selected: NDArray[np.bool_]) -> csr_array:
    rows = [index.rows[index.starts[place] : index.starts[place + 1]] for place in places]
    rows = [own[is_selected[own]] for own in rows]
    columns = np.repeat(np.arange(len(places)), [len(own) for own in rows])
    all_rows = np.concatenate([np.empty(0, dtype=np.int32), *rows])
    shape = len(is_selected), len(places)
    return csr_array((np.ones(len(all_rows), dtype=np.int32), (all_rows, columns)), shape=shape)
