import numpy as np
import pytest

from pathfinder.index import neighbours
from pathfinder.index.neighbours import nearest_neighbours


def test_neighbours_on_a_line():
    places = np.array([[0.0], [1.0], [3.0], [7.0]], dtype=np.float32)
    near, apart = nearest_neighbours(places, np.array([0, 2]), k=2)
    assert near.tolist() == [[1, 2], [1, 0]]
    assert apart.tolist() == [[1, 3], [2, 3]]


def test_a_copy_is_a_neighbour_and_the_paper_itself_is_not():
    near, apart = nearest_neighbours(np.array([[1.0, 0], [1, 0], [0, 1]], dtype=np.float32), np.array([0]), k=2)
    assert near.tolist() == [[1, 2]]
    assert apart[0].tolist() == pytest.approx([0, np.sqrt(2)])


def test_more_rows_than_one_block_give_what_all_at_once_gives():
    n = neighbours.BLOCK_ROWS + 500
    vectors = np.random.default_rng(0).normal(size=(n, 4)).astype(np.float32)
    rows = np.array([*range(neighbours.QUERY_ROWS + 3), n - 1])
    near, apart = nearest_neighbours(vectors, rows, k=3)
    naive = np.linalg.norm(vectors[rows, None].astype(np.float64) - vectors[None], axis=2)
    naive[np.arange(len(rows)), rows] = np.inf
    assert np.array_equal(near, np.argsort(naive, axis=1)[:, :3])
    assert apart == pytest.approx(np.sort(naive, axis=1)[:, :3], abs=1e-3)


@pytest.mark.parametrize("k", [0, 3])
def test_a_corpus_without_that_many_others_is_refused(k):
    with pytest.raises(ValueError, match=r"k must lie in 1\.\.2 for 3 vectors"):
        nearest_neighbours(np.eye(3, dtype=np.float32), np.array([0]), k)
