import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.errors import UsageError
from pathfinder.retrieval.explanation.comparison import compare, kendall_tau, rank_biased_overlap
from pathfinder.retrieval.weighting import reweigh, weigh
from pathfinder.types import CorpusName, SearchRequest, SearchResult, Weighting
from tests.retrieval.test_weighting import pool

CORPUS = CorpusName("here", "0" * 12, 3)


def result(candidates, weighting=None, top_k=2, corpus=CORPUS):
    request = SearchRequest("stars", top_k=top_k, weighting=weighting or Weighting())
    return SearchResult(request, corpus, candidates, weigh(candidates, request.weighting, top_k), (), ())


def test_shifts_hold_new_dropped_and_moved_papers():
    before = result(pool(fused=[1.0, 0.9, 0.8], age_years=[30.0, 4.0, 0.0]))
    after = reweigh(before, Weighting(recency=1))
    comparison = compare(before, after)
    # c: log(0.85) + log(1.05) = -0.11; b: log(0.95) + log(0.05 + 0.81) = -0.21; a: log(1.05) + log(0.05) = -2.9.
    assert [(shift.paper.paper_id, shift.left, shift.right) for shift in comparison.shifts] == [
        ("c", None, 1),
        ("b", 2, 2),
        ("a", 1, None),
    ]
    assert [shift.paper.paper_id for shift in comparison.new] == ["c"]
    assert [shift.paper.paper_id for shift in comparison.dropped_papers] == ["a"]
    assert (comparison.new[0].left_in_pool, comparison.dropped_papers[0].right_in_pool) == (3, 3)
    assert comparison.overlap == 0.5
    assert comparison.kendall_tau is None
    assert comparison.description.startswith("1 of 2 papers shared, 1 new, 1 dropped · rank-biased overlap 0.")


def test_a_result_compared_with_itself_is_the_same():
    search_result = result(pool(), top_k=3)
    comparison = compare(search_result, search_result)
    assert (comparison.overlap, comparison.rank_biased_overlap, comparison.kendall_tau) == (
        1.0,
        pytest.approx(1.0),
        1.0,
    )
    assert all(shift.left == shift.right for shift in comparison.shifts)


def test_lists_of_different_length_are_compared_over_the_longer():
    comparison = compare(result(pool(), top_k=1), result(pool(), top_k=3))
    assert (comparison.k, comparison.overlap) == (3, pytest.approx(1 / 3))


def test_results_of_different_corpora_are_not_compared():
    with pytest.raises(UsageError, match="the same corpus"):
        compare(result(pool()), result(pool(), corpus=CorpusName("there", "1" * 12, 3)))


def test_kendalls_tau_counts_pairs():
    # Of 1 2 3 in the order 1 3 2, two pairs keep their order and one is turned round: (2 - 1) / 3.
    assert kendall_tau([1, 2, 3], [1, 3, 2]) == pytest.approx(1 / 3)
    assert kendall_tau([1, 2], [2, 1]) == -1
    assert kendall_tau([1], [1]) is None


def test_rank_biased_overlap_of_two_lists_worked_out_by_hand():
    # Agreement 0/1, 2/2 at depth 2; p = 0.9: 0.1/0.9 * (0 + 0.81) + 1 * 0.81 = 0.9.
    assert rank_biased_overlap([1, 2], [2, 1]) == pytest.approx(0.1 / 0.9 * 0.81 + 0.81)
    assert rank_biased_overlap([1, 2], [3, 4]) == 0
    assert rank_biased_overlap([], [1]) is None


@given(first=st.permutations(range(8)), other=st.permutations(range(8)), short=st.integers(1, 8))
def test_rank_biased_overlap_is_symmetric_and_a_share(first, other, short):
    value = rank_biased_overlap(first[:short], other)
    assert value == pytest.approx(rank_biased_overlap(other, first[:short]))
    assert 0 <= value <= 1 + 1e-12
    assert rank_biased_overlap(first, first[:short]) == pytest.approx(1)
