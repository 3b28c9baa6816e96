import numpy as np

from pathfinder.landscape.density import Extent, Grid, grid_over

GRID = Grid(Extent(left=0, right=4, bottom=0, top=2), n_rows=2, n_columns=4)


def test_cells_are_numbered_by_line_from_the_top_left():
    places = np.array([[0.5, 1.5], [3.5, 1.5], [0.5, 0.5], [3.5, 0.5]], dtype=np.float32)
    assert GRID.cell_of(places).tolist() == [0, 3, 4, 7]


def test_a_place_on_the_edge_or_beyond_it_is_in_the_cell_next_to_it():
    places = np.array([[4, 2], [9, -9], [-1, 3]], dtype=np.float32)
    assert GRID.cell_of(places).tolist() == [3, 7, 0]


def test_the_centre_of_a_cell_is_in_that_cell():
    centres = np.array([GRID.centre(cell) for cell in range(8)], dtype=np.float32)
    assert GRID.cell_of(centres).tolist() == list(range(8))
    assert np.array_equal(GRID.centres(), [GRID.centre(cell) for cell in range(8)])
    assert GRID.centres(np.array([7])).tolist() == [[3.5, 0.5]]


def test_papers_are_counted_where_they_lie():
    assert GRID.count(np.array([0, 0, 7])).tolist() == [[2, 0, 0, 0], [0, 0, 0, 1]]


def test_cells_are_square_and_there_is_one_at_least():
    assert grid_over(Extent(0, 20, 0, 10), long_side=40) == Grid(Extent(0, 20, 0, 10), 20, 40)
    assert grid_over(Extent(0, 1000, 0, 1), long_side=40).n_rows == 1
