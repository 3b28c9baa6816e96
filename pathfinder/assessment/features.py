"""What the pool of a question tells of whether the corpus bears on it: a few numbers, cheap to work out.

Cosine alone cannot tell: an off-topic question may come nearer to its best hit than a good one. What
tells them apart together is how near the ten best papers lie, how near to one another, how many of the
question's rare words they hold, and whether meaning and words point at the same papers.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.words import INDEX_STOP_WORDS, stems, words
from pathfinder.types import Floats, Paper

N_BEST = 10
"""Hits that are looked at."""

MEANING_FEATURES = ("best cosine", "mean cosine of 10", "coherence of 10")
WORD_FEATURES_ALONE = ("best BM25 share", "best coverage", "mean coverage of 10", "coverage of all 10")
WORD_FEATURES = (*WORD_FEATURES_ALONE, "BM25 share of the 10 nearest")

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
"""Differences that mean nothing yet: no feature is scaled by less, however alike off-topic questions are."""


class Pool(Protocol):
    """What was found for a question, best first; `Candidates` is one."""

    @property
    def papers(self) -> Sequence[Paper]: ...
    @property
    def vectors(self) -> NDArray[np.float32]: ...
    @property
    def dense(self) -> Floats: ...
    @property
    def sparse(self) -> Floats: ...


class WordCounts(Protocol):
    """What a corpus knows of words; `SparseIndex` does."""

    def __len__(self) -> int: ...
    def content_words(self, text: str) -> tuple[str, ...]: ...
    def document_frequencies(self, content_words: Sequence[str]) -> NDArray[np.int64]: ...


def meaning_features(pool: Pool) -> Floats:
    """`MEANING_FEATURES` of a pool with cosines, shape (3,)."""
    nearest = np.argsort(-pool.dense, kind="stable")[:N_BEST]
    vectors = pool.vectors[nearest].astype(np.float64)
    return np.array([pool.dense[nearest[0]], pool.dense[nearest].mean(), _coherence(vectors)])


def _coherence(vectors: Floats) -> float:
    """Mean cosine between k unit vectors, each with the others; 1 for a single one.

    The squared length of their sum is k plus twice the sum over the pairs.
    """
    k = len(vectors)
    return float((np.square(vectors.sum(axis=0)).sum() - k) / (k * (k - 1))) if k > 1 else 1.0


def word_features(question: str, pool: Pool, counts: WordCounts) -> Floats:
    """`WORD_FEATURES` of a pool with BM25 scores, each in [0, 1]; `WORD_FEATURES_ALONE` of one without cosines.

    All are shares of what the question's words could reach, by rarity: a word that no paper has is the
    rarest of all, and cannot be reached.
    """
    asked = counts.content_words(question)
    rarity = dict(zip(asked, _idf(counts.document_frequencies(asked), len(counts)), strict=True))
    reachable = sum(rarity.values())
    texts = [_stems_of(paper) & rarity.keys() for paper in islice(pool.papers, N_BEST)]
    covered = [sum(rarity[word] for word in text) / reachable for text in texts]
    together = sum(rarity[word] for word in set().union(*texts)) / reachable
    bm25 = np.minimum(pool.sparse / reachable, 1.0)
    alone = [bm25.max(), max(covered), np.mean(covered), together]
    if np.isnan(pool.dense).all():
        return np.array(alone)
    nearest = np.argsort(-pool.dense, kind="stable")[:N_BEST]
    return np.array([*alone, bm25[nearest].mean()])


def _idf(document_frequencies: NDArray[np.int64], n_papers: int) -> Floats:
    """Lucene's: what one occurrence too many of a word adds to BM25 at most."""
    return np.asarray(np.log1p((n_papers - document_frequencies + 0.5) / (document_frequencies + 0.5)))


def _stems_of(paper: Paper) -> set[str]:
    return set(stems(words(paper.text), INDEX_STOP_WORDS))
