import math
import tracemalloc

import numpy as np
import pytest

from pathfinder.landscape.data.layer import UnavailableLayer
from pathfinder.landscape.data.placed_reviews import Review
from pathfinder.landscape.layers.base import layer, list_layers
from pathfinder.landscape.layers.reviews import distances
from tests.landscape.planted import GRID, HERE, HERE_CELL, around, map_data, plain, scatter

THERE = (3.25, 0.75)
NEAR = Review("Of what is there", 2020, *THERE, row=3)
PAPERS = [*plain(100), *plain(100, title="b")]
PLACES = np.concatenate([around(HERE, 100), around(THERE, 100)])


@pytest.mark.parametrize("reviews", [None, ()])
def test_without_reviews_the_layer_says_how_to_get_them(reviews):
    result = layer(map_data(plain(9), scatter(9), reviews=reviews), "reviews")
    assert isinstance(result, UnavailableLayer)
    assert result.reason == "this corpus has no list of reviews: build with --reviews FILE"


@pytest.mark.parametrize(
    ("n", "reason"),
    [(1, "the only listed review has no place"), (2000, "none of the 2,000 listed reviews has a place")],
)
def test_reviews_that_were_given_and_have_no_place_are_not_taken_for_none_given(n, reason):
    result = layer(map_data(plain(9), scatter(9), reviews=(), n_reviews_without_place=n), "reviews")
    assert result.reason.startswith(
        f"{reason} on the map, because no paper here is similar to it: build with --reviews FILE"
    )
    assert list_layers(map_data(plain(9), scatter(9), reviews=(), n_reviews_without_place=n))[3] == result


def test_a_corpus_that_has_no_reviews_says_why_in_its_own_words():
    result = layer(map_data(plain(9), scatter(9), reviews_absent="it is older than its reviews"), "reviews")
    assert result.reason == "it is older than its reviews"


def test_distances_to_many_reviews_take_little_memory():
    places = scatter(50_000).tolist()
    reviews = tuple(Review("A review", 2020, x, y) for x, y in places)
    of = map_data(PAPERS, PLACES)
    tracemalloc.start()
    apart, nearest = distances(of, reviews)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # All cells by all reviews would be 64 * 50,000 * 8 bytes = 26 MB.
    assert peak < 15e6
    x, y = GRID.centre(HERE_CELL)
    apart_here = [math.dist((x, y), place) for place in places]
    assert apart[HERE_CELL] == pytest.approx(min(apart_here) / 4)
    assert nearest[HERE_CELL] == apart_here.index(min(apart_here))


@pytest.mark.parametrize("year", [2014, None])
def test_old_or_undated_reviews_are_shown_and_no_distance_is_drawn(year):
    result = layer(map_data(PAPERS, PLACES, reviews=(Review("Old", year, *HERE),)), "reviews")
    assert result.heatmaps == ()
    assert [mark.title for mark in result.marks] == ["older review"]
    assert "no distance" in result.notes[0]


def test_what_is_far_from_a_review_is_found_and_nothing_else():
    # The old review that lies there does not count.
    result = layer(map_data(PAPERS, PLACES, reviews=(NEAR, Review("Old", 1990, *HERE))), "reviews")
    veil = result.heatmaps[0].values.ravel()
    assert veil[HERE_CELL] == 1.0
    assert np.flatnonzero(~np.isnan(veil)).tolist() == [HERE_CELL, 54]
    assert veil[54] == pytest.approx(0.0, abs=1e-6)


def test_the_table_ranks_by_distance_and_names_the_nearest_review():
    rows = layer(map_data(PAPERS, PLACES, reviews=(NEAR,)), "reviews").table.rows
    # From (0.75, 3.25) to (3.25, 0.75): 2.5 * sqrt(2) of 4 units; the other block has its review.
    assert [line[1:5] for line in rows] == [
        (88.4, 100, "Of what is there", 2020),
        (0.0, 100, "Of what is there", 2020),
    ]


def test_reviews_are_told_apart_by_how_they_were_placed():
    result = layer(
        map_data(PAPERS, PLACES, reviews=(NEAR, Review("Elsewhere", 2021, 1, 1)), n_reviews_without_place=4), "reviews"
    )
    assert "1 are papers in this corpus, 1 were placed by their titles" in result.description
    assert [mark.row for mark in result.marks] == [3, None]
    assert result.notes == ("4 listed reviews have no place on the map: no paper here is similar to them",)


def test_reviews_are_offered_with_their_number():
    offers = {offer.slug: offer for offer in list_layers(map_data(PAPERS, PLACES, reviews=(NEAR,)))}
    assert offers["reviews"].n_papers == 1
