from math import log2

import pytest

from pathfinder.evaluation.metrics import mean_scores, score_each

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
