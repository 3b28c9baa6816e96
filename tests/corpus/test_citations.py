"""Citation percentiles within a year."""

import numpy as np

from pathfinder.corpus.paper_columns import citation_percentiles

NAN = np.nan


def percentiles(years: list[float], counts: list[float], ranks: list[float]) -> list[float]:
    return citation_percentiles(np.array(years), np.array(counts), np.array(ranks)).tolist()


def test_the_percentile_is_the_share_of_its_year_with_as_many_citations_or_fewer():
    # In 2020: of 0, 7, 7 and 9 citations, 1, 3, 3 and 4 of the 4 papers have no more.
    shares = percentiles([2020, 2020, 2019, 2020, 2020], [7, 0, 500, 9, 7], [NAN] * 5)
    assert shares == [3 / 4, 1 / 4, 1, 1, 3 / 4]


def test_papers_without_a_year_or_a_count_have_none_and_do_not_count():
    shares = percentiles([2020, 2020, NAN, 2020], [5, NAN, 9, 6], [NAN] * 4)
    np.testing.assert_array_equal(shares, [1 / 2, NAN, NAN, 1])


def test_a_rank_stands_in_for_a_count_among_the_ranks_of_the_year():
    # Ranks 0, 10 and 99 in 1995: the first is cited at least as much as all 3, the last only as much as itself.
    shares = percentiles([1995, 1995, 1995, 1996], [NAN] * 4, [10, 0, 99, 99])
    np.testing.assert_array_equal(shares, [2 / 3, 1, 1 / 3, 1])


def test_a_count_goes_before_a_rank():
    # By counts, the first is the lower of the two; by ranks, it would be the higher.
    shares = percentiles([1995, 1995, 1995], [1, 2, NAN], [0, 1, 2])
    np.testing.assert_array_equal(shares, [1 / 2, 1, 1 / 3])


def test_no_papers_have_no_percentiles():
    assert percentiles([], [], []) == []
