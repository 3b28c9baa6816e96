import numpy as np
import pytest

from pathfinder.landscape.dashes import pieces


@pytest.mark.parametrize("line", [[(0, 0)], [(1, 1), (1, 1)]])
def test_a_line_that_leads_nowhere_is_one_piece(line):
    (piece,) = pieces(np.array(line, dtype=np.float64), [2.0, 1.0])
    assert piece.tolist() == [list(point) for point in line]


def test_a_solid_line_is_one_piece():
    line = np.array([[0.0, 0.0], [5.0, 0.0], [5.0, 5.0]])
    (piece,) = pieces(line, [])
    assert piece is line


def test_what_is_drawn_and_what_is_left_out_take_turns_and_go_round_corners():
    # Five to the right and five up: drawn from 0 to 3, from 4 to 7, round the corner at 5, and from 8 to 10.
    line = np.array([[0.0, 0.0], [5.0, 0.0], [5.0, 5.0]])
    found = [piece.tolist() for piece in pieces(line, [3.0, 1.0])]
    assert found == [[[0, 0], [3, 0]], [[4, 0], [5, 0], [5, 2]], [[5, 3], [5, 5]]]
