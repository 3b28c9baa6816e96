import numpy as np
import pytest

from pathfinder.landscape.density import Grid, basin_of, basins, densities, grid_over, map_extent, peaks


def test_everybody_climbs_to_the_next_peak():
    heights = np.array([[1.0, 3.0, 1.0, 0.5, 2.0, 5.0]])
    assert basins(heights).tolist() == [1, 1, 1, 5, 5, 5]


def test_a_plateau_has_one_peak():
    assert basins(np.full((3, 3), 0.7)).tolist() == [0] * 9


def test_the_sea_belongs_to_nobody():
    assert basins(np.array([[0.0, 0.001, 0.5, 1.0]])).tolist() == [-1, -1, 3, 3]
    assert basins(np.zeros((2, 2))).tolist() == [-1] * 4


def test_a_peak_at_the_edge_is_not_climbed_from_the_other_edge():
    heights = np.array([[9.0, 1.0, 5.0], [1.0, 1.0, 1.0], [4.0, 1.0, 1.0]])
    assert basins(heights).tolist()[0] == 0
    assert basins(heights).tolist()[2] == 2
    assert basins(heights).tolist()[6] == 6


def two_crowds():
    rng = np.random.default_rng(0)
    crowds = [rng.normal([2, 2], 0.3, size=(300, 2)), rng.normal([8, 4], 0.3, size=(100, 2))]
    return np.vstack(crowds).astype(np.float32)


def test_two_crowds_have_two_broad_peaks_the_larger_first_and_papers_belong_to_theirs():
    places = two_crowds()
    grid = grid_over(map_extent(places))
    broad = densities(places, grid)["broad"]
    first, second = peaks(broad, grid, "broad")
    assert (first.x, first.y) == pytest.approx((2, 2), abs=0.3)
    assert (second.x, second.y) == pytest.approx((8, 4), abs=0.3)
    assert first.height == 1 > second.height > 0
    of = basin_of(places, grid, broad)
    assert len(set(of[:300])) == len(set(of[300:])) == 1
    assert of[0] != of[300]


def test_a_finer_scale_has_more_peaks_and_every_density_ends_at_one():
    places = np.random.default_rng(1).uniform(0, 10, size=(2000, 2)).astype(np.float32)
    grid = grid_over(map_extent(places))
    smooth = densities(places, grid)
    counts = [len(peaks(smooth[scale], grid, scale)) for scale in ("broad", "medium", "fine")]
    assert counts[0] < counts[1] < counts[2]
    for density in smooth.values():
        assert density.shape == (4 * grid.n_rows, 4 * grid.n_columns)
        assert (density.min() >= 0, density.max()) == (True, 1)


def test_the_top_of_the_map_comes_first():
    grid = Grid(map_extent(np.array([[0, 0], [10, 10]], dtype=np.float32)), 96, 96)
    (top,) = peaks(densities(np.array([[5, 9.5]] * 9, dtype=np.float32), grid)["fine"], grid, "fine")
    assert (top.x, top.y) == pytest.approx((5, 9.5), abs=0.1)
