"""Passages, the parts of an abstract that are relevant to the question, even those at the end of a long abstract; and
titles, for questions that are worded like one.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.store import Corpus
from pathfinder.index.ports import NO_HITS, PassageVectors, Ranking
from pathfinder.index.predicate import Predicate
from pathfinder.retrieval.lookup.indexes import MergedHits
from pathfinder.retrieval.lookup.question import Direction
from pathfinder.retrieval.stages import StageReport, failed_stage, skipped_stage
from pathfinder.types import MAX_PASSAGES, POOL_SIZE, Floats, Passage, Rows


def look_up_titles(vector: Direction, predicate: Predicate, corpus: Corpus) -> tuple[Ranking, StageReport]:
    """Return the papers of the 1,000 titles nearest to the question."""
    if vector is None:
        return NO_HITS, skipped_stage("words only")
    if corpus.titles is None:
        return NO_HITS, failed_stage(corpus.absent["titles"])
    return corpus.titles.search(vector, POOL_SIZE, predicate), StageReport(corpus.titles.method)


def title_matches(rows: Rows, vector: Direction, corpus: Corpus) -> Floats | None:
    """Return the cosine between the question and each title, clipped at 0; `None` without a question vector or a title
    index.
    """
    if vector is None or corpus.titles is None:
        return None
    return np.clip(corpus.titles.cosines(rows, vector), 0.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class PassageSimilarity:
    """Similarity of the question to the passages of some papers; all arrays have shape (n,), with one entry per
    passage.
    """

    n_papers: int
    owners: Rows
    """Index of the paper that each passage belongs to, ascending; within a paper, passages are in the order of the
    abstract.
    """
    places: Rows
    """Positions in the passage index."""
    cosines: Floats
    """Cosines, in [-1, 1]."""

    @property
    def counts(self) -> Rows:
        """Number of passages of each paper, shape (n_papers,)."""
        return np.bincount(self.owners, minlength=self.n_papers)

    @property
    def best_first(self) -> Rows:
        """Positions of the passages, paper by paper, the best of each paper first; ties are in the order of the
        abstract.
        """
        return np.lexsort((self.places, -self.cosines, self.owners))


def look_up_passages(vector: Direction, predicate: Predicate, corpus: Corpus) -> tuple[Ranking, StageReport]:
    """Return the papers of the 1,000 passages nearest to the question, each with the cosine of its best passage."""
    if vector is None:
        return NO_HITS, skipped_stage("words only")
    if corpus.passages is None:
        return NO_HITS, failed_stage(corpus.absent["passages"])
    hits = corpus.passages.search(vector, POOL_SIZE, predicate)
    # Passages are sorted best first, so the first one of each paper is its best.
    rows, first = np.unique(corpus.passages.papers_of(hits.rows), return_index=True)
    order = np.argsort(first)
    return Ranking(rows[order], hits.scores[first[order]]), StageReport(
        f"{corpus.passages.method}: {len(rows):,} papers"
    )


def with_passages(hits: MergedHits, vector: Direction, corpus: Corpus) -> MergedHits:
    """Give each paper its own cosine or that of its best passage, whichever is higher."""
    if vector is None or corpus.passages is None:
        return hits
    fit = fit_passages(hits.rows, vector, corpus.passages)
    dense = hits.dense.copy()
    np.maximum.at(dense, fit.owners, fit.cosines)
    return replace(hits, dense=dense)


def fit_passages(rows: Rows, vector: NDArray[np.float32], index: PassageVectors) -> PassageSimilarity:
    """Compare the passages of the papers in `rows` with the question."""
    places, owners = index.places_of(rows)
    return PassageSimilarity(len(rows), owners, places, index.cosines_at(places, vector))


def shown_passages(fit: PassageSimilarity, index: PassageVectors) -> tuple[tuple[Passage, ...], ...]:
    """Return at most three passages of each paper, the best first."""
    order, counts = fit.best_first, fit.counts
    within = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    positions = order[within < MAX_PASSAGES]
    starts, ends = index.spans_at(fit.places[positions]).T.tolist()
    passages = tuple(map(Passage, starts, ends, np.clip(fit.cosines[positions], 0.0, 1.0).tolist()))
    behind = np.cumsum(np.minimum(counts, MAX_PASSAGES)).tolist()
    return tuple(passages[first:last] for first, last in pairwise([0, *behind]))
