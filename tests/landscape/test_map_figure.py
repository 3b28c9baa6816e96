from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.text import Text

from pathfinder.landscape.data.landscape import Label
from pathfinder.landscape.data.layer import Layer, Mark
from pathfinder.landscape.drawing.scene import Dot, Ground, MapView, Palette, Scene
from pathfinder.landscape.picture_files.figure_text import HALO
from pathfinder.landscape.picture_files.map_figure import direction, draw_figure
from tests.landscape.planted_map import EAST, EXTENT, WEST, map_data

WORLD = Scene(Ground.RELIEF)


def names(scene: Scene = WORLD, width: int = 1000, height: int = 600, **more: object) -> list[Text]:
    """The names of places that a figure shows."""
    figure, _ = draw_figure(scene, map_data(**more), width, height)  # type: ignore[arg-type]
    return [text for text in figure.findobj(Text) if text.get_gid() == HALO]


def texts(scene: Scene = WORLD, **more: object) -> list[str]:
    return [text.get_text() for text in names(scene, **more)]  # type: ignore[arg-type]


def test_continents_are_named_at_once_and_countries_from_closer_by():
    assert texts() == ["galaxies", "planets"]
    assert texts(replace(WORLD, view=MapView(*EAST, 2.0))) == ["planets", "hot jupiters"]


def test_of_two_names_in_one_place_the_larger_is_shown():
    here = (Label(*WEST, "small", 1, -2.0, 3), Label(*WEST, "large", 1, -2.0, 30))
    assert texts(labels=here) == ["large"]


def test_a_name_that_would_be_cut_by_the_edge_is_left_out():
    assert texts(labels=(Label(0.01, 4.0, "a long name at the edge", 1, -2.0, 3),)) == []


def test_no_name_lies_on_a_paper_found_on_the_label_of_a_mark_or_on_the_legend():
    dot = Dot(0, *WEST, "Found", 2001, 1)
    assert texts(replace(WORLD, dots=(dot,))) == ["planets"]
    marked = Layer("gaps", "Gaps", "", marks=(Mark(WEST[0] - 0.3, WEST[1], "", "#ff0000", "", "a label"),))
    assert texts(replace(WORLD, layers=(marked,))) == ["a label", "planets"]
    assert texts(labels=(Label(1.0, EXTENT.bottom, "a name", 1, -2.0, 3),)) == []


def test_a_name_may_lie_on_a_mark():
    marked = Layer("gaps", "Gaps", "", marks=(Mark(*WEST, "", "#ff0000"),))
    assert texts(replace(WORLD, layers=(marked,))) == ["galaxies", "planets"]


def test_a_name_has_a_plate_where_the_palette_asks_for_one():
    for palette, has_plate in ((Palette.STANDARD, False), (Palette.CONTRAST, True)):
        for name in names(replace(WORLD, palette=palette)):
            assert (name.get_bbox_patch() is not None) is has_plate


@settings(max_examples=8, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 16), st.floats(0, 8), st.sampled_from([1, 2, 3])), max_size=25),
    st.floats(0, 5),
)
def test_no_two_names_overlap_wherever_they_are(places, zoom):
    labels = tuple(Label(x, y, f"a name {i}", level, -2.0, i) for i, (x, y, level) in enumerate(places))
    visible_names = names(replace(WORLD, view=MapView(8.0, 4.0, zoom)), 800, 600, labels=labels)
    boxes = [name.get_window_extent() for name in visible_names]
    assert not any(box.fully_overlaps(other) for i, box in enumerate(boxes) for other in boxes[:i])


@pytest.mark.parametrize(
    ("path", "degrees"),
    [([(0, 0), (1, 1)], 45), ([(0, 0), (0, 1), (0, 1)], 90), ([(1, 1)], 0), ([(1, 1), (1, 1)], 0)],
)
def test_the_arrow_of_a_path_points_where_it_arrives_and_to_the_right_where_it_stays_in_one_place(path, degrees):
    assert np.degrees(direction(np.array(path, dtype=np.float64))) == pytest.approx(degrees)
