from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.addons.evaluation.judged import (
    Mean,
    context_precision,
    context_relevancy,
    corpus_wide_ndcg,
    has_relevant,
    mean_over,
    self_normalised_ndcg,
)

GRADES = st.lists(st.none() | st.integers(0, 2), max_size=12)


def test_a_question_that_nothing_was_found_for_has_zero_and_one_that_nothing_was_judged_of_has_none():
    assert (context_relevancy([]), context_precision([])) == (0, 0)
    assert (context_relevancy([None, None]), context_precision([None])) == (None, None)
    assert (self_normalised_ndcg([], 10), corpus_wide_ndcg([], {}, {"a": 1}, 10)) == (0, 0)
    assert (self_normalised_ndcg([None], 10), corpus_wide_ndcg(["a"], {"a": None}, {"a": 1}, 10)) == (None, None)
    assert (has_relevant([], 10), has_relevant([None], 10)) == (0, None)


def test_a_judgement_that_failed_is_left_out_and_not_scored_zero():
    # Two of the three that were judged, not two of four.
    assert context_relevancy([True, None, False, True]) == 2 / 3
    # (1/2 + 0/1) / 2, not / 3.
    assert context_precision([(True, False), None, (False,)]) == 1 / 4
    # The list closes the gap: 2 and 1 are in their best order.
    assert self_normalised_ndcg([2, None, 1], 10) == 1


def test_a_context_without_a_sentence_has_precision_zero():
    assert context_precision([(), (True,)]) == 1 / 2


def test_the_outer_mean_runs_over_questions():
    # (1/2) * ((1/1) * 1 + (1/4) * 1): a mean over the five contexts would be 2/5.
    assert mean_over([context_relevancy([True]), context_relevancy([True, False, False, False])]) == Mean(5 / 8, 2)
    assert mean_over([0.5, None]) == Mean(0.5, 1)
    assert mean_over([None]) == mean_over([]) == Mean(None, 0)


def test_judged_recall_is_a_hit_rate_over_the_first_k():
    assert has_relevant([0, 0, 1], 3) == 1
    assert has_relevant([0, 0, 1], 2) == 0
    assert has_relevant([0, None, 1], 2) is None
    assert has_relevant([2, None, None], 3) == 1


def test_the_self_normalised_ideal_knows_only_what_was_found():
    dcg = 0 / log2(2) + 1 / log2(3) + 2 / log2(4)
    assert self_normalised_ndcg([0, 1, 2], 10) == pytest.approx(dcg / (2 / log2(2) + 1 / log2(3)))
    assert self_normalised_ndcg([1], 10) == 1
    assert self_normalised_ndcg([0, 0], 10) == 0


def test_the_ideal_of_a_cut_list_may_hold_what_lies_behind_the_cut():
    assert self_normalised_ndcg([1, 2], 1) == 1 / 2


def test_the_corpus_wide_ideal_knows_what_was_missed():
    # "a" was found, "b" from another method is better, and the collection itself says that "c" is useful.
    dcg = 1 / log2(2)
    ideal = 2 / log2(2) + 1 / log2(3) + 1 / log2(4)
    grades = {"a": 1, "b": 2, "x": None}
    assert corpus_wide_ndcg(["a"], grades, {"c": 1, "a": 2, "d": -1}, 10) == pytest.approx(dcg / ideal)
    assert corpus_wide_ndcg(["a"], {"a": 0}, {}, 10) == 0


@given(GRADES, st.integers(1, 12))
def test_every_measure_lies_in_0_to_1(grades, k):
    ids = [f"d{place}" for place in range(len(grades))]
    values = [
        has_relevant(grades, k),
        self_normalised_ndcg(grades, k),
        corpus_wide_ndcg(ids, dict(zip(ids, grades, strict=True)), {"d0": 1, "missed": 2}, k),
        context_relevancy([None if grade is None else grade > 0 for grade in grades]),
    ]
    assert all(value is None or 0 <= value <= 1 + 1e-12 for value in values)
