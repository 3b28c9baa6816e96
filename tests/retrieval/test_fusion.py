import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pathfinder.retrieval.fusion import fuse, min_max, reciprocal_ranks
from pathfinder.types import Fusion

MISS = np.nan


def test_min_max_counts_from_the_lowest_score_of_the_corpus():
    stretched = min_max(np.array([0.8, 0.5, 0.2]), low=-0.2)
    assert stretched == pytest.approx([1.0, 0.01 + 0.99 * 0.7 / 1.0, 0.01 + 0.99 * 0.4 / 1.0])


def test_the_worst_hit_stands_above_a_paper_that_was_not_found():
    worst, miss = min_max(np.array([3.0, 1.0, MISS]), low=1.0)[1:]
    assert (worst, miss) == (0.01, 0.0)


def test_a_constant_list_becomes_one():
    assert min_max(np.array([0.4, 0.4, MISS]), low=0.4).tolist() == [1.0, 1.0, 0.0]


def test_an_empty_list_stays_empty():
    empty = np.empty(0)
    assert len(fuse(empty, empty, 0.0)) == 0


def test_dense_counts_six_tenths_and_sparse_four():
    fused = fuse(np.array([0.9, 0.4]), np.array([MISS, 7.0]), lowest_cosine=-0.1)
    first = 0.6 * 1.0 + 0.4 * 0.0
    second = 0.6 * (0.01 + 0.99 * 0.5 / 1.0) + 0.4 * 1.0
    assert fused == pytest.approx([first / second, 1.0])


def test_another_share_of_meaning_can_be_tried():
    dense, sparse = np.array([0.9, MISS]), np.array([MISS, 7.0])
    assert fuse(dense, sparse, -0.1, dense_share=0.75).tolist() == pytest.approx([1.0, 0.25 / 0.75])
    assert fuse(dense, sparse, -0.1, dense_share=0.0).tolist() == [0.0, 1.0]


def test_a_share_for_the_side_that_found_nothing_leaves_nothing():
    nothing = np.array([MISS, MISS])
    assert fuse(nothing, nothing, 0.0, dense_share=1.0).tolist() == [0.0, 0.0]
    assert fuse(np.array([0.9, 0.4]), nothing, -0.1, dense_share=0.0).tolist() == [0.0, 0.0]


def test_a_side_that_found_nothing_gives_its_weight_to_the_other():
    cosines, nothing = np.array([0.9, 0.4]), np.array([MISS, MISS])
    assert fuse(cosines, nothing, lowest_cosine=-0.1) == pytest.approx([1.0, 0.01 + 0.99 * 0.5])
    assert fuse(nothing, np.array([4.0, 1.0]), lowest_cosine=0.0) == pytest.approx([1.0, 0.01 + 0.99 * 0.25])


def test_reciprocal_ranks_count_from_the_best():
    assert reciprocal_ranks(np.array([0.2, 0.7, MISS])) == pytest.approx([1 / 62, 1 / 61, 0])


def test_reciprocal_rank_fusion_adds_both_ranks():
    fused = fuse(np.array([0.9, 0.4]), np.array([MISS, 7.0]), -0.1, Fusion.RECIPROCAL_RANK)
    assert fused == pytest.approx([(1 / 61) / (1 / 62 + 1 / 61), 1.0])


scores = arrays(np.float64, 6, elements=st.floats(-0.2, 1.0))


@given(dense=scores, gain=st.floats(0.01, 0.5), place=st.integers(0, 5))
def test_a_better_match_never_ranks_a_paper_lower(dense, gain, place):
    better = dense.copy()
    better[place] += gain
    nothing = np.full(6, MISS)

    def above(cosines):
        fused = fuse(cosines, nothing, lowest_cosine=-0.2)
        return int((fused > fused[place]).sum())

    assert above(better) <= above(dense)
