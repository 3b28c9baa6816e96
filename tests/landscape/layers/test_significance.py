from math import comb

import numpy as np
import pytest

from pathfinder.landscape.statistics.significance import (
    around_papers,
    benjamini_hochberg,
    excess,
    radius_for,
    spread,
    window_sums,
)


def test_a_corpus_without_any_of_it_has_nothing_to_test():
    tested = excess(np.zeros((2, 2)), np.full((2, 2), 9.0))
    assert np.isnan(tested.p).all()
    assert not tested.is_significant.any()


def test_a_cell_without_papers_is_not_tested():
    tested = excess(np.array([[1.0, 0.0]]), np.array([[2.0, 0.0]]), radius=0)
    assert tested.p.tolist()[0][0] == 1.0
    assert np.isnan([tested.p[0, 1], tested.q[0, 1], tested.ratio[0, 1]]).all()


def test_the_probability_is_the_exact_hypergeometric_tail():
    # All 2 of 2 wanted papers are among the 3 of one cell, of 10: 3 of the 45 pairs lie there.
    tested = excess(np.array([[2.0, 0.0]]), np.array([[3.0, 7.0]]), radius=0)
    assert tested.p[0].tolist() == pytest.approx([comb(3, 2) / comb(10, 2), 1.0])
    assert tested.ratio[0].tolist() == pytest.approx([(2 / 3) / (2 / 10), 0.0])


def test_the_correction_is_that_of_benjamini_and_hochberg():
    # 4 tests: 0.01 * 4 / 1, 0.02 * 4 / 2, 0.03 * 4 / 3 = 0.04 each, and 0.9.
    q = benjamini_hochberg(np.array([0.02, 0.9, np.nan, 0.01, 0.03]))
    assert q == pytest.approx([0.04, 0.9, np.nan, 0.04, 0.04], nan_ok=True)


def test_squares_are_cut_off_at_the_edge():
    counts = np.arange(9.0).reshape(3, 3)
    assert window_sums(counts, 1).tolist() == [[8, 15, 12], [21, 36, 27], [20, 33, 24]]
    assert window_sums(counts, 0).tolist() == counts.tolist()


def test_squares_are_as_large_as_it_takes_and_no_larger():
    assert radius_for(np.full((20, 20), 30.0)) == 0
    assert radius_for(np.full((20, 20), 3.0)) == 1
    assert radius_for(np.full((20, 20), 0.01)) == 6


def test_scattered_papers_make_a_find_in_no_more_than_one_of_twenty_maps():
    lots = np.random.default_rng(7)
    all_ = lots.poisson(6.0, size=(20, 20)).astype(float)
    cells = np.repeat(np.arange(400), all_.ravel().astype(int))
    finds = 0
    for _ in range(100):
        some = np.bincount(lots.choice(cells, 150, replace=False), minlength=400).reshape(20, 20).astype(float)
        finds += excess(some, all_).is_significant.any()
    assert finds <= 8  # 5 are expected at most; 9 or more of 100 at a rate of 5% are rarer than 1 in 15


NAN = np.nan


def test_on_a_dense_map_nothing_is_spread():
    values = np.array([[0.5, NAN, NAN]])
    assert spread(values, 1) is values
    assert around_papers(np.array([[3.0, 0.0]]), 1).tolist() == [[True, False]]


def test_a_value_is_drawn_over_half_the_radius_and_the_highest_wins():
    radii = spread(np.array([[0.2, NAN, NAN, 0.9, NAN, NAN]]), 2)
    assert np.nan_to_num(radii, nan=-1).tolist() == [[0.2, 0.2, 0.9, 0.9, 0.9, -1]]


def test_what_is_drawn_is_round():
    around = around_papers(np.pad(np.ones((1, 1)), 2), 4)
    assert around.astype(int).tolist() == [
        [0, 0, 1, 0, 0],
        [0, 1, 1, 1, 0],
        [1, 1, 1, 1, 1],
        [0, 1, 1, 1, 0],
        [0, 0, 1, 0, 0],
    ]
