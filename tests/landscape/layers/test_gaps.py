"""Gaps: the region that is alive and lacks a review is found, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from pathfinder.landscape.data.layer import Layer, LayerInfo, UnavailableLayer
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.data.placed_reviews import Review
from pathfinder.landscape.layers.base import layer, list_layers
from pathfinder.landscape.layers.gaps import gaps_layer, score
from pathfinder.landscape.layers.reviews import recent_reviews
from pathfinder.landscape.statistics.districts import (
    NEVER,
    Districts,
    Factor,
    citations,
    divide,
    growth,
    nearest_middle,
    review_age,
    touching,
)
from tests.landscape.blobs import EACH, GRID, TOPICS, blob_of, map_data, middle, papers, table

PLANTED, REVIEWED = 7, 18
"""Two blobs that are alike; the second has a review."""


def gap_entries(map_data):
    """The entries of the layers of what is missing, in their order."""
    entries = {entry.slug: entry for entry in list_layers(map_data)}
    return tuple(entries[slug] for slug in ("gaps", "bridges", "unnamed"))


def lively(blob, paper):
    """The papers of both are of the last years."""
    return replace(paper, year=2022 + paper.year % 3) if blob in (PLANTED, REVIEWED) else paper


def citation_percentiles(papers_, *blobs):
    """Percentiles that are even everywhere, and high in `blobs`."""
    even = np.random.default_rng(0).permutation(np.arange(1, len(papers_) + 1) / len(papers_)).tolist()
    return [
        0.5 + p / 2 if int(paper.paper_id.split("-")[0]) in blobs else p for p, paper in zip(even, papers_, strict=True)
    ]


def reviews(year=2010, **others):
    """A review in each blob, of `year` but where `others` says it."""
    return tuple(Review(f"On {topic}", others.get(f"b{i}", year), *middle(i)) for i, topic in enumerate(TOPICS))


@pytest.fixture(scope="module")
def planted(tmp_path_factory) -> MapData:
    papers_ = papers(lively)
    data = map_data(
        tmp_path_factory.mktemp("planted"), papers_, percentiles=citation_percentiles(papers_, PLANTED, REVIEWED)
    )
    return replace(data, reviews=reviews(b18=2020))


@pytest.fixture(scope="module")
def even(tmp_path_factory) -> MapData:
    papers_ = papers()
    return replace(
        map_data(tmp_path_factory.mktemp("even"), papers_, percentiles=citation_percentiles(papers_)), reviews=reviews()
    )


def veiled_blobs(result: Layer) -> set[int]:
    """The blobs under the veil of a layer."""
    return {
        blob_of(*GRID.centre(int(cell)))
        for veil in result.heatmaps
        for cell in np.flatnonzero(~np.isnan(veil.values.ravel()))
    }


# What cannot be counted -------------------------------------------------------------------------------


def test_too_few_papers_are_said_with_the_number_that_it_takes(tmp_path):
    few = map_data(tmp_path, papers(each=2))
    result = gaps_layer(few)
    assert isinstance(result, UnavailableLayer)
    assert result.reason == "regions need at least 240 papers, but there are only 40: add papers"
    assert all(isinstance(offer, UnavailableLayer) for offer in gap_entries(few))


def test_with_no_factor_but_density_there_is_no_layer_and_each_reason_is_given(tmp_path):
    undated = papers(lambda _, paper: replace(paper, year=None), each=20)
    result = gaps_layer(replace(map_data(tmp_path, undated), this_year=None))
    assert isinstance(result, UnavailableLayer)
    assert "growth needs at least 20 dated papers" in result.reason
    assert "no region has 8 papers with differing known citation counts" in result.reason
    assert "this corpus has no list of reviews: build with --reviews FILE" in result.reason


def test_a_missing_factor_is_said_left_out_of_the_score_and_never_a_nought(planted):
    without = replace(planted, papers=table(list(planted.papers)), reviews=None)
    result = gaps_layer(without)
    assert isinstance(result, Layer)
    assert "citations: not in the score (no region has 8 papers with differing known citation counts)" in result.notes
    assert (
        "years since a review: not in the score (this corpus has no list of reviews: build with --reviews FILE)"
        in result.notes
    )
    titles = [column.title for column in result.table.columns]
    for missing in ("citations", "years since a review"):
        assert {row[titles.index(missing)] for row in result.table.rows} == {None}
    assert "no review from the last" not in result.description
    assert veiled_blobs(result) == {PLANTED, REVIEWED}


def test_a_factor_that_few_regions_know_is_not_in_the_score_of_the_others(planted):
    percentiles = [p if i < 2 * EACH else None for i, p in enumerate(citation_percentiles(list(planted.papers)))]
    scores = score(replace(planted, papers=table(list(planted.papers), percentiles)))
    ranks = np.array([factor.ranks for factor in scores.factors])
    assert 0 < (~np.isnan(ranks[2])).sum() < len(scores.districts)
    np.testing.assert_allclose(scores.scores, np.nanmean(ranks, axis=0))


# The planted gap --------------------------------------------------------------------------------------


def test_the_living_region_without_a_recent_review_is_found_and_nothing_elsewhere(planted):
    result = layer(planted, "gaps")
    assert isinstance(result, Layer)
    assert veiled_blobs(result) == {PLANTED}
    assert {blob_of(mark.x, mark.y) for mark in result.marks} == {PLANTED}
    assert "nova shells" in result.marks[0].text
    assert "no review from the last 10 years" in result.description
    titles = [column.title for column in result.table.columns]
    gaps = [row for row in result.table.rows if row[titles.index("gap")] == "yes"]
    assert {blob_of(row[titles.index("x")], row[titles.index("y")]) for row in gaps} == {PLANTED}
    assert gaps[0][titles.index("years since a review")] == 14
    assert {row[titles.index("covered")] for row in gaps} == {"before"}
    assert {row[titles.index("covered")] for row in result.table.rows} == {"before", "recently"}


def test_on_an_even_map_nothing_is_found_and_that_is_said(even):
    result = gaps_layer(even)
    assert isinstance(result, Layer)
    assert (result.heatmaps, result.marks) == ((), ())
    assert "no region without a recent review grows or is cited more than chance would explain" in result.notes
    assert len(result.table.rows) == 40


def test_growth_alone_and_citations_alone_are_enough(planted, even):
    papers_ = list(planted.papers)
    growing = replace(planted, papers=table(papers_, citation_percentiles(papers_)))
    assert veiled_blobs(gaps_layer(growing)) == {PLANTED}
    assert score(growing).factors[2].p.min() > 0.001
    papers_ = list(even.papers)
    often_cited = replace(even, papers=table(papers_, citation_percentiles(papers_, PLANTED)))
    assert veiled_blobs(gaps_layer(often_cited)) == {PLANTED}


def test_the_ranking_is_highest_first_and_the_planted_region_is_near_its_top(planted):
    result = gaps_layer(planted)
    scores = [row[3] for row in result.table.rows]
    assert scores == sorted(scores, reverse=True)
    x, y = result.table.rows[0][-2:]
    assert blob_of(x, y) in (PLANTED, REVIEWED)


# Its parts, by hand -----------------------------------------------------------------------------------


def two(map_data: MapData) -> Districts:
    """The map cut at x = 4."""
    right = map_data.coordinates[:, 0] >= 4
    cells = np.array([map_data.grid.centre(i)[0] >= 4 for i in range(map_data.grid.n_cells)])
    return Districts(np.array([[2.0, 4.0], [7.0, 4.0]]), right.astype(np.int64), cells.astype(np.int64))


def test_growth_is_the_quotient_of_newer_and_older_beside_that_of_the_whole(even):
    """Left are 8 blobs, all of 2015-2019; right are 12, all of 2020-2024: what parts them is 1 January 2020."""
    years = np.where(
        even.coordinates[:, 0] < 4,
        2015 + np.arange(len(even.cell_of_paper)) % 5,
        2020 + np.arange(len(even.cell_of_paper)) % 5,
    )
    papers_ = [replace(paper, year=int(year)) for paper, year in zip(even.papers, years, strict=True)]
    quotients = growth(replace(even, papers=table(papers_)), two(even))
    n = len(papers_)
    left, right = 8 * EACH, 12 * EACH
    newer = (years >= 2021).sum()
    assert newer == 1440
    expected = (
        (0 + 0.5) / (left + 0.5) / (newer / (n - newer)),
        (newer + 0.5) / (right - newer + 0.5) / (newer / (n - newer)),
    )
    np.testing.assert_allclose(quotients.values, expected)
    assert quotients.p[0] == 1.0
    assert quotients.p[1] < 1e-100


def test_citations_are_the_mean_percentile_where_eight_are_known(even):
    percentiles = [None] * len(even.papers)
    left = np.flatnonzero(even.coordinates[:, 0] < 4)
    for place, row in enumerate(left[:8]):
        percentiles[row] = (place + 1) / 8
    right = np.flatnonzero(even.coordinates[:, 0] >= 4)
    for row in right[:7]:
        percentiles[row] = 1.0
    means = citations(replace(even, papers=table(list(even.papers), percentiles)), two(even))
    assert means.values[0] == pytest.approx(4.5 / 8)
    assert np.isnan(means.values[1])
    assert np.isnan(means.p[1])


def test_the_last_review_of_a_region_counts_and_one_of_the_future_does_not(even):
    districts = divide(even, EACH, 50)
    near_blob, other = (int(nearest_middle(np.array([middle(blob)]), districts.middles)[0]) for blob in (0, 19))
    own_reviews = (Review("a", 1990, *middle(0)), Review("b", 2004, *middle(0)), Review("c", None, *middle(19)))
    ages = review_age(replace(even, reviews=(*own_reviews, Review("d", 2031, *middle(19)))), districts)
    assert (ages.values[near_blob], ages.values[other]) == (20.0, NEVER)
    unplaced = review_age(replace(even, reviews=(), n_reviews_without_place=7), districts)
    assert unplaced.missing.startswith("none of the 7 listed reviews has a place")


def test_a_review_covers_the_districts_around_it_and_no_others(even):
    districts = divide(even, EACH, 50)
    ages = review_age(replace(even, reviews=(Review("a", 2020, *middle(0)),)), districts)
    covered = {blob_of(*districts.middles[i]) for i in np.flatnonzero(ages.values == 4.0)}
    assert 0 in covered
    assert covered <= {0, 1, 5, 6}


def test_ranks_are_shares_of_the_others_and_equals_count_half():
    factor = Factor("x", "", np.array([1.0, np.nan, 3.0, 3.0, 4.0]))
    np.testing.assert_allclose(factor.ranks, [0, np.nan, 0.5, 0.5, 1])
    assert np.isnan(Factor("x", "", np.array([np.nan, 2.0])).ranks).all()


def test_a_region_that_no_review_ever_covered_has_no_rank_for_it_and_that_is_said(planted):
    ages = Factor("x", "", np.array([1.0, NEVER, 3.0]))
    np.testing.assert_allclose(ages.ranks, [0, np.nan, 1])
    elsewhere = gaps_layer(replace(planted, reviews=(Review("a", 2020, *middle(0)), Review("b", 2001, *middle(4)))))
    assert veiled_blobs(elsewhere) == {PLANTED, REVIEWED}
    titles = [column.title for column in elsewhere.table.columns]
    never = [row for row in elsewhere.table.rows if row[titles.index("covered")] == "never"]
    assert never
    assert {row[titles.index("years since a review")] for row in never} == {None}
    (note,) = [note for note in elsewhere.notes if "no listed review covers" in note]
    assert note.endswith("leave out the age of their last review")


# Districts --------------------------------------------------------------------------------------------


def test_districts_have_every_paper_and_cell_once_and_lie_where_papers_are(even):
    districts = divide(even, EACH, 50)
    assert len(districts) == 20
    assert districts.sizes.sum() == len(even.papers)
    assert len(districts.of_cell) == GRID.n_cells
    assert np.array_equal(nearest_middle(districts.middles, districts.middles), np.arange(20))


def test_copies_of_one_place_make_one_district(tmp_path):
    papers_ = papers(each=20)
    one_place = map_data(tmp_path, papers_, where=np.ones((len(papers_), 2), dtype=np.float32))
    assert len(divide(one_place, 60, 150)) == 1


def test_districts_touch_their_neighbours_and_themselves(even):
    districts = divide(even, EACH, 50)
    touch = touching(even, districts)
    assert touch.diagonal().all()
    assert np.array_equal(touch, touch.T)
    near = nearest_middle(np.array([middle(0), middle(1), middle(19)]), districts.middles)
    far = nearest_middle(np.array([middle(19)]), districts.middles)
    assert touch[near[0], near[1]]
    assert not touch[near[0], far[0]]


def test_the_list_offers_what_can_be_made_and_says_what_lacks(even):
    slugs = [offer.slug for offer in list_layers(even)]
    assert len(slugs) == len(set(slugs))
    gaps, bridges, unnamed = gap_entries(even)
    assert isinstance(gaps, LayerInfo)
    assert isinstance(bridges, LayerInfo)
    assert isinstance(unnamed, UnavailableLayer)
    assert "--thesaurus FILE" in unnamed.reason


@pytest.mark.parametrize(("year", "is_recent"), [(2014, False), (2015, True), (2024, True)])
def test_gaps_and_reviews_agree_on_which_reviews_are_of_the_last_ten_years(tmp_path, year, is_recent):
    map_data_of_2024 = replace(map_data(tmp_path, papers()), reviews=(Review("A review", year, *middle(0)),))
    covered = [row[8] for row in gaps_layer(map_data_of_2024).table.rows]
    assert ("recently" in covered) == is_recent
    assert len(recent_reviews(map_data_of_2024)) == is_recent
