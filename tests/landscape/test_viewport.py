import numpy as np
import pytest

from pathfinder.errors import UsageError
from pathfinder.landscape.density import Extent
from pathfinder.landscape.drawing.scene import MapView
from pathfinder.landscape.drawing.viewport import fit_viewport, view_of_region, whole_map
from pathfinder.types import Region

EXTENT = Extent(left=0.0, right=16.0, bottom=0.0, top=8.0)


@pytest.mark.parametrize(("width", "height"), [(199, 300), (300, 8001)])
def test_a_size_that_no_picture_has_is_refused(width, height):
    with pytest.raises(UsageError, match=r"of a picture must be 200 to 8000 pixels"):
        fit_viewport(EXTENT, None, width, height)


def test_at_first_the_whole_map_just_fits():
    # 16 units in 800 pixels are 50 a unit; 8 units in 600 pixels would be 75.
    viewport = fit_viewport(EXTENT, None, 800, 600)
    assert viewport.pixels_per_unit == 50
    assert viewport.visible == Extent(left=0.0, right=16.0, bottom=-2.0, top=10.0)


def test_each_zoom_halves_what_is_seen():
    viewport = fit_viewport(EXTENT, MapView(4.0, 4.0, 1.0), 800, 600)
    assert viewport.visible == Extent(left=0.0, right=8.0, bottom=1.0, top=7.0)


def test_places_run_to_the_right_and_down():
    viewport = fit_viewport(EXTENT, None, 800, 400)
    places = np.array([[0.0, 8.0], [16.0, 0.0], [8.0, 4.0]])
    assert viewport.pixels(places).tolist() == [[0, 0], [800, 400], [400, 200]]


def test_a_place_beyond_the_edge_is_not_held():
    viewport = fit_viewport(EXTENT, None, 800, 400)
    assert viewport.contains(np.array([[0.0, 0.0], [-0.1, 1.0], [16.1, 1.0], [1.0, 8.1]])).tolist() == [
        True,
        False,
        False,
        False,
    ]


def test_the_whole_is_seen_from_its_middle():
    assert whole_map(EXTENT) == MapView(8.0, 4.0, 0.0)


def test_a_region_is_seen_with_a_margin():
    # 4 of 16 units wide and 1 of 8 high: a quarter times 1.2.
    view = view_of_region(EXTENT, Region.box(2.0, 2.0, 6.0, 3.0), 8.0)
    assert (view.x, view.y) == (4.0, 2.5)
    assert view.zoom == pytest.approx(-np.log2(1.2 / 4))


def test_a_region_as_large_as_the_map_is_seen_whole_and_a_tiny_one_no_closer_than_the_limit():
    assert view_of_region(EXTENT, Region.box(0.0, 0.0, 16.0, 8.0), 8.0).zoom == 0
    assert view_of_region(EXTENT, Region.box(1.0, 1.0, 1.001, 1.001), 5.0).zoom == 5
