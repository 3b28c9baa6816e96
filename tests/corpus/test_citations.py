"""Citation percentiles within a year."""

import numpy as np
import pytest

from pathfinder.corpus.paper_columns import citation_percentiles

NAN = np.nan


@pytest.mark.parametrize(
    ("years", "counts", "ranks", "expected"),
    [
        # In 2020: of 0, 7, 7 and 9 citations, 1, 3, 3 and 4 of the 4 papers have no more.
        ([2020, 2020, 2019, 2020, 2020], [7, 0, 500, 9, 7], [NAN] * 5, [3 / 4, 1 / 4, 1, 1, 3 / 4]),
        # Papers without a year or a count have none and do not count.
        ([2020, 2020, NAN, 2020], [5, NAN, 9, 6], [NAN] * 4, [1 / 2, NAN, NAN, 1]),
        # Ranks 0, 10 and 99 in 1995: the first is cited at least as much as all 3, the last only as much as itself.
        ([1995, 1995, 1995, 1996], [NAN] * 4, [10, 0, 99, 99], [2 / 3, 1, 1 / 3, 1]),
        # By counts, the first is the lower of the two; by ranks, it would be the higher.
        ([1995, 1995, 1995], [1, 2, NAN], [0, 1, 2], [1 / 2, 1, 1 / 3]),
        ([], [], [], []),
    ],
)
def test_the_percentile_is_the_share_of_its_year_with_as_many_citations_or_fewer(years, counts, ranks, expected):
    shares = citation_percentiles(np.array(years), np.array(counts), np.array(ranks))
    np.testing.assert_array_equal(shares, expected)
