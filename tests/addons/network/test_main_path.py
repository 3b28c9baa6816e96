"""The main path of citations: the chain through which most chains pass."""

import math

from pathfinder.addons.network.network import main_path


def test_the_main_path_follows_the_citations_that_most_chains_pass() -> None:
    # 2 cites 0 and 1; 3 and 4 cite 2; 5 cites 1 alone. Chains from a start to an end: 0-2-3, 0-2-4, 1-2-3, 1-2-4, 1-5.
    # Each citation of 2 and each by 2 lies on two of them, that by 5 on one: 2 + 2 is the highest sum.
    years = [1990, 1991, 2000, 2010, 2011, 2012]
    path = main_path(years, [(2, 0), (2, 1), (3, 2), (4, 2), (5, 1)])
    assert len(path) == 3
    assert path[1] == 2
    assert (path[0] in (0, 1), path[2] in (3, 4)) == (True, True)


def test_a_longer_chain_of_equal_citations_is_the_main_one() -> None:
    assert main_path([1990, 1995, 2000, 2005], [(1, 0), (2, 1), (3, 2), (3, 0)]) == (0, 1, 2, 3)


def test_references_against_the_years_and_of_papers_without_a_year_are_left_out() -> None:
    # Two preprints that cite each other would close a circle.
    assert main_path([2000, 2000, 2010], [(0, 1), (1, 0), (2, 1)]) == (1, 2)
    assert main_path([2000, math.nan], [(1, 0)]) == ()
    assert main_path([], []) == ()
