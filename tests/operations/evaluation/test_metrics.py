from math import log2

import numpy as np
import pytest

from pathfinder.errors import UsageError
from pathfinder.operations.evaluation.metrics import (
    interval_of_mean,
    mean_scores,
    paired_difference,
    score_each,
    sign_flip_p,
)

# By its grade, a is twice as good as b.
JUDGEMENTS = {"q": {"a": 2, "b": 1, "c": 0}}


def scores_of(ranking, judgements=JUDGEMENTS):
    return {name: scores["q"] for name, scores in score_each(judgements, {"q": ranking}).items()}


def test_ndcg_has_linear_gains():
    gain = 1 / log2(1 + 1) + 2 / log2(3 + 1)
    ideal = 2 / log2(1 + 1) + 1 / log2(2 + 1)
    assert scores_of(["b", "x", "a"])["ndcg@10"] == pytest.approx(gain / ideal)


def test_the_best_order_has_ndcg_1():
    assert scores_of(["a", "b", "c"])["ndcg@10"] == pytest.approx(1)


def test_the_reciprocal_rank_is_that_of_the_first_relevant_document():
    assert scores_of(["x", "c", "b", "a"])["mrr@10"] == pytest.approx(1 / 3)


def test_what_comes_eleventh_is_neither_success_nor_reciprocal_rank():
    scores = scores_of([*(f"x{n}" for n in range(10)), "a", "b"])
    assert (scores["success@10"], scores["mrr@10"], scores["ndcg@10"]) == (0, 0, 0)
    assert scores["recall@100"] == 1


def test_recall_is_the_share_of_relevant_documents_that_were_found():
    ranking = ["a", *(f"x{n}" for n in range(150)), "b"]
    assert (scores_of(ranking)["recall@100"], scores_of(ranking)["recall@1000"]) == (1 / 2, 2 / 2)


def test_a_judged_question_without_a_ranking_counts_as_0():
    judgements = {"q": {"a": 1}, "r": {"b": 1}}
    scores = score_each(judgements, {"q": ["a"], "unjudged": ["b"]})
    assert scores["mrr@10"] == {"q": 1, "r": 0}
    assert mean_scores(scores)["mrr@10"] == (1 + 0) / 2


def test_the_order_decides_and_not_the_names():
    # trec_eval orders equal scores by name; here, every rank has a score of its own.
    names = [f"d{n}" for n in range(10)]
    judgements = {"q": {"d0": 1}}
    assert scores_of(names, judgements)["mrr@10"] == 1
    assert scores_of(names[::-1], judgements)["mrr@10"] == pytest.approx(1 / 10)


HALVES = np.array([0.0, 1.0] * 50)


def test_no_question_has_no_mean():
    with pytest.raises(UsageError, match="at least one question"):
        interval_of_mean(np.array([]))
    with pytest.raises(UsageError, match="at least one question"):
        sign_flip_p(np.array([]))


def test_a_value_that_is_no_number_is_refused():
    with pytest.raises(UsageError, match="question 1 has no finite value"):
        interval_of_mean(np.array([0.5, np.nan]))


def test_scores_of_other_questions_are_not_paired():
    with pytest.raises(UsageError, match="2 values cannot be paired with 3"):
        paired_difference(np.zeros(2), np.zeros(3))


def test_the_interval_is_that_of_the_mean_of_many_questions():
    # 100 coins: the standard error of the mean is 0.5 / sqrt(100) = 0.05, and 95% lie within 1.96 times that.
    interval = interval_of_mean(HALVES)
    assert (interval.low, interval.high) == pytest.approx((0.5 - 1.96 * 0.05, 0.5 + 1.96 * 0.05), abs=0.011)


def test_what_all_questions_agree_on_is_certain():
    interval = interval_of_mean(np.full(5, 0.25))
    assert (interval.low, interval.high) == (0.25, 0.25)


def test_one_question_has_an_interval_of_no_width():
    interval = interval_of_mean(np.array([0.25]))
    assert (interval.low, interval.high) == (0.25, 0.25)


def test_the_interval_is_that_of_plain_resampling_with_the_same_seed():
    values = np.arange(20) / 20
    rng = np.random.default_rng(5)
    means = np.concatenate([values[rng.integers(0, 20, (500, 20))].mean(axis=1) for _ in range(20)])
    interval = interval_of_mean(values, seed=5)
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=1e-12)


def test_the_same_scores_give_the_same_interval():
    assert interval_of_mean(HALVES) == interval_of_mean(HALVES)
    assert interval_of_mean(HALVES, seed=1) != interval_of_mean(np.roll(HALVES, 1) * 0.9, seed=1)


def test_three_questions_have_eight_ways_of_signs():
    # All three are better by 0.1: of the 8 sign patterns, only +++ and --- are as far from 0.
    assert sign_flip_p(np.array([0.1, 0.1, 0.1])) == 2 / 8


def test_a_question_without_a_difference_says_nothing():
    assert sign_flip_p(np.array([0.1, 0.0, 0.1, 0.1, 0.0])) == 2 / 8


def test_no_difference_at_all_has_p_1():
    assert sign_flip_p(np.zeros(20)) == 1


def test_one_differing_question_is_no_evidence_of_a_difference():
    assert sign_flip_p(np.array([0.0, 0.3, 0.0])) == 1


def test_forty_questions_that_all_gain_are_beyond_what_draws_can_tell():
    # Exactly 2 / 2^40; none of 10,000 draws is as far from 0.
    assert sign_flip_p(np.full(40, 0.1)) == pytest.approx(1 / 10_001)


def test_draws_come_close_to_the_exact_p():
    # 14 differences, 10 up and 4 down: 10 or more, or 4 or fewer, heads of 14 coins are as far from 0.
    exact = 2 * (1001 + 364 + 91 + 14 + 1) / 2**14
    assert sign_flip_p(np.array([0.1] * 10 + [-0.1] * 4)) == pytest.approx(exact, abs=0.015)


def test_a_difference_says_its_size_its_interval_and_who_gains():
    before = np.array([0.2, 0.4, 0.6, 0.8])
    difference = paired_difference(before, before + np.array([0.3, -0.1, 0.0, 0.2]))
    assert difference.mean == pytest.approx((0.3 - 0.1 + 0.0 + 0.2) / 4)
    assert (difference.n_better, difference.n_worse) == (2, 1)
    assert -0.1 <= difference.interval.low < difference.mean < difference.interval.high <= 0.3
    # Of the 8 ways to sign 0.3, 0.1 and 0.2, those with |sum| >= 0.4 are 0.6, 0.4 and their opposites.
    assert difference.p == 4 / 8
