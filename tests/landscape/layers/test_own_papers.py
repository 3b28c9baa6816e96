import pytest

from pathfinder.errors import UsageError
from pathfinder.landscape.data.layer import LayerInfo
from pathfinder.landscape.layers.base import layer, list_layers
from pathfinder.landscape.layers.own_papers import found_layer
from tests.landscape.planted import map_data, plain, scatter

PLACES = scatter(5)
MAP_DATA = map_data(plain(5), PLACES)


@pytest.mark.parametrize("slug", ["shelf", "shelf:", "shelf:;"])
def test_marked_papers_without_an_id_are_refused(slug):
    with pytest.raises(UsageError, match="shelf"):
        layer(MAP_DATA, slug)


def test_marked_papers_are_shown_in_their_order_and_those_that_are_not_here_are_named():
    marked = layer(MAP_DATA, "shelf:A paper-3; A paper-1 ;gone;A paper-3")
    assert [mark.row for mark in marked.marks] == [3, 1]
    assert [(mark.x, mark.y) for mark in marked.marks] == [tuple(map(float, PLACES[row])) for row in (3, 1)]
    assert marked.notes == ("not in this corpus: gone",)
    assert marked.slug == "shelf:A paper-3;A paper-1;gone"


def test_marked_papers_are_offered_with_an_example_that_can_be_drawn():
    (offer,) = (info for info in list_layers(MAP_DATA) if info.slug == "shelf")
    assert isinstance(offer, LayerInfo)
    assert offer.choice == "paper ids, such as A paper-0, separated by semicolons"
    assert layer(MAP_DATA, "shelf:A paper-0").description == "One paper of your choice."


def test_what_was_found_is_shown_where_it_lies_with_its_rank_and_outliers(pf):
    result = pf.search("What is the value of the Hubble constant?", top_k=8)
    layer = found_layer(pf.map_data, result)
    assert [mark.label for mark in layer.marks] == [str(rank) for rank in range(1, 9)]
    for hit, mark in zip(result.hits, layer.marks, strict=True):
        assert (mark.x, mark.y) == tuple(map(float, pf.landscape.coordinates[hit.row]))
        assert (mark.title == "found, outlier") == bool(hit.outlier)
    apart = {None: None, True: "yes", False: "no"}
    assert [line[3] for line in layer.table.rows] == [apart[hit.outlier] for hit in result.hits]
