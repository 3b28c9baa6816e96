from dataclasses import replace

import numpy as np
import pytest

from pathfinder.landscape.data.landscape import Label
from pathfinder.landscape.data.layer import Heatmap, Layer, MapLine, Mark
from pathfinder.landscape.drawing.scene import Dot, MapView, Scene
from pathfinder.landscape.drawing.viewport import fit_viewport
from pathfinder.landscape.naming.descriptions import density_at, peaks_in_view, scale_at, summary
from tests.landscape.planted_map import EAST, EXTENT, WEST, map_data

MAP_DATA = map_data()


def describe(scene: Scene, **more: object) -> str:
    return summary(scene, map_data(**more) if more else MAP_DATA, fit_viewport(EXTENT, scene.view, 1000, 500))  # type: ignore[arg-type]


def test_the_whole_map_is_described_with_its_names():
    assert describe(Scene()) == (
        "The whole map of 60 papers. Names in view: galaxies (40 papers), planets (20 papers). "
        "Densest around galaxies, then planets. Nearby papers are similar. The axes mean nothing."
    )


def test_a_part_of_the_map_is_described_with_its_centre():
    assert describe(Scene(view=MapView(*EAST, 2.0))).startswith(
        "Part of the map, with 20 of its 60 papers. "
        "At the centre: mountains, near planets, 50% of the map's highest density. "
        "Names in view: planets (20 papers), hot jupiters (8 papers). "
        "Densest around planets, then hot jupiters."
    )


def test_no_density_is_named_at_sea():
    # Of the peaks of this scale, and of the density of it, there is none in sight.
    text = describe(Scene(view=MapView(8.0, 1.0, 4.0)))
    assert "At the centre: sea, near galaxies. No names in view. Nearby papers" in text


def test_without_names_the_densest_places_are_left_out():
    assert "ensest" not in describe(Scene(), labels=())


@pytest.mark.parametrize(
    ("zoom", "scale"), [(0.0, "broad"), (0.9, "broad"), (1.0, "medium"), (2.5, "fine"), (8, "fine")]
)
def test_the_closer_a_view_the_finer_the_scale_of_what_is_crowded(zoom, scale):
    assert scale_at(zoom) == scale
    near_jupiters = MAP_DATA.atlas.peaks[-1]
    seen = peaks_in_view(MAP_DATA, fit_viewport(EXTENT, MapView(12.5, 5.0, zoom), 1000, 500))
    assert {peak.scale for peak in seen} <= {scale}
    assert (near_jupiters in seen) == (scale == "medium")
    assert [peak.height for peak in seen] == sorted((peak.height for peak in seen), reverse=True)


def test_the_density_of_a_place_is_that_of_its_cell_and_0_beyond_the_map():
    assert density_at(MAP_DATA, *WEST, "broad") == 1.0
    assert density_at(MAP_DATA, *EAST, "fine") == 0.5
    assert density_at(MAP_DATA, 8.0, 0.5, "medium") == 0.0
    assert density_at(MAP_DATA, WEST[0], 8.1, "broad") == 0.0


def test_a_map_without_names_says_so():
    assert "No names in view." in describe(Scene(), labels=())


def test_names_beyond_the_listed_ones_are_counted():
    labels = tuple(Label(2.0 * i, 4.0, f"n{i}", 1, -2.0, 1) for i in range(1, 8))
    assert "n6 (1 paper), and 1 more." in describe(Scene(), labels=labels)


def test_papers_of_chosen_years_are_counted():
    # Two papers of each year from 2000 to 2019, one before.
    assert "4 papers in view from 2000 to 2001." in describe(Scene(years=(2000, 2001)))
    assert "1 paper in view from 1990." in describe(Scene(years=(1990, 1990)))


def test_layers_say_where_they_are_strongest_and_what_they_mark():
    grid = MAP_DATA.atlas.grid
    values = np.zeros(grid.n_cells)
    values[grid.cell_of(np.array([WEST, EAST], dtype=np.float32))] = 0.4, 0.9
    cells = Heatmap(grid, values.reshape(grid.n_rows, grid.n_columns), "#ff0000", "JWST")
    marks = tuple(Mark(*place, "a review", "#00ff00", "review") for place in (WEST, EAST))
    line = MapLine(np.array([WEST, EAST], dtype=np.float32), "#0000ff", "Riess, A", is_path=True)
    layer = Layer("all", "Everything", "", (cells,), (line,), marks)
    assert "Layer Everything: JWST: strongest near planets; review: 2 of 2 in view; lines for Riess, A." in describe(
        Scene(layers=(layer,))
    )
    close = describe(Scene(layers=(layer,), view=MapView(*WEST, 2.0)))
    assert "JWST: strongest near galaxies; review: 1 of 2 in view" in close
    nowhere = describe(Scene(layers=(layer,), view=MapView(8.0, 1.0, 4.0)))
    assert "JWST: nothing in view; review: 0 of 2 in view" in nowhere


def test_a_footprint_that_is_faint_everywhere_says_that_it_may_be_chance():
    grid = MAP_DATA.atlas.grid
    nothing, faint = np.full((2, grid.n_rows, grid.n_columns), np.nan)
    faint.ravel()[grid.cell_of(np.array([WEST], dtype=np.float32))] = 0.2
    heatmaps = (
        Heatmap(grid, nothing, "#ff0000", "JWST"),
        Heatmap(grid, faint, "#ff0000", "JWST, faint", may_be_chance=True),
    )
    scene = Scene(layers=(Layer("mission:jwst", "JWST", "", heatmaps),))
    expected = (
        "Layer JWST: nothing significant in view; faint colour, which may be due to chance, strongest near galaxies."
    )
    assert expected in describe(scene)
    assert "Layer JWST: nothing significant in view." in describe(replace(scene, view=MapView(*EAST, 2.0)))


def test_faint_colour_is_not_mentioned_beside_a_significant_excess():
    grid = MAP_DATA.atlas.grid
    certain, faint = np.full((2, grid.n_rows, grid.n_columns), np.nan)
    certain.ravel()[grid.cell_of(np.array([EAST], dtype=np.float32))] = 0.9
    faint.ravel()[grid.cell_of(np.array([WEST], dtype=np.float32))] = 0.2
    heatmaps = (
        Heatmap(grid, certain, "#ff0000", "JWST"),
        Heatmap(grid, faint, "#ff0000", "JWST, faint", may_be_chance=True),
    )
    text = describe(Scene(layers=(Layer("mission:jwst", "JWST", "", heatmaps),)))
    assert "Layer JWST: strongest near planets." in text


def test_the_best_papers_found_are_listed():
    dots = tuple(Dot(i, *WEST, f"Paper {i}", 2000 + i, i, i == 2) for i in range(1, 5))
    text = describe(Scene(dots=(*dots, Dot(9, *EAST, "Away", None, 5)), view=MapView(*WEST, 2.0)))
    assert "4 of 5 papers found are in view. Number 1: Paper 1 (2001)." in text
    assert "Number 2: Paper 2 (2002), an outlier." in text
    assert "Paper 4" not in text


def test_a_chosen_paper_is_not_counted_among_those_found():
    dot = Dot(3, *WEST, "Chosen one", 2001)
    assert "Chosen: Chosen one (2001)." in describe(Scene(dots=(dot,)))
    assert "found" not in describe(Scene(dots=(dot,)))
    both = describe(Scene(dots=(Dot(1, *WEST, "Found", 2000, 1), dot)))
    assert "1 of 1 paper found is in view. Number 1: Found (2000). Chosen: Chosen one (2001)." in both
