import numpy as np
import pytest

from pathfinder.index.tokens import Tokens
from pathfinder.retrieval.reranking.local.model import LONG_QUESTION, LinearModel, fitted_model, relevance, standardise
from pathfinder.retrieval.reranking.local.predictors import (
    PAPERS_AT_ONCE,
    Terms,
    TokenPool,
    by_tokens,
    content_words,
    cosines_of,
    neighbour_predictors,
    predictors_of,
    token_weights,
)

EAST, NORTH, UP = np.eye(3)


class Papers:
    """Papers whose tokens are told: a list of (vector, id, sentence) each."""

    def __init__(self, *papers):
        self.papers = papers

    def gather(self, rows):
        tokens = [token for row in rows for token in self.papers[row]]
        return Tokens(
            np.array([vector for vector, _, _ in tokens], dtype=np.float32).reshape(-1, 3),
            np.array([place for _, place, _ in tokens], dtype=np.int32),
            np.array([sentence for _, _, sentence in tokens], dtype=np.int32),
            np.cumsum([0, *(len(self.papers[row]) for row in rows)]),
        )


class Words:
    """An index of 100 papers; a word that is told is in that many of them."""

    def __init__(self, **counts):
        self.counts = counts

    def __len__(self):
        return 100

    def document_frequencies(self, words):
        return np.array([self.counts.get(word, 0) for word in words], dtype=np.int64)


def question_of(*tokens):
    vectors, weights = zip(*tokens, strict=True)
    return Terms(np.array(vectors, np.float32), np.array(weights, np.float32))


QUESTION = question_of((EAST, 0.75), (NORTH, 0.25))


def pool(*papers, terms=QUESTION):
    return TokenPool.of(Papers(*papers), np.arange(len(papers)), terms)


def test_a_token_counts_by_its_best_cosine_and_its_rarity():
    # The best of the paper for the first token is 1, for the second 0.6.
    predictors = by_tokens(pool([(EAST, 1, 0), (0.8 * UP + 0.6 * NORTH, 5, 1), (UP, 6, 1)]), QUESTION)
    assert predictors["tokens^2"] == pytest.approx([0.75 * 1 + 0.25 * 0.6**2])
    assert predictors["tokens^4"] == pytest.approx([0.75 * 1 + 0.25 * 0.6**4])


def test_a_paper_without_tokens_matches_nothing():
    matched = pool([], [(EAST, 1, 0)], [])
    for predictor in by_tokens(matched, QUESTION).values():
        assert predictor.shape == (3,)
        assert np.isfinite(predictor).all()
        assert (predictor[0], predictor[2]) == (0, 0)


def test_the_length_of_a_stored_vector_does_not_count():
    assert by_tokens(pool([(0.9 * EAST, 1, 0)]), QUESTION)["tokens^2"] == pytest.approx([0.75])
    assert cosines_of(np.zeros((1, 3), np.float32), QUESTION.vectors).tolist() == [[0, 0]]


def test_blocks_of_papers_never_mix_up_whose_token_is_whose():
    n = 2 * PAPERS_AT_ONCE + 3
    papers = [[(EAST if i == n - 2 else UP, i, 0)] * (i % 4) for i in range(n)]
    together = by_tokens(pool(*papers), QUESTION)["tokens^2"]
    alone = [by_tokens(pool(paper), QUESTION)["tokens^2"][0] for paper in papers]
    assert together == pytest.approx(alone)
    assert int(together.argmax()) == n - 2


def test_a_paper_is_not_its_own_company():
    vectors = np.array([EAST, EAST, NORTH], dtype=np.float32)
    # Each has two others: (0 + 0) / 2, (1 + 0) / 2, (1 + 0) / 2.
    assert neighbour_predictors(vectors, np.array([1.0, 0.0, 0.0]))["neighbours"] == pytest.approx([0, 0.5, 0.5])
    assert neighbour_predictors(vectors[:1], np.array([0.3]))["neighbours"].tolist() == [0.3]


def test_a_rare_word_weighs_more_and_its_tokens_share_its_weight():
    # "the" is a stop word; "star" is in 60 of 100 papers, "keplerate" in none, and read as two tokens.
    spans = np.array([[0, 0], [0, 3], [4, 8], [9, 12], [12, 18], [0, 0]], dtype=np.int32)
    weights = token_weights("the star keplerate", spans, Words(star=60))
    common, rare = np.log(1 + 40.5 / 60.5), np.log(1 + 100.5 / 0.5)
    assert weights == pytest.approx(np.array([0, 0, common, rare / 2, rare / 2, 0]) / (common + rare))


def test_a_question_of_nothing_but_stop_words_weighs_its_words_alike():
    spans = np.array([[0, 0], [0, 4], [5, 7], [0, 0]], dtype=np.int32)
    assert token_weights("what is", spans, Words()).tolist() == [0, 0.5, 0.5, 0]


def test_a_question_without_words_weighs_nothing():
    assert token_weights("", np.zeros((2, 2), dtype=np.int32), Words()).tolist() == [0, 0]


def test_predictors_are_compared_in_standard_deviations():
    assert standardise(np.array([1.0, 2.0, 3.0])) == pytest.approx(np.array([-1, 0, 1]) / np.sqrt(2 / 3))
    assert standardise(np.array([0.1, 0.1, 0.1])).tolist() == [0, 0, 0]
    model = LinearModel({"a": 2.0, "b": -1.0})
    values = np.array([0.0, 1.0])
    assert model.scores({"a": values, "b": values, "unused": values}) == pytest.approx([-1, 1])


def test_match_and_relevance_add_up_to_twice_match_and_score():
    scores, fused = np.array([0.3, 0.1, 0.2]), np.array([0.9, 1.0, 0.001])
    match = np.log(0.05 + fused)
    total, relevances = match + np.log(0.05 + relevance(scores, fused)), relevance(scores, fused)
    # 0.95 exp(0.6) against 1.05 exp(0.2): the first paper is the best. The last is cut off: it has 0.051 exp(0.4).
    assert relevances[0] == 1
    assert total[0] - total[1] == pytest.approx(2 * (match[0] + 0.3 - match[1] - 0.1))
    assert relevances[2] == 0


def test_tokens_say_nothing_about_a_long_question():
    model = LinearModel({"tokens^4": 1.0, "neighbours": 2.0})
    assert model.for_question(LONG_QUESTION) is model
    assert model.for_question(LONG_QUESTION + 1).weights == {"neighbours": 2.0}


def test_content_words_are_counted_each_time():
    assert [word.group() for word in content_words("What is a star, and which star is old?")] == ["star", "star", "old"]


def test_an_exact_match_is_never_last_and_the_papers_order_makes_no_difference():
    rng = np.random.default_rng(1)
    papers = [[(rng.normal(size=3), 100 + i, s) for s in range(3)] for i in range(6)]
    papers[4] = [(EAST, 1, 0), (NORTH, 2, 0), (EAST, 1, 1), (NORTH, 2, 1)]
    vectors = rng.normal(size=(6, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)

    def scores(order):
        pool = TokenPool.of(Papers(*papers), order, QUESTION)
        predictors = predictors_of(pool, QUESTION, vectors[order])
        assert all(np.isfinite(values).all() for values in predictors.values())
        return fitted_model().scores(predictors)

    as_given, turned = scores(np.arange(6)), scores(np.arange(6)[::-1].copy())
    assert as_given == pytest.approx(turned[::-1])
    assert as_given.argmin() != 4
