"""Passages: what of a paper bears on the question, also where it stands at the end of a long abstract."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.store import Corpus
from pathfinder.index.passages import PassageIndex
from pathfinder.index.ports import NO_HITS, Allowed, Ranking
from pathfinder.retrieval.lookup import Found
from pathfinder.retrieval.question import Direction
from pathfinder.types import MAX_PASSAGES, POOL_SIZE, Floats, Passage, Rows


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """How well each passage of some papers fits the question: all arrays have a passage's shape (n,)."""

    n_papers: int
    owners: Rows
    """Which of the papers it is of, ascending; within a paper in the order of its abstract."""
    places: Rows
    """In the index."""
    cosines: Floats
    """[-1, 1]."""

    @property
    def counts(self) -> Rows:
        """Passages of each paper, shape (n_papers,)."""
        return np.bincount(self.owners, minlength=self.n_papers)

    @property
    def best_first(self) -> Rows:
        """Positions of the passages, paper by paper, each paper's best first, the earlier of equals."""
        return np.lexsort((self.places, -self.cosines, self.owners))


def look_up_passages(vector: Direction, allowed: Allowed, corpus: Corpus) -> tuple[Ranking, str]:
    """The papers of the 1,000 passages nearest to the question, each with its best passage's cosine."""
    if vector is None:
        return NO_HITS, "not used: words only"
    if corpus.passages is None:
        return NO_HITS, f"not run: {corpus.absent['passages']}"
    found = corpus.passages.search(vector, POOL_SIZE, allowed)
    # The passages come best first, so that the first one of a paper is its best.
    rows, first = np.unique(corpus.passages.papers_of(found.rows), return_index=True)
    order = np.argsort(first)
    return Ranking(rows[order], found.scores[first[order]]), f"exact cosine, FAISS: {len(rows):,} papers"


def with_passages(found: Found, vector: Direction, corpus: Corpus) -> Found:
    """What was found, each paper with its own cosine or its best passage's, whichever is higher."""
    if vector is None or corpus.passages is None:
        return found
    fit = fit_passages(found.rows, vector, corpus.passages)
    dense = found.dense.copy()
    np.maximum.at(dense, fit.owners, fit.cosines)
    return replace(found, dense=dense)


def fit_passages(rows: Rows, vector: NDArray[np.float32], index: PassageIndex) -> Fit:
    """The passages of the papers at `rows`, compared with the question."""
    places, owners = index.places_of(rows)
    # Not `@`: on so few rows a second thread costs more than it saves, much more on a busy machine.
    cosines = np.einsum("ij,j->i", index.vectors.vectors(places), vector, dtype=np.float64)
    return Fit(len(rows), owners, places, cosines)


def shown_passages(fit: Fit, index: PassageIndex) -> tuple[tuple[Passage, ...], ...]:
    """Of each paper at most three passages, best first."""
    order, counts = fit.best_first, fit.counts
    within = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = order[within < MAX_PASSAGES]
    starts, ends = index.spans[fit.places[kept]].T.tolist()
    passages = tuple(map(Passage, starts, ends, np.clip(fit.cosines[kept], 0.0, 1.0).tolist()))
    behind = np.cumsum(np.minimum(counts, MAX_PASSAGES)).tolist()
    return tuple(passages[first:last] for first, last in pairwise([0, *behind]))
