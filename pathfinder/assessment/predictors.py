"""Cheap predictors, computed from a candidate pool, that show whether the corpus covers the question.

The cosine alone cannot show this, because an off-topic question may be closer to its best hit than a good question is.
Taken together, the following can: how close the ten best papers are to the question and to each other, how many of its
rare words they contain, and whether meaning and words point to the same papers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.ports import WordStatistics
from pathfinder.index.words import INDEX_STOP_WORDS, stems, words
from pathfinder.types import Expansion, Floats, Paper

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


def word_predictors(
    question: str, pool: PredictorPool, counts: WordStatistics, expansions: Sequence[Expansion] = ()
) -> Floats:
    """Compute `WORD_PREDICTORS`, each in [0, 1], for a pool with BM25 scores; `WORD_PREDICTORS_ALONE` if it has no
    cosines.

    Each is a fraction of the highest score that the question's words could reach, weighted by rarity. A word that
    occurs in no paper gets the highest weight, so a question that contains it cannot reach 1, unless papers call the
    same thing by another name, in `expansions`: such a paper has the words of the term, which are as rare as the most
    frequent of its names.
    """
    question_words = counts.content_words(question)
    rarity = dict(zip(question_words, _idf(counts.document_frequencies(question_words), len(counts)), strict=True))
    names = [_Names.of(expansion, counts) for expansion in expansions]
    for name in names:
        rarity |= {word: min(rarity[word], name.rarity) for word in name.term & rarity.keys()}
    reachable = sum(rarity.values())
    texts = [_with_names(_stems_of(paper), names) & rarity.keys() for paper in islice(pool.papers, N_BEST)]
    coverages = [sum(rarity[word] for word in text) / reachable for text in texts]
    together = sum(rarity[word] for word in set().union(*texts)) / reachable
    bm25 = np.minimum(pool.sparse / reachable, 1.0)
    alone = [bm25.max(), max(coverages), np.mean(coverages), together]
    if np.isnan(pool.dense).all():
        return np.array(alone)
    nearest = np.argsort(-pool.dense, kind="stable")[:N_BEST]
    return np.array([*alone, bm25[nearest].mean()])


@dataclass(frozen=True, slots=True)
class _Names:
    """The stems of a term in the question, and those of each of its other names."""

    term: frozenset[str]
    others: tuple[frozenset[str], ...]
    rarity: float
    """Rarity of the most frequent of the other names, each of which is as rare as the rarest of its words."""

    @classmethod
    def of(cls, expansion: Expansion, counts: WordStatistics) -> "_Names":
        others = [counts.content_words(name) for name in expansion.names]
        others = [name for name in others if name]
        rarity = [_idf(counts.document_frequencies(name), len(counts)).max() for name in others]
        return cls(
            frozenset(counts.content_words(expansion.term)), tuple(map(frozenset, others)), min(rarity, default=np.inf)
        )


def _with_names(text: set[str], names: Sequence[_Names]) -> set[str]:
    """Add the stems of each term to those of a text that has another name for it."""
    return text.union(*(name.term for name in names if any(other <= text for other in name.others)))


def _idf(document_frequencies: NDArray[np.int64], n_papers: int) -> Floats:
    """Return Lucene's inverse document frequency: the most that a word can contribute to BM25."""
    return np.asarray(np.log1p((n_papers - document_frequencies + 0.5) / (document_frequencies + 0.5)))


def _stems_of(paper: Paper) -> set[str]:
    return set(stems(words(paper.text), INDEX_STOP_WORDS))
