"""Cheap predictors, computed from a candidate pool, that show whether the corpus covers the question.

The cosine alone cannot show this, because an off-topic question may be closer to its best hit than a good question is.
Taken together, the following can: how close the ten best papers are to the question and to each other, how many of its
rare words they contain, and whether meaning and words point to the same papers.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.ports import WordStatistics
from pathfinder.index.words import INDEX_STOP_WORDS, stems, words
from pathfinder.types import Floats, Paper

N_BEST = 10
"""Number of hits considered."""

MEANING_PREDICTORS = ("best cosine", "mean cosine of 10", "coherence of 10")
WORD_PREDICTORS_ALONE = ("best BM25 share", "best coverage", "mean coverage of 10", "coverage of all 10")
WORD_PREDICTORS = (*WORD_PREDICTORS_ALONE, "BM25 share of the 10 nearest")

SMALLEST_SCALES = {
    "best cosine": 0.03,
    "mean cosine of 10": 0.03,
    "coherence of 10": 0.05,
    "best BM25 share": 0.04,
    "best coverage": 0.05,
    "mean coverage of 10": 0.04,
    "coverage of all 10": 0.1,
    "BM25 share of the 10 nearest": 0.02,
}
"""Minimum scale of each predictor: smaller differences are meaningless, however similar the off-topic questions are."""


class PredictorPool(Protocol):
    """Candidate pool of a question, best first; `Candidates` is an example."""

    @property
    def papers(self) -> Sequence[Paper]: ...
    @property
    def vectors(self) -> NDArray[np.float32]: ...
    @property
    def dense(self) -> Floats: ...
    @property
    def sparse(self) -> Floats: ...


def meaning_predictors(pool: PredictorPool) -> Floats:
    """Compute `MEANING_PREDICTORS` for a pool with cosines, shape (3,)."""
    nearest = np.argsort(-pool.dense, kind="stable")[:N_BEST]
    vectors = pool.vectors[nearest].astype(np.float64)
    return np.array([pool.dense[nearest[0]], pool.dense[nearest].mean(), _coherence(vectors)])


def _coherence(vectors: Floats) -> float:
    """Return the mean cosine over all pairs of k unit vectors; 1 for a single vector.

    It follows from the squared length of the vectors' sum, which is k plus twice the sum of the cosines over all pairs.
    """
    k = len(vectors)
    return float((np.square(vectors.sum(axis=0)).sum() - k) / (k * (k - 1))) if k > 1 else 1.0


def word_predictors(question: str, pool: PredictorPool, counts: WordStatistics) -> Floats:
    """Compute `WORD_PREDICTORS`, each in [0, 1], for a pool with BM25 scores; `WORD_PREDICTORS_ALONE` if it has no
    cosines.

    Each is a fraction of the highest score that the question's words could reach, weighted by rarity. A word that
    occurs in no paper gets the highest weight, so a question that contains it cannot reach 1.
    """
    question_words = counts.content_words(question)
    rarity = dict(zip(question_words, _idf(counts.document_frequencies(question_words), len(counts)), strict=True))
    reachable = sum(rarity.values())
    texts = [_stems_of(paper) & rarity.keys() for paper in islice(pool.papers, N_BEST)]
    coverages = [sum(rarity[word] for word in text) / reachable for text in texts]
    together = sum(rarity[word] for word in set().union(*texts)) / reachable
    bm25 = np.minimum(pool.sparse / reachable, 1.0)
    alone = [bm25.max(), max(coverages), np.mean(coverages), together]
    if np.isnan(pool.dense).all():
        return np.array(alone)
    nearest = np.argsort(-pool.dense, kind="stable")[:N_BEST]
    return np.array([*alone, bm25[nearest].mean()])


def _idf(document_frequencies: NDArray[np.int64], n_papers: int) -> Floats:
    """Return Lucene's inverse document frequency: the most that a word can contribute to BM25."""
    return np.asarray(np.log1p((n_papers - document_frequencies + 0.5) / (document_frequencies + 0.5)))


def _stems_of(paper: Paper) -> set[str]:
    return set(stems(words(paper.text), INDEX_STOP_WORDS))
