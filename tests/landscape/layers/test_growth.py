import datetime

import numpy as np

from pathfinder.landscape.data.layer import UnavailableLayer
from pathfinder.landscape.layers.base import layer, list_layers
from pathfinder.landscape.layers.growth import halves
from tests.landscape.planted import HERE, HERE_CELL, around, map_data, plain, scatter

EVEN = [paper for year in range(2015, 2025) for paper in plain(240, title=f"Of {year}", year=year)]
NEW = plain(60, title="New", year=2023)


def found_cells(veil):
    return np.flatnonzero(~np.isnan(veil.values)).tolist()


def test_undated_papers_make_no_growth():
    result = layer(map_data(plain(50, year=None), scatter(50), this_year=None), "growth")
    assert isinstance(result, UnavailableLayer)
    assert "add dated papers" in result.reason


def test_papers_of_one_day_or_too_few_make_no_growth():
    assert isinstance(layer(map_data(plain(50), scatter(50)), "growth"), UnavailableLayer)
    few = [*plain(10, year=2020), *plain(9, title="Later", year=2021)]
    assert isinstance(layer(map_data(few, scatter(19)), "growth"), UnavailableLayer)


def test_the_halves_are_as_even_as_days_allow_and_leave_older_papers_out():
    papers = [
        *plain(90, year=1990),
        *plain(10, year=2020),
        *plain(15, title="b", year=2021),
        *plain(20, title="c", year=2022),
    ]
    parts = halves(map_data(papers, scatter(135)))
    assert (len(parts.older), len(parts.newer)) == (25, 20)
    assert (parts.since, parts.split) == (datetime.date(2020, 7, 1), datetime.date(2022, 7, 1))


def test_growth_is_found_where_it_was_planted_and_nowhere_else():
    places = np.concatenate([scatter(2400), around(HERE, 60)])
    result = layer(map_data([*EVEN, *NEW], places), "growth")
    grows, shrinks = result.heatmaps
    assert found_cells(grows) == [HERE_CELL]
    assert found_cells(shrinks) == []
    (line,) = result.table.rows
    assert line[1] > 2
    assert line[2] >= 60


def test_what_is_given_up_is_found_to_shrink():
    old = plain(60, title="Old", year=2016)
    result = layer(map_data([*EVEN, *old], np.concatenate([scatter(2400), around(HERE, 60)])), "growth")
    assert [found_cells(veil) for veil in result.heatmaps] == [[], [HERE_CELL]]


def test_an_even_field_grows_nowhere_and_says_so():
    result = layer(map_data(EVEN, scatter(2400)), "growth")
    assert [found_cells(veil) for veil in result.heatmaps] == [[], []]
    assert "no difference" in result.notes[0]


def test_growth_is_offered_where_papers_are_dated():
    assert list_layers(map_data(EVEN, scatter(2400)))[0].n_papers == 2400
