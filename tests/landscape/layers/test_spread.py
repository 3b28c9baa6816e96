import numpy as np

from pathfinder.landscape.statistics.significance import around_papers, spread

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
