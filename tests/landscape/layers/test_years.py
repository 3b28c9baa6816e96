import numpy as np

from pathfinder.landscape.data.layer import UnavailableLayer
from pathfinder.landscape.layers.base import layer
from tests.landscape.planted import HERE, HERE_CELL, around, map_data, plain, scatter


def test_where_nothing_is_dated_there_are_no_years():
    undated = map_data(plain(5, year=None), scatter(5), this_year=None)
    assert isinstance(layer(undated, "years"), UnavailableLayer)


def test_papers_are_counted_by_year_and_the_undated_are_said_to_be_left_out():
    papers = [*plain(3, year=2020), *plain(2, title="b", year=2022), *plain(1, title="c", year=None)]
    result = layer(map_data(papers, around(HERE, 6)), "years")
    assert result.table.rows == ((2020, 3, 0.6), (2022, 2, 0.4))
    assert result.notes == ("1 undated paper is not counted",)


def test_the_newest_place_is_found_and_the_oldest_and_no_other():
    papers = [*plain(2400, year=2010), *plain(150, title="New", year=2024), *plain(150, title="Old", year=1990)]
    places = np.concatenate([scatter(2400), around(HERE, 150), around((3.25, 0.75), 150)])
    newer, older = layer(map_data(papers, places), "years").heatmaps
    assert np.flatnonzero(~np.isnan(newer.values)).tolist() == [HERE_CELL]
    assert np.flatnonzero(~np.isnan(older.values)).tolist() == [54]


def test_papers_of_one_year_have_no_colour_and_undated_ones_are_said():
    result = layer(map_data([*plain(100), *plain(3, title="b", year=None)], scatter(103)), "years")
    assert all(np.isnan(veil.values).all() for veil in result.heatmaps)
    assert result.table.rows == ((2020, 100, 1.0),)
    assert result.notes == ("3 undated papers are not counted",)
