from dataclasses import replace

import numpy as np
import pytest

from pathfinder.errors import UsageError
from pathfinder.landscape.data.landscape import Label
from pathfinder.landscape.data.layer import Heatmap, Layer, MapLine, Mark
from pathfinder.landscape.drawing.scene import Dot, MapView, Scene
from pathfinder.landscape.drawing.viewport import fit_viewport
from pathfinder.landscape.naming.descriptions import (
    MAX_QUOTE_LENGTH,
    density_at,
    land_at,
    nearest_labels,
    nearest_rows,
    paper_card,
    peaks_in_view,
    place_card,
    scale_at,
    summary,
    surprise_card,
)
from pathfinder.types import Paper
from tests.landscape.planted_map import COAST, EAST, EXTENT, HILLS, MOUNTAINS, PLAINS, SEA, WEST, map_data

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


def test_a_map_without_names_says_so_and_leaves_out_the_densest_places():
    text = describe(Scene(), labels=())
    assert "No names in view." in text
    assert "ensest" not in text


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


@pytest.mark.parametrize("land", [SEA, COAST, PLAINS, HILLS, MOUNTAINS])
def test_the_land_at_a_place_follows_its_height(land):
    # The height falls by a third with every unit from the top.
    height = land.low + 0.05
    assert land_at(MAP_DATA, WEST[0] - 3 * (1 - height), WEST[1]) == land


def test_beyond_the_map_lies_the_sea():
    assert land_at(MAP_DATA, -100.0, 3.0) == SEA
    assert land_at(MAP_DATA, 8.0, 12.1) == SEA


def test_the_nearest_come_first():
    assert nearest_rows(MAP_DATA, *EAST, 2).tolist() == [40, 41]
    assert [label.text for label in nearest_labels(MAP_DATA, *EAST, 2)] == ["planets", "hot jupiters"]


def test_a_name_that_stands_twice_counts_once():
    twice = map_data(
        labels=(Label(1, 1, "dust", 1, 0.0, 3), Label(2, 2, "dust", 1, 0.0, 3), Label(3, 3, "ice", 1, 0.0, 3))
    )
    assert [label.text for label in nearest_labels(twice, 0.0, 0.0, 2)] == ["dust", "ice"]


def test_a_paper_is_presented_by_its_facts():
    card = paper_card(MAP_DATA, 2)
    assert card.heading == "Galaxy 2"
    assert card.row == 2
    assert card.lines == (
        "Published in 1992.",
        f"It lies in the mountains ({MOUNTAINS.description}), near galaxies and planets.",
        "In its own words: “Words of it.”",
        "Cited 2 times.",
        "Its nearest neighbours on the map: “Galaxy 1” (1991); “Galaxy 0” (1990); “Galaxy 3” (1993).",
    )


def test_unknown_facts_are_left_out():
    card = paper_card(map_data([Paper("bare", "Bare", "")]), 0)
    assert card.lines[0] == "Year of publication unknown."
    assert not any("Cited" in line or "words" in line for line in card.lines)


@pytest.mark.parametrize(("count", "sentence"), [(0, "Not cited yet."), (1, "Cited 1 time.")])
def test_citations_are_counted_in_words(count, sentence):
    assert sentence in paper_card(map_data([Paper("p", "P", "", citation_count=count)]), 0).lines


def test_only_the_first_sentence_is_quoted_and_a_summary_is_not_its_own_words():
    text = "Stars of type R.R. Lyrae pulsate with a period of half a day. They are old."
    quoted = next(line for line in paper_card(map_data([Paper("p", "P", text)]), 0).lines if "“Stars" in line)
    assert quoted == "In its own words: “Stars of type R.R. Lyrae pulsate with a period of half a day.”"
    summary = paper_card(map_data([Paper("p", "P", text, is_summary=True)]), 0)
    assert any(line.startswith("Summary: Stars") for line in summary.lines)


def test_a_long_sentence_is_cut_between_words():
    quoted = paper_card(map_data([Paper("p", "P", "word " * 200)]), 0).lines[2]
    assert quoted.endswith("word ...”")
    assert len(quoted) < MAX_QUOTE_LENGTH + 40


def test_a_place_is_presented_by_its_size_years_papers_and_neighbours():
    card = place_card(MAP_DATA, MAP_DATA.atlas.labels[0])
    assert card.heading == "galaxies"
    assert card.lines == (
        "A continent of 40 papers. No other continent on this map is denser.",
        "The papers near its centre date from 1990 to 2019.",
        "Most cited there: “Galaxy 29” (2019); “Galaxy 28” (2018); “Galaxy 27” (2017).",
        "Next to it: planets, hot jupiters.",
    )


def test_a_place_is_ranked_among_those_of_its_kind():
    first = [place_card(MAP_DATA, label).lines[0] for label in MAP_DATA.atlas.labels[1:]]
    assert first == [
        "A continent of 20 papers. 1 of the 2 continents on this map is denser.",
        "A country of 8 papers. 2 of the 3 countries on this map are denser.",
    ]


def test_the_only_place_of_its_kind_is_not_compared():
    alone = replace(MAP_DATA, opened_atlas=replace(MAP_DATA.atlas, peaks=MAP_DATA.atlas.peaks[:1]))
    assert place_card(alone, MAP_DATA.atlas.labels[0]).lines[0] == "A continent of 40 papers."


def test_a_surprise_is_the_same_for_the_same_seed_and_meets_every_name():
    cards = [surprise_card(MAP_DATA, seed) for seed in range(12)]
    assert cards == [surprise_card(MAP_DATA, seed) for seed in range(12)]
    assert {card.heading.split()[0] for card in cards} == {"Galaxy", "Planet"}
    assert surprise_card(map_data(labels=()), 3).row is not None


def test_a_surprise_is_of_the_years_that_are_chosen():
    # Only the last papers of the western heap are that young.
    assert {surprise_card(MAP_DATA, seed, (2025, 2026)).row for seed in range(12)} == {35, 36}
    assert surprise_card(map_data(labels=()), 3, (2029, 2040)).row == 39


def test_years_without_a_paper_hold_no_surprise():
    with pytest.raises(UsageError, match="no papers from 1800 to 1850 to surprise you with"):
        surprise_card(MAP_DATA, 0, (1800, 1850))
