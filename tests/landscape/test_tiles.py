import io

import numpy as np
import pytest
from PIL import Image

from pathfinder.landscape.data.landscape import N_TILE_ZOOMS, TILE_PIXELS
from pathfinder.landscape.density import Extent, map_extent
from pathfinder.landscape.drawing import terrain
from pathfinder.landscape.drawing.terrain import N_TILES, SHADE_LEVELS, draw_tiles, square_around

pytestmark = pytest.mark.build  # a part of a corpus is drawn or laid out in nearly every test

PLACES = np.random.default_rng(0).normal([2, 1], [2, 0.7], size=(400, 2)).astype(np.float32)
DENSITY, SHADE, HEIGHT = range(3)


@pytest.fixture(scope="module")
def tiles():
    return list(draw_tiles(PLACES, map_extent(PLACES)))


def pixels(tile):
    return np.asarray(Image.open(io.BytesIO(tile)))


def mosaic(tiles, zoom):
    """All tiles of one zoom in one picture."""
    n, first = 2**zoom, (4**zoom - 1) // 3
    lines = [np.hstack([pixels(tile) for tile in tiles[first + y * n : first + (y + 1) * n]]) for y in range(n)]
    return np.vstack(lines)


def test_the_square_has_the_middle_and_the_long_side_of_the_extent():
    assert square_around(Extent(left=0, right=10, bottom=2, top=4)) == Extent(left=0, right=10, bottom=-2, top=8)
    assert square_around(Extent(left=0, right=2, bottom=0, top=6)) == Extent(left=-2, right=4, bottom=0, top=6)


def test_there_is_one_tile_then_four_up_to_256(tiles):
    assert len(tiles) == N_TILES == sum(4**zoom for zoom in range(N_TILE_ZOOMS)) == 341
    assert {pixels(tile).shape for tile in tiles[::50]} == {(TILE_PIXELS, TILE_PIXELS, 3)}


def test_the_same_papers_draw_the_same_bytes(tiles):
    assert list(draw_tiles(PLACES, map_extent(PLACES))) == tiles


def test_the_densest_place_is_at_the_same_share_of_the_square_at_every_zoom(tiles):
    square = square_around(map_extent(PLACES))
    x = (2 - square.left) / (square.right - square.left)
    y = (square.top - 1) / (square.top - square.bottom)
    for zoom in (0, 1, 3):
        picture = mosaic(tiles, zoom)[..., HEIGHT]
        rows, columns = np.nonzero(picture >= 0.95 * picture.max())
        assert (columns.mean() / len(picture), rows.mean() / len(picture)) == pytest.approx((x, y), abs=0.06)


def test_tiles_meet_without_a_seam(tiles):
    for zoom in (2, 3):
        picture = mosaic(tiles, zoom).astype(int)
        steps = np.abs(np.diff(picture[..., HEIGHT], axis=1))
        assert steps[:, TILE_PIXELS - 1 :: TILE_PIXELS].max() <= steps.max()
        assert steps[:, TILE_PIXELS - 1 :: TILE_PIXELS].mean() < 3 * steps.mean() + 0.1


def test_where_nobody_works_there_is_no_density_and_the_sea_is_level(tiles):
    sea = mosaic(tiles, 2)[:8, :8]
    assert sea[..., DENSITY].max() == 0
    assert sea[..., HEIGHT].max() < terrain.SEA_LEVEL * 255
    assert np.abs(sea[..., SHADE].astype(int) - terrain.FLAT).max() <= 255 / SHADE_LEVELS / 2
