import numpy as np
import pytest

from pathfinder.retrieval.expansion.query_expansion import shift_towards

EAST, NORTH = np.array([1, 0], dtype=np.float32), np.array([0, 1], dtype=np.float32)


def test_without_hits_the_vector_is_unchanged():
    assert shift_towards(EAST, np.empty((0, 2), dtype=np.float32)) is EAST


def test_hits_that_cancel_the_question_leave_it_unchanged():
    # 0.6 (1, 0) + 0.4 (-1.5, 0) = 0
    assert shift_towards(EAST, np.array([[-1.5, 0]], dtype=np.float32)).tolist() == [1, 0]


def test_the_vector_moves_towards_the_mean_of_its_hits():
    # 0.6 (1, 0) + 0.4 mean((1, 0), (0, 1)) = (0.8, 0.2), of length sqrt(0.68)
    turned = shift_towards(EAST, np.stack([EAST, NORTH]))
    assert turned == pytest.approx(np.array([0.8, 0.2]) / np.sqrt(0.68), abs=1e-7)
    assert turned.dtype == np.float32


def test_hits_in_the_direction_of_the_question_leave_it_unchanged():
    assert shift_towards(EAST, np.stack([EAST] * 5)) == pytest.approx(EAST)
