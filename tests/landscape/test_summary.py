import numpy as np
import pytest

from pathfinder.landscape.atlas import Label
from pathfinder.landscape.frame import frame_of
from pathfinder.landscape.layer import Cells, Layer, Line, Mark
from pathfinder.landscape.scene import Dot, Scene, View
from pathfinder.landscape.summary import summary
from pathfinder.landscape.whereabouts import crowding_at, peaks_in_sight, scale_at
from tests.landscape.charts import EAST, EXTENT, WEST, chart

CHART = chart()


def told(scene: Scene, **more: object) -> str:
    return summary(scene, chart(**more) if more else CHART, frame_of(EXTENT, scene.view, 1000, 500))  # type: ignore[arg-type]


def test_the_whole_map_is_told_with_its_names():
    assert told(Scene()) == (
        "The whole map of 60 papers. Names in sight: galaxies (40 papers), planets (20 papers). "
        "Most crowded around galaxies, then planets. Near means alike. The axes mean nothing."
    )


def test_a_part_is_told_with_what_is_in_its_middle():
    assert told(Scene(view=View(*EAST, 2.0))).startswith(
        "A part of the map, with 20 of its 60 papers. "
        "In the middle: mountains, near planets, 50% as crowded as the most crowded place of the map. "
        "Names in sight: planets (20 papers), hot jupiters (8 papers). "
        "Most crowded around planets, then hot jupiters."
    )


def test_the_sea_is_not_said_to_be_crowded():
    # Of the peaks of this scale, and of the density of it, there is none in sight.
    text = told(Scene(view=View(8.0, 1.0, 4.0)))
    assert "In the middle: sea, near galaxies. No name is in sight. Near means" in text


def test_without_names_nothing_is_said_of_where_it_is_crowded():
    assert "rowded" not in told(Scene(), labels=())


@pytest.mark.parametrize(
    ("zoom", "scale"), [(0.0, "broad"), (0.9, "broad"), (1.0, "medium"), (2.5, "fine"), (8, "fine")]
)
def test_the_closer_a_view_the_finer_the_scale_of_what_is_crowded(zoom, scale):
    assert scale_at(zoom) == scale
    near_jupiters = CHART.atlas.peaks[-1]
    seen = peaks_in_sight(CHART, frame_of(EXTENT, View(12.5, 5.0, zoom), 1000, 500))
    assert {peak.scale for peak in seen} <= {scale}
    assert (near_jupiters in seen) == (scale == "medium")
    assert [peak.height for peak in seen] == sorted((peak.height for peak in seen), reverse=True)


def test_a_place_is_as_crowded_as_its_cell_and_beyond_the_map_nobody_is():
    assert crowding_at(CHART, *WEST, "broad") == 1.0
    assert crowding_at(CHART, *EAST, "fine") == 0.5
    assert crowding_at(CHART, 8.0, 0.5, "medium") == 0.0
    assert crowding_at(CHART, WEST[0], 8.1, "broad") == 0.0


def test_a_map_without_names_says_so():
    assert "No name is in sight." in told(Scene(), labels=())


def test_more_names_than_are_told_are_counted():
    labels = tuple(Label(2.0 * i, 4.0, f"n{i}", 1, -2.0, 1) for i in range(1, 8))
    assert "n6 (1 paper), and 1 more." in told(Scene(), labels=labels)


def test_papers_of_chosen_years_are_counted():
    # Two papers of each year from 2000 to 2019, one before.
    assert "4 papers in sight are of 2000 to 2001." in told(Scene(years=(2000, 2001)))
    assert "1 paper in sight is of 1990." in told(Scene(years=(1990, 1990)))


def test_layers_say_where_they_are_strongest_and_what_they_mark():
    grid = CHART.atlas.grid
    values = np.zeros(grid.n_cells)
    values[grid.cell_of(np.array([WEST, EAST], dtype=np.float32))] = 0.4, 0.9
    cells = Cells(grid, values.reshape(grid.n_rows, grid.n_columns), "#ff0000", "JWST")
    marks = tuple(Mark(*place, "a review", "#00ff00", "review") for place in (WEST, EAST))
    line = Line(np.array([WEST, EAST], dtype=np.float32), "#0000ff", "Riess, A", is_path=True)
    layer = Layer("all", "Everything", "", (cells,), (line,), marks)
    assert (
        "Layer Everything: JWST: strongest near planets; 2 in sight of 2 marked as review; lines for Riess, A."
        in told(Scene(layers=(layer,)))
    )
    close = told(Scene(layers=(layer,), view=View(*WEST, 2.0)))
    assert "JWST: strongest near galaxies; 1 in sight of 2 marked as review" in close
    nowhere = told(Scene(layers=(layer,), view=View(8.0, 1.0, 4.0)))
    assert "JWST: nothing in sight; 0 in sight of 2" in nowhere


def test_the_best_papers_found_are_told():
    dots = tuple(Dot(i, *WEST, f"Paper {i}", 2000 + i, i, i == 2) for i in range(1, 5))
    text = told(Scene(dots=(*dots, Dot(9, *EAST, "Away", None, 5)), view=View(*WEST, 2.0)))
    assert "4 of 5 papers found are in sight. Number 1: Paper 1 (2001)." in text
    assert "Number 2: Paper 2 (2002), apart from the others." in text
    assert "Paper 4" not in text


def test_a_chosen_paper_is_told_apart_from_those_that_were_found():
    chosen = Dot(3, *WEST, "Chosen one", 2001)
    assert "Chosen: Chosen one (2001)." in told(Scene(dots=(chosen,)))
    assert "found" not in told(Scene(dots=(chosen,)))
    both = told(Scene(dots=(Dot(1, *WEST, "Found", 2000, 1), chosen)))
    assert "1 of 1 paper found is in sight. Number 1: Found (2000). Chosen: Chosen one (2001)." in both
