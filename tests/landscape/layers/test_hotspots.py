import numpy as np
import pytest

from pathfinder.landscape.data.layer import UnavailableLayer
from pathfinder.landscape.layers.base import layer
from pathfinder.landscape.layers.hotspots import periods
from tests.landscape.planted import HERE, around, map_data, plain, scatter

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
