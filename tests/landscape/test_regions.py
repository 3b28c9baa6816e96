"""What is studied in a region of a map on which it is known what lies where."""

from dataclasses import replace

import numpy as np
import pytest

from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.naming.regions import report_region
from pathfinder.types import Region
from tests.landscape.blobs import EACH, TOPICS, map_data, middle, papers, table

BLOB = 3


def around(blob: int) -> Region:
    x, y = middle(blob)
    return Region.box(x - 0.7, y - 0.7, x + 0.7, y + 0.7)


def blob_papers():
    """The papers of one blob are new, and its first three are cited; the first of all is undated."""

    def change(blob, paper):
        number = int(paper.paper_id.split("-")[1])
        if blob == BLOB:
            paper = replace(paper, year=2021 + number % 3, citation_count=number * 10 if number < 3 else None)
        return replace(paper, year=None) if number == 0 else paper

    return papers(change)


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> MapData:
    return map_data(tmp_path_factory.mktemp("world"), blob_papers())


def test_a_region_is_told_by_its_own_keywords_and_not_by_those_that_all_have(world):
    report = report_region(world, around(BLOB))
    assert (report.n_papers, report.n_anywhere) == (EACH, 20 * EACH)
    assert np.array_equal(report.rows, np.arange(BLOB * EACH, (BLOB + 1) * EACH))
    (keyword,) = report.keywords
    assert (keyword.text, keyword.n_papers) == (TOPICS[BLOB], EACH)
    assert keyword.lift == np.inf


def test_the_years_are_counted_with_the_noughts_and_the_undated_said(world):
    report = report_region(world, around(BLOB))
    assert report.years == ((2021, 49), (2022, 50), (2023, 50))
    assert report.n_undated == 1
    of_two = Region.box(-1, -1, 0.9, 20)
    assert sum(n for _, n in report_region(world, of_two).years) == report_region(world, of_two).n_papers - (
        report_region(world, of_two).n_undated
    )


def test_the_most_cited_come_first_and_who_was_never_counted_is_said(world):
    report = report_region(world, around(BLOB))
    assert [world.papers[row].citation_count for row in report.top] == [20, 10, 0]
    assert report.n_uncounted == EACH - 3
    assert report_region(world, around(0)).top == ()


def test_growth_is_that_of_the_newer_half_beside_the_whole_map(world):
    grows = report_region(world, around(BLOB)).growth
    still = report_region(world, around(0)).growth
    assert grows is not None
    assert still is not None
    assert grows.times > 10
    assert grows.p < 1e-6
    assert still.times == pytest.approx(1.0, abs=0.25)
    assert still.p > 0.05
    assert grows.split_date == still.split_date == "2020-07-01"


def test_a_region_without_papers_is_empty(world):
    report = report_region(world, Region.box(100, 100, 101, 101))
    assert (report.n_papers, report.keywords, report.years, report.top, report.growth) == (0, (), (), (), None)
    assert report.notes == ("no growth rate: no paper here is dated within the last 10 years",)


def test_the_whole_map_is_told_by_what_is_most_frequent(world):
    report = report_region(world, Region.box(-100, -100, 100, 100))
    assert report.n_papers == report.n_anywhere
    assert {keyword.text for keyword in report.keywords} & {"recent results", "new method"}


def test_one_paper_is_told_by_its_keyword(world):
    x, y = (float(value) for value in world.coordinates[0])
    report = report_region(world, Region.box(x - 1e-3, y - 1e-3, x + 1e-3, y + 1e-3))
    assert report.n_papers == 1
    assert [keyword.text for keyword in report.keywords] == [TOPICS[0]]


def test_without_keywords_and_dates_that_is_said(tmp_path):
    undated = [replace(paper, year=None) for paper in blob_papers()]
    bare = replace(map_data(tmp_path, undated), papers=table(undated), terms=None, this_year=None)
    report = report_region(bare, around(BLOB))
    assert report.n_undated == EACH
    assert report.growth is None
    assert report.notes[0] == "no keywords: this corpus has no keyword index"
    assert report.notes[1].startswith("no growth rate: it needs at least 20 dated papers")
