import datetime

import numpy as np
import pytest

from pathfinder.landscape.data.layer import UnavailableLayer
from pathfinder.landscape.layers.base import layer, list_layers
from pathfinder.landscape.layers.growth import halves
from pathfinder.landscape.layers.hotspots import periods
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


YEARS = range(2017, 2025)


def even(n=30, **fields):
    return [paper for year in YEARS for paper in plain(n, title=f"Of {year}", year=year, **fields)]


def test_undated_papers_or_few_have_no_hotspots():
    undated = layer(map_data(plain(50, year=None), scatter(50), this_year=None), "hotspots")
    assert isinstance(undated, UnavailableLayer)
    assert "add dated papers" in undated.reason
    assert isinstance(layer(map_data(plain(39), scatter(39)), "hotspots"), UnavailableLayer)
    assert isinstance(layer(map_data(plain(50), scatter(50)), "hotspots"), UnavailableLayer)


def test_periods_hold_about_equally_many_papers():
    parts = periods(map_data(even(), scatter(240)))
    assert parts.sizes().tolist() == [60, 60, 60, 60]
    assert [day.year for day in parts.begins] == [2017, 2019, 2021, 2023]


def test_a_topic_that_heats_up_is_found_where_it_is_and_no_other(indexed):
    papers = [*even(keywords=("quasars",)), *plain(30, title="New", year=2024, keywords=("moons",))]
    result = layer(indexed(papers, np.concatenate([scatter(240), around(HERE, 30)])), "hotspots")
    (mark,) = result.marks
    assert (mark.x, mark.y) == pytest.approx(HERE, abs=0.2)
    assert mark.label == "1"
    # 30 of the 270 papers are on moons: all in the last period, none before, so none is expected.
    assert [line[:3] for line in result.table.rows] == [("Moons", 30, 0.0)]


def test_a_topic_with_an_even_share_is_no_hotspot(indexed):
    result = layer(
        indexed([*even(20, keywords=("quasars",)), *even(10, keywords=("moons",))], scatter(240)), "hotspots"
    )
    assert result.marks == ()
    assert result.notes == ("no topic has become more frequent by more than chance would explain",)


def test_a_topic_of_fewer_than_ten_papers_is_not_tested(indexed):
    papers = [*even(keywords=("quasars",)), *plain(9, title="New", year=2024, keywords=("moons",))]
    assert layer(indexed(papers, scatter(249)), "hotspots").marks == ()


def test_without_a_thesaurus_topics_are_keywords_and_that_is_said(indexed):
    papers = [*even(keywords=("bright quasars",)), *plain(30, title="New", year=2024, keywords=("icy moons",))]
    places = np.concatenate([scatter(240), around(HERE, 30)])
    result = layer(indexed(papers, places, with_thesaurus=False), "hotspots")
    assert [line[0] for line in result.table.rows] == ["icy moon"]
    assert "--thesaurus" in result.notes[-1]
