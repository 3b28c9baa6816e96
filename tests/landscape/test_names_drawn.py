import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathfinder.landscape.atlas import Label
from pathfinder.landscape.frame import frame_of
from pathfinder.landscape.items import Box, Spot, Words
from pathfinder.landscape.names_drawn import around, names, overlap
from pathfinder.landscape.palettes import COLOURS
from pathfinder.landscape.scene import Ground, Palette, View
from tests.landscape.charts import EAST, EXTENT, WEST, chart

STANDARD = COLOURS[Ground.RELIEF, Palette.STANDARD]


def shown(view: View | None = None, width: int = 1000, height: int = 600, **more: object) -> list[str]:
    items = names(chart(**more), frame_of(EXTENT, view, width, height), STANDARD)  # type: ignore[arg-type]
    return [item.text for item in items if isinstance(item, Words)]


def test_continents_are_named_at_once_and_countries_from_closer_by():
    assert shown() == ["galaxies", "planets"]
    assert shown(View(*EAST, 2.0)) == ["planets", "hot jupiters"]


def test_of_two_names_in_one_place_the_larger_is_shown():
    here = (Label(*WEST, "small", 1, -2.0, 3), Label(*WEST, "large", 1, -2.0, 30))
    assert shown(labels=here) == ["large"]


def test_a_name_that_would_be_cut_by_the_edge_is_left_out():
    assert shown(labels=(Label(0.01, 4.0, "a long name at the edge", 1, -2.0, 3),)) == []


def test_no_name_lies_on_what_is_taken():
    frame = frame_of(EXTENT, None, 1000, 600)
    ((x, y),) = frame.pixels(np.array([WEST])).tolist()
    for taken in (Spot(x, y, 5, "#000000", ""), Box(x - 5, y - 5, 10, 10, "#000000"), Words(x, y, "a", 10, "#000000")):
        assert [item.text for item in names(chart(), frame, STANDARD, [taken])] == ["planets"]


def test_a_name_has_a_plate_where_the_palette_asks_for_one():
    items = names(chart(), frame_of(EXTENT, None, 1000, 600), COLOURS[Ground.RELIEF, Palette.CONTRAST])
    assert [type(item) for item in items] == [Box, Words, Box, Words]


@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.floats(0, 16), st.floats(0, 8), st.sampled_from([1, 2, 3])), max_size=25),
    st.floats(0, 5),
)
def test_no_two_names_overlap_wherever_they_are(places, zoom):
    labels = tuple(Label(x, y, f"a name {i}", level, -2.0, i) for i, (x, y, level) in enumerate(places))
    items = names(chart(labels=labels), frame_of(EXTENT, View(8.0, 4.0, zoom), 800, 600), STANDARD)
    boxes = [around(item) for item in items if isinstance(item, Words)]
    assert not any(overlap(one, other) for i, one in enumerate(boxes) for other in boxes[:i])


@pytest.mark.parametrize(("other", "is_over"), [((1, 1, 3, 3), True), ((2, 0, 3, 2), False), ((0, 2, 2, 3), False)])
def test_rectangles_that_share_an_edge_do_not_overlap(other, is_over):
    assert overlap((0, 0, 2, 2), other) is is_over
