"""Signals of each candidate that a reader may weigh: title, place of the best passage, words covered, spread.

They are there whether or not they are weighed, so that a slider can be moved without another search.
"""

from dataclasses import replace

import numpy as np

from pathfinder.corpus.store import Corpus
from pathfinder.index.sparse import SparseIndex
from pathfinder.retrieval.passages import Fit, fit_passages, shown_passages
from pathfinder.retrieval.question import Direction
from pathfinder.retrieval.titles import title_matches
from pathfinder.types import Candidates, Floats, Rows

POSITION_STEP = 0.1
"""What one place further down takes off: `1 / (1 + 0.1 p)`."""


def with_signals(candidates: Candidates, query: str, vector: Direction, corpus: Corpus) -> Candidates:
    """The candidates with every signal that the corpus and the question have."""
    words_looked_up = not np.isnan(candidates.sparse).all()
    candidates = replace(
        candidates,
        title_match=title_matches(candidates.rows, vector, corpus),
        coverage=coverage(query, candidates.rows, corpus.sparse) if words_looked_up else None,
    )
    if vector is None or corpus.passages is None:
        return candidates
    fit = fit_passages(candidates.rows, vector, corpus.passages)
    return replace(
        candidates,
        position=position(fit),
        diversity=diversity(fit),
        passages=shown_passages(fit, corpus.passages),
    )


def coverage(query: str, rows: Rows, index: SparseIndex) -> Floats:
    """Share of the question's content words, as stems, that each paper has: [0, 1]."""
    return index.share_of_words(index.content_words(query), rows)


def position(fit: Fit) -> Floats:
    """`1 / (1 + 0.1 p)` of each paper, p the place of its best passage, from 0; NaN for a paper of none."""
    counts = fit.counts
    firsts = np.cumsum(counts) - counts
    within = np.arange(len(fit.owners)) - np.repeat(firsts, counts)
    places = np.full(fit.n_papers, np.nan)
    places[counts > 0] = within[fit.best_first[firsts[counts > 0]]]
    return 1.0 / (1.0 + POSITION_STEP * places)


def diversity(fit: Fit) -> Floats:
    """Standard deviation of the cosines of each paper's passages, [0, 1]; NaN for a paper of less than two."""
    n = np.where(fit.counts < 2, np.nan, fit.counts)
    means = np.bincount(fit.owners, fit.cosines, fit.n_papers) / n
    squares = (fit.cosines - means[fit.owners]) ** 2
    return np.sqrt(np.bincount(fit.owners, squares, fit.n_papers) / n)
