import pytest

from pathfinder.errors import UsageError
from pathfinder.landscape.layer import Offer
from pathfinder.landscape.layers.catalogue import catalogue, layer
from pathfinder.landscape.layers.found import found_layer
from tests.landscape.planted import plain, scattered, survey

PLACES = scattered(5)
KNOWN = survey(plain(5), PLACES)


@pytest.mark.parametrize("slug", ["shelf", "shelf:", "shelf:;"])
def test_an_empty_shelf_is_refused(slug):
    with pytest.raises(UsageError, match="shelf"):
        layer(KNOWN, slug)


def test_a_shelf_shows_its_papers_in_their_order_and_names_those_that_are_not_here():
    shelf = layer(KNOWN, "shelf:A paper-3; A paper-1 ;gone;A paper-3")
    assert [mark.row for mark in shelf.marks] == [3, 1]
    assert [(mark.x, mark.y) for mark in shelf.marks] == [tuple(map(float, PLACES[row])) for row in (3, 1)]
    assert shelf.notes == ("not in this corpus: gone",)
    assert shelf.slug == "shelf:A paper-3;A paper-1;gone"


def test_a_shelf_is_offered_with_an_example_that_can_be_drawn():
    (offer,) = (one for one in catalogue(KNOWN) if one.slug == "shelf")
    assert isinstance(offer, Offer)
    assert offer.needs == "ids of papers, such as A paper-0; several with semicolons between them"
    assert layer(KNOWN, "shelf:A paper-0").says == "1 paper that was chosen."


def test_what_was_found_is_shown_where_it_lies_with_its_rank_and_outliers(pf):
    result = pf.search("What is the value of the Hubble constant?", top_k=8)
    found = found_layer(pf.survey, result)
    assert [mark.label for mark in found.marks] == [str(rank) for rank in range(1, 9)]
    for hit, mark in zip(result.hits, found.marks, strict=True):
        assert (mark.x, mark.y) == tuple(map(float, pf.landscape.coordinates[hit.row]))
        assert (mark.title == "found, lies apart") == bool(hit.outlier)
    apart = {None: None, True: "yes", False: "no"}
    assert [line[3] for line in found.table.rows] == [apart[hit.outlier] for hit in result.hits]
