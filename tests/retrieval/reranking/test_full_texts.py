"""The local reranker counts the best full-text passage of a paper."""

from math import log
from types import SimpleNamespace

import numpy as np
import pytest

from pathfinder.models.ports import TokenVectors
from pathfinder.retrieval.reranking.local.model import LinearModel
from pathfinder.retrieval.reranking.local.predictors import MAX_READ, Terms, raised_at, raised_by_passages
from pathfinder.types import FullTextPassage, Paper, SectionKind

EAST, NORTH = np.eye(2, dtype=np.float32)
TERMS = Terms(EAST[np.newaxis], np.array([1.0], dtype=np.float32))


class Reads:
    """An embedder that reads a dome as east and anything else as north, and keeps what it has read."""

    def __init__(self):
        self.texts = []

    def embed_tokens(self, texts):
        self.texts += texts
        vectors = [EAST if "dome" in text else NORTH for text in texts]
        return [TokenVectors(v[np.newaxis], np.array([7]), np.array([[0, 4]])) for v in vectors]


def passage(text, score=0.9):
    return FullTextPassage(text, "2. Methods", SectionKind.METHOD, 4, 1, 0, 0, 0, len(text), score)


def raised_scores(texts, n_passages, match=(0.2, 0.2, 0.2), dense=0.5):
    n = len(match)
    pool = SimpleNamespace(
        rows=np.arange(n), papers=[Paper(str(i), f"Title {i}.", "") for i in range(n)], dense=np.full(n, dense)
    )
    pool.full_texts = {row: (each,) for row, each in texts.items()}
    features = {"tokens^2": np.array(match), "tokens^4": np.array(match) / 2, "neighbours": np.zeros(n)}
    reads, tokens = Reads(), SimpleNamespace(project=lambda vectors: vectors)
    return features, raised_by_passages(features, pool, np.array(n_passages), TERMS, reads, tokens), reads.texts


def test_a_paper_gains_half_of_the_lead_of_its_best_passage_beyond_that_expected_of_so_many():
    features, after, texts = raised_scores({1: passage("The dome is blue."), 2: passage("It rains.")}, [0, 7, 1])
    # A cosine of 1 to any power is 1; the passage of the third paper has nothing of the question.
    lead = 1 - 0.2 - 0.08 * log(7)
    assert after["tokens^2"] == pytest.approx([0.2, 0.2 + 0.5 * lead, 0.2])
    assert after["tokens^4"] == pytest.approx([0.1, 0.1 + 0.5 * (lead + 0.1), 0.1])
    assert texts == ["Title 1. 2. Methods. The dome is blue", "Title 2. 2. Methods. It rains"]
    gains = LinearModel({"tokens^2": 0.3, "neighbours": 1.0}).gains(
        features | {"tokens^2": np.array([0, 0.2, 0.4])}, after
    )
    # The spread of 0, 0.2 and 0.4 is 0.4 / sqrt(6).
    assert gains[1] == pytest.approx(0.3 * (after["tokens^2"][1] - 0.2) / (0.4 / 6**0.5))


def test_papers_without_a_full_text_score_as_before():
    features, after, _ = raised_scores({1: passage("The dome is blue.")}, [0, 1, 0], match=(0.1, 0.2, 0.6))
    gains = LinearModel({"tokens^2": 0.3, "tokens^4": 0.2}).gains(features, after)
    assert gains[[0, 2]].tolist() == [0, 0]
    assert gains[1] > 0
    assert raised_scores({}, [0, 0, 0])[1] == {}
    assert LinearModel({"tokens^2": 0.3}).gains(features, {}).tolist() == [0, 0, 0]


def test_only_passages_nearer_than_the_abstract_are_read_and_only_eight():
    assert raised_scores({0: passage("The dome is blue.", 0.5)}, [1, 0, 0])[2] == []
    many = {row: passage("The dome is blue.") for row in range(12)}
    assert len(raised_scores(many, [1] * 12, match=(0.2,) * 12)[2]) == MAX_READ


def test_a_vendors_scores_are_raised_by_the_same_rule():
    own, match = np.array([0.1, 0.2, 0.9]), np.array([0.8, 0.5])
    # 0.5 (0.8 - 0.1 - 0.08 ln 3) for the first; the passage of the third scores less than its abstract.
    assert raised_at([0, 2], own, match, np.array([3, 1])) == pytest.approx([0.45 - 0.04 * log(3), 0.2, 0.9])
