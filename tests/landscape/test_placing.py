import numpy as np
import pytest

from pathfinder.index.neighbours import nearest_among
from pathfinder.landscape.projection.projection import geometric_medians, place_papers
from tests.landscape.test_projection import topics

E1, E2, E3 = np.eye(3, dtype=np.float32)


def unit(*xs):
    return (np.array(xs) / np.linalg.norm(xs)).astype(np.float32)


@pytest.mark.parametrize("k", [0, 3])
def test_more_neighbours_than_there_are_papers_are_refused(k):
    with pytest.raises(ValueError, match=r"k must lie in 1\.\.2"):
        nearest_among(np.array([E1]), np.array([E1, E2]), k)


def test_no_new_papers_take_no_place():
    places = place_papers(np.array([E1, E2]), np.zeros((2, 2), np.float32), np.empty((0, 3), np.float32))
    assert (places.shape, places.dtype) == ((0, 2), np.float32)


def test_a_paper_that_is_like_nobody_still_has_a_place_among_them():
    places = place_papers(np.array([E1, E1]), np.array([[0, 0], [2, 2]], np.float32), np.array([E3]))
    assert (places >= 0).all()
    assert (places <= 2).all()


def test_a_copy_of_a_paper_lies_beside_it():
    vectors = topics(4, 80)
    coordinates = np.random.default_rng(0).normal(size=(80, 2)).astype(np.float32)
    (place,) = place_papers(vectors, coordinates, vectors[7:8])
    nearest = np.argmin(np.linalg.norm(coordinates - place, axis=1))
    assert nearest % 4 == 7 % 4


def test_the_more_similar_paper_pulls_more():
    coordinates = np.array([[0, 0], [10, 0]], dtype=np.float32)
    ((x, y),) = place_papers(np.array([E1, E2]), coordinates, np.array([unit(2, 1, 0)]))
    assert x < 5
    assert y == 0


def test_a_paper_between_two_groups_joins_the_larger_and_not_the_sea_between_them():
    coordinates = np.array([[0, 0]] * 4 + [[0.1, 0.1]] * 2 + [[10, 0]] * 4, dtype=np.float32)
    vectors = np.array([E1] * 6 + [E2] * 4)
    ((x, _),) = place_papers(vectors, coordinates, np.array([unit(1, 1, 0)]))
    # The mean would be 0.6 x 0 + 0.4 x 10 = 4.
    assert x < 0.2


def test_new_papers_never_widen_the_map():
    vectors = topics(5, 300)
    coordinates = np.random.default_rng(0).normal(size=(200, 2)).astype(np.float32)
    places = place_papers(vectors[:200], coordinates, vectors[200:])
    assert (places.min(axis=0) >= coordinates.min(axis=0)).all()
    assert (places.max(axis=0) <= coordinates.max(axis=0)).all()


def test_the_geometric_median_of_a_triangle_is_where_it_sees_its_sides_under_120_degrees():
    # Fermat's point of an equilateral triangle is its middle.
    triangle = np.array([[[0, 0], [1, 0], [0.5, 3**0.5 / 2]]])
    assert geometric_medians(triangle, np.ones((1, 3))) == pytest.approx(np.array([[0.5, 3**0.5 / 6]]), abs=1e-6)


def test_a_point_of_more_than_half_the_weight_holds_the_geometric_median():
    points = np.array([[[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]])
    assert geometric_medians(points, np.array([[3.0, 1.0, 1.0]])) == pytest.approx(np.zeros((1, 2)), abs=0.01)
