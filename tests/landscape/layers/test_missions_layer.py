import numpy as np
import pytest

from pathfinder.errors import UsageError
from pathfinder.landscape.data.groups import papers_by_mission
from pathfinder.landscape.data.layer import LayerInfo, UnavailableLayer
from pathfinder.landscape.layers.base import layer, list_layers
from pathfinder.landscape.layers.missions import main_slug
from tests.landscape.planted import HERE, HERE_CELL, around, map_data, plain, scatter, table

OTHERS = plain(2400)
JWST = plain(40, title="Spectra with JWST", year=2023)


def planted_map(papers=(*OTHERS, *JWST), places=None, **fields):
    places = np.concatenate([scatter(2400), around(HERE, 40)]) if places is None else places
    return map_data(papers, places, missions=papers_by_mission(table(papers)), **fields)


def found_cells(footprint):
    return np.flatnonzero(~np.isnan(footprint.heatmaps[0].values)).tolist()


@pytest.mark.parametrize("slug", ["mission", "mission:", "mission:enterprise", "mission:  "])
def test_a_mission_that_is_none_is_refused_with_the_way_out(slug):
    with pytest.raises(UsageError, match="name one of"):
        layer(planted_map(), slug)


def test_a_corpus_older_than_its_layers_says_how_to_get_them():
    old = map_data(OTHERS, scatter(2400))
    assert "build again" in layer(old, "mission:jwst").reason
    assert (
        next(offer for offer in list_layers(old) if offer.slug == "mission").reason == layer(old, "mission:jwst").reason
    )


def test_a_footprint_is_found_where_it_was_planted_and_nowhere_else():
    papers = [*plain(2400, year=2023), *JWST]
    footprint = layer(planted_map(papers), "mission:jwst")
    assert found_cells(footprint) == [HERE_CELL]
    (line,) = footprint.table.rows
    assert line[1] == 40
    assert line[-2:] == pytest.approx(HERE, abs=0.2)


def test_on_a_sparse_map_it_is_found_in_the_squares_that_reach_it_and_nowhere_else():
    papers = [*plain(300, year=2023), *JWST]
    footprint = layer(planted_map(papers, np.concatenate([scatter(300), around(HERE, 40)])), "mission:jwst")
    assert "3 x 3 cells" in footprint.description
    assert found_cells(footprint) == [0, 1, 2, 8, 9, 10, 16, 17, 18]
    assert len(footprint.table.rows) == 1


def test_a_mission_that_is_named_everywhere_alike_is_significant_nowhere():
    papers = [*plain(2400, year=2023), *JWST]
    footprint = layer(planted_map(papers, scatter(2440)), "mission:jwst")
    assert found_cells(footprint) == []
    assert "nowhere" in footprint.notes[0]


def test_papers_from_before_the_first_data_do_not_count():
    too_early = plain(40, title="What JWST will see", year=2015)
    footprint = layer(planted_map([*OTHERS, *too_early]), "mission:jwst")
    assert isinstance(footprint, UnavailableLayer)
    assert "since 2022" in footprint.reason


def test_a_mission_is_compared_with_the_papers_of_the_same_years():
    # Before 2022 nobody can have used it: those papers are not in the denominator.
    footprint = layer(planted_map([*plain(2400, year=2023), *JWST]), "mission:jwst", years=(2023, 2023))
    assert footprint.description.startswith("40 of 2,440 papers")
    assert isinstance(layer(planted_map(), "mission:jwst", years=(2024, None)), UnavailableLayer)


def test_undated_papers_are_left_out_and_said():
    footprint = layer(
        planted_map([*plain(2390, year=2023), *plain(10, title="Undated", year=None), *JWST]), "mission:jwst"
    )
    assert footprint.notes == ("10 undated papers are not counted",)


def test_where_nothing_is_dated_all_papers_count_and_that_is_said():
    papers = [*plain(2400, year=None), *plain(40, title="Spectra with JWST", year=None)]
    footprint = layer(planted_map(papers, this_year=None), "mission:jwst")
    assert found_cells(footprint) == [HERE_CELL]
    assert "no papers are dated" in footprint.notes[0]


def test_missions_are_offered_with_their_papers_and_the_others_say_why_not():
    offers = {offer.slug: offer for offer in list_layers(planted_map())}
    assert isinstance(offers["mission:jwst"], LayerInfo)
    assert offers["mission:jwst"].n_papers == 40
    assert "no paper here" in offers["mission:hubble"].reason


@pytest.mark.parametrize(
    ("years", "counted"),
    [
        (None, "papers since 2022 ("),
        ((2022, 2023), "papers from 2022 to 2023 mention"),
        ((2023, 2023), "papers from 2023 mention"),
    ],
)
def test_a_footprint_says_of_which_years_it_is(years, counted):
    assert counted in layer(planted_map([*plain(2400, year=2023), *JWST]), "mission:jwst", years).description


def test_years_before_the_first_data_are_told_so():
    assert layer(planted_map(), "mission:jwst", (1990, 2000)).reason == (
        "its papers date from 2022 on, but the chosen years end in 2000: widen the years"
    )


def test_a_mission_goes_by_one_name_whatever_it_is_called():
    called = ("mission:HST", "mission: hubble", "mission:enterprise", "growth", "author:HST")
    assert [main_slug(slug) for slug in called] == [
        "mission:hubble", "mission:hubble", "mission:enterprise", "growth", "author:HST"
    ]  # fmt: skip
