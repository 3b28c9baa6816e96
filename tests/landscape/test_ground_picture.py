import numpy as np
import pytest

from pathfinder.landscape.drawing.palettes import COLOURS, HEIGHT, SHADE, lookup
from pathfinder.landscape.drawing.scene import Ground, MapView, Palette
from pathfinder.landscape.drawing.viewport import fit_viewport
from pathfinder.landscape.picture_files.map_figure import channels, ground
from tests.landscape.planted_map import EAST, EXTENT, WEST, atlas


def height_at(view: MapView, x: float, y: float, width: int = 400, height: int = 200) -> float:
    """What the picture shows at a place of the map, [0, 1]."""
    viewport = fit_viewport(EXTENT, view, width, height)
    ((column, line),) = viewport.pixels(np.array([[x, y]]))
    return float(channels(atlas(), viewport)[int(line), int(column), HEIGHT]) / 255


@pytest.mark.parametrize("zoom", [0.0, 1.0, 2.5, 4.0, 6.0])
@pytest.mark.parametrize("middle", [WEST, EAST])
def test_what_is_drawn_at_a_place_is_what_the_tiles_have_there(zoom, middle):
    x, y = middle
    view = MapView(x, y, zoom)
    # The land falls by a third with every unit; a quarter of what is seen away from the top is still in sight.
    away = 4.0 / 2**zoom
    assert height_at(view, x, y) == pytest.approx(1.0, abs=0.03)
    assert height_at(view, x + away * 0.45, y) == pytest.approx(max(1 - away * 0.15, 0), abs=0.03)


def test_beyond_the_tiles_there_is_nobody():
    viewport = fit_viewport(EXTENT, MapView(0.0, 4.0, 0.0), 400, 200)
    picture = channels(atlas(), viewport)
    # The left half lies beyond the map's square, whose left edge is at x = 0.
    assert (picture[:, :199, HEIGHT] == 0).all()
    assert (picture[:, :199, SHADE] == 128).all()
    assert picture[100, 300, HEIGHT] > 200


def test_a_view_of_nothing_but_sea_is_drawn():
    viewport = fit_viewport(EXTENT, MapView(500.0, 500.0, 3.0), 300, 200)
    assert (channels(atlas(), viewport)[..., HEIGHT] == 0).all()


def test_the_ground_is_painted_with_the_table():
    colours = COLOURS[Ground.RELIEF, Palette.STANDARD]
    picture = ground(atlas(), fit_viewport(EXTENT, None, 400, 200), colours)
    assert picture.shape == (200, 400, 3)
    assert tuple(picture[100, 200]) == tuple(lookup(colours)[0])
