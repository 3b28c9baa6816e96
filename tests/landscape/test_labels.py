from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.landscape.data.landscape import LABEL_LEVELS, Label
from pathfinder.landscape.density import Extent
from pathfinder.landscape.drawing.scene import MapView
from pathfinder.landscape.drawing.viewport import (
    FIRST_ZOOM,
    LAST_ZOOM,
    box_pixels,
    effective_zoom,
    fit_viewport,
    overlap,
    place_labels,
    text_pixels,
    view_of_region,
    whole_map,
)
from pathfinder.types import Region

SQUARE = Extent(left=0, right=10, bottom=0, top=10)


def label(x, y, text="black holes", level=1):
    return Label(x, y, text, level, 0.0, 10)


def overlaps(labels, zoom):
    visible = [label for label in labels if label.min_zoom <= zoom]
    return [(a.text, b.text) for a, b in combinations(visible, 2) if overlap(a, b, zoom, SQUARE)]


def test_a_box_is_as_wide_as_its_letters_and_a_margin():
    # At zoom 0 a name of level 1 is 19 px: 4 letters of 0.62 of it and 4 px on each side; 1.25 lines and 4 px.
    assert box_pixels("dust", 1, 0) == pytest.approx((0.62 * 19 * 4 + 8, 1.25 * 19 + 4))


def test_a_map_of_another_width_has_another_zoom():
    assert effective_zoom(1000) == 0
    assert effective_zoom(4000) == 2
    assert effective_zoom(390) == pytest.approx(-1.36, abs=0.01)


def test_who_comes_first_is_drawn_first_and_the_next_waits_until_there_is_room():
    first, second = place_labels([label(5, 5, "one"), label(5.2, 5, "two")], SQUARE)
    assert first.min_zoom == FIRST_ZOOM[1]
    assert second.min_zoom > 0
    assert overlaps([first, second], second.min_zoom) == []
    before = second.min_zoom - 0.25
    assert overlap(first, second, before, SQUARE)


def test_a_name_that_finds_no_room_is_left_out():
    placed = place_labels([label(5, 5, "one"), label(5, 5, "two")], SQUARE)
    assert [label.text for label in placed] == ["one"]


@given(
    named=st.lists(
        st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(1, 28), st.sampled_from(LABEL_LEVELS)),
        max_size=30,
    ),
    side=st.floats(0.01, 1000),
    zooms=st.lists(st.floats(-3, 9), min_size=1, max_size=5),
)
def test_on_no_map_do_two_names_overlap_at_any_zoom_and_who_is_left_out_found_no_room(named, side, zooms):
    # On a lattice, so that names meet, and now and then stand in one place.
    square = Extent(left=-side, right=0, bottom=side, top=2 * side)
    of_map = [
        label((x / 60 - 1) * side, (y / 60 + 1) * side, f"{i:02}" + "x" * n, level)
        for i, (x, y, n, level) in enumerate(named)
    ]
    placed = place_labels(of_map, square)
    for zoom in (*zooms, *(label.min_zoom for label in placed)):
        visible = [label for label in placed if label.min_zoom <= zoom]
        assert [pair for pair in combinations(visible, 2) if overlap(*pair, zoom, square)] == []
    texts = [label.text for label in placed]
    assert texts == [label.text for label in of_map if label.text in texts]
    for left_out in (label for label in of_map if label.text not in texts):
        before = [other for other in placed if other.text < left_out.text]
        assert any(overlap(left_out, other, LAST_ZOOM, square) for other in before)


@given(level=st.sampled_from(LABEL_LEVELS), zoom=st.floats(-4, 9), further=st.floats(0, 6))
def test_names_grow_with_the_zoom_and_never_faster_than_what_lies_under_them(level, zoom, further):
    small, large = text_pixels(level, zoom), text_pixels(level, zoom + further)
    assert small <= large <= small * 2**further * (1 + 1e-9)


def test_a_name_grows_by_half_from_the_whole_map_to_close_by_and_larger_places_have_larger_names():
    assert (text_pixels(2, -2), text_pixels(2, 8)) == pytest.approx((14.5 * 0.85, 14.5 * 1.5))
    for level in LABEL_LEVELS:
        assert text_pixels(level, 6) == pytest.approx(1.5 * text_pixels(level, 0))
    sizes = [text_pixels(level, 0) for level in LABEL_LEVELS]
    assert sizes == sorted(sizes, reverse=True)


def test_a_level_waits_for_its_zoom_even_where_there_is_room():
    placed = place_labels([label(1, 1, level=1), label(5, 5, level=2), label(9, 9, level=3)], SQUARE)
    assert [label.min_zoom for label in placed] == [FIRST_ZOOM[1], FIRST_ZOOM[2], FIRST_ZOOM[3]]


EXTENT = Extent(left=0.0, right=16.0, bottom=0.0, top=8.0)


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
    places = np.array([[0.0, 0.0], [-0.1, 1.0], [16.1, 1.0], [1.0, 8.1]])
    assert viewport.contains(places).tolist() == [True, False, False, False]


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
