import numpy as np
import pytest

from pathfinder.landscape.frame import frame_of
from pathfinder.landscape.ground_picture import channels, ground
from pathfinder.landscape.palettes import COLOURS, HEIGHT, SHADE, lookup
from pathfinder.landscape.scene import Ground, Palette, View
from tests.landscape.charts import EAST, EXTENT, WEST, atlas


def height_at(view: View, x: float, y: float, width: int = 400, height: int = 200) -> float:
    """What the picture shows at a place of the map, [0, 1]."""
    frame = frame_of(EXTENT, view, width, height)
    ((column, line),) = frame.pixels(np.array([[x, y]]))
    return float(channels(atlas(), frame)[int(line), int(column), HEIGHT]) / 255


@pytest.mark.parametrize("zoom", [0.0, 1.0, 2.5, 4.0, 6.0])
@pytest.mark.parametrize("middle", [WEST, EAST])
def test_what_is_drawn_at_a_place_is_what_the_tiles_have_there(zoom, middle):
    x, y = middle
    view = View(x, y, zoom)
    # The land falls by a third with every unit; a quarter of what is seen away from the top is still in sight.
    away = 4.0 / 2**zoom
    assert height_at(view, x, y) == pytest.approx(1.0, abs=0.03)
    assert height_at(view, x + away * 0.45, y) == pytest.approx(max(1 - away * 0.15, 0), abs=0.03)


def test_beyond_the_tiles_there_is_nobody():
    frame = frame_of(EXTENT, View(0.0, 4.0, 0.0), 400, 200)
    drawn = channels(atlas(), frame)
    # The left half lies beyond the map's square, whose left edge is at x = 0.
    assert (drawn[:, :199, HEIGHT] == 0).all()
    assert (drawn[:, :199, SHADE] == 128).all()
    assert drawn[100, 300, HEIGHT] > 200


def test_a_view_of_nothing_but_sea_is_drawn():
    frame = frame_of(EXTENT, View(500.0, 500.0, 3.0), 300, 200)
    assert (channels(atlas(), frame)[..., HEIGHT] == 0).all()


def test_the_ground_is_painted_with_the_table():
    colours = COLOURS[Ground.RELIEF, Palette.STANDARD]
    picture = ground(atlas(), frame_of(EXTENT, None, 400, 200), colours)
    assert picture.size == (400, 200)
    assert picture.getpixel((200, 100)) == tuple(lookup(colours)[0])
