from dataclasses import dataclass, field
from math import log, sqrt

import numpy as np
import pytest

from pathfinder.assessment.relevance import meaning_predictors, word_predictors
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.types import Paper


@dataclass
class Pool:
    dense: np.ndarray
    sparse: np.ndarray
    vectors: np.ndarray = field(default_factory=lambda: np.eye(2))
    papers: list = field(default_factory=list)


class Counts:
    """Word statistics of three papers, two of which mention dust and one winds."""

    def __len__(self):
        return 3

    def content_words(self, text):
        return tuple(dict.fromkeys(stems(words(text), QUESTION_STOP_WORDS)))

    def document_frequencies(self, content_words):
        return np.array([{"dust": 2, "wind": 1}.get(word, 0) for word in content_words])


def idf(n):
    return log(1 + (3 - n + 0.5) / (n + 0.5))


def test_meaning_is_the_nearest_papers_and_how_near_they_lie_to_one_another():
    half = np.array([[1.0, 0.0], [0.5, sqrt(0.75)]])
    best, mean, coherence = meaning_predictors(Pool(np.array([0.2, 0.6]), np.zeros(2), half))
    assert (best, mean, coherence) == pytest.approx((0.6, 0.4, 0.5))


def test_a_single_paper_is_coherent():
    assert meaning_predictors(Pool(np.array([0.2]), np.zeros(1), np.eye(1)))[2] == 1


def test_only_the_ten_nearest_papers_are_looked_at():
    dense = np.concatenate([np.full(90, 0.1), np.full(10, 0.5)])
    assert meaning_predictors(Pool(dense, np.zeros(100), np.tile([1.0, 0.0], (100, 1))))[1] == pytest.approx(0.5)


def test_words_are_shares_of_what_the_question_could_reach():
    papers = [Paper("a", "Dust", "Dusty."), Paper("b", "Winds", "Dust in winds.")]
    pool = Pool(np.array([0.5, 0.4]), np.array([0.2, 0.6]), papers=papers)
    share, best, mean, together, nearest = word_predictors("How does dust drive winds?", pool, Counts())
    # "drive" is in no paper, so it is the rarest of the three words, and out of reach.
    whole = idf(2) + idf(1) + idf(0)
    assert share == pytest.approx(0.6 / whole)
    assert best == together == pytest.approx((idf(2) + idf(1)) / whole)
    assert mean == pytest.approx((idf(2) + (idf(2) + idf(1))) / 2 / whole)
    assert nearest == pytest.approx((0.2 + 0.6) / 2 / whole)


def test_without_cosines_there_are_no_nearest_papers():
    pool = Pool(np.full(1, np.nan), np.array([0.2]), papers=[Paper("a", "Dust", "Dusty.")])
    assert word_predictors("dust", pool, Counts()).shape == (4,)
