import numpy as np
import pytest

from pathfinder.landscape.density import Extent
from pathfinder.landscape.drawing import terrain

SQUARE = Extent(left=0, right=10, bottom=0, top=10)


def crowd(x, y, n, spread=0.3, seed=0):
    return np.random.default_rng(seed).normal([x, y], spread, size=(n, 2)).astype(np.float32)


def test_bands_rise_from_the_sea_to_the_mountains_and_begin_at_nothing():
    lows = [band.low for band in terrain.BANDS]
    assert lows == sorted(set(lows))
    assert lows[0] == 0
    assert [band.name for band in terrain.BANDS] == ["sea", "coast", "plains", "hills", "mountains"]


def test_a_crowd_is_a_mountain_and_the_empty_corner_is_sea():
    heights = terrain.height(crowd(3, 7, 500), SQUARE, 100)
    assert heights[30, 30] > terrain.HILLS_TO
    assert heights[95, 95] < terrain.SEA_LEVEL
    assert (heights.min(), heights.max()) == pytest.approx((0, 1), abs=0.02)


def test_more_papers_are_higher_land():
    heights = terrain.height(np.vstack([crowd(3, 5, 500), crowd(7, 5, 60, seed=1)]), SQUARE, 100)
    assert heights[50, 30] > heights[50, 70] > heights[50, 95]


def test_level_ground_and_the_sea_have_the_flat_shade():
    assert (terrain.shade(np.full((5, 5), 0.8)) == terrain.FLAT).all()
    bumpy_sea_floor = np.random.default_rng(0).uniform(0, terrain.SEA_LEVEL, size=(5, 5))
    assert (terrain.shade(bumpy_sea_floor) == terrain.FLAT).all()


def test_light_comes_from_the_north_west():
    rising_to_the_south_east = np.add.outer(np.arange(9), np.arange(9)) / 16
    lit, dark = terrain.shade(rising_to_the_south_east), terrain.shade(rising_to_the_south_east[::-1, ::-1])
    assert lit[6, 6] > terrain.FLAT > dark[2, 2]
    assert (lit.min() >= 0, lit.max() <= 255) == (True, True)


def test_a_slope_that_faces_the_light_is_as_bright_as_can_be():
    # Rising by 1 to each of south and east, times 1 / (2 z) = 0.7071: its normal is the direction of the light.
    side = 9
    climb = 1 / 1.4142 / (terrain.EXAGGERATION * side)
    slope = 1 + climb * np.add.outer(np.arange(side), np.arange(side))
    assert terrain.shade(slope)[4, 4] == pytest.approx(255, abs=0.1)
