"""What a layer's table says of places."""

import pytest

from pathfinder.facade import Pathfinder
from pathfinder.landscape.data.layer import Column, Layer, LayerInfo, Table


def test_a_row_lies_where_its_x_and_y_say() -> None:
    table = Table(tuple(map(Column, ("topic", "y", "x"))), (("stars", 2.0, 1), ("dust", None, 3.0), ("gas", "?", 4.0)))
    assert table.places == ((1.0, 2.0), None, None)


def test_a_table_of_no_places_leads_nowhere() -> None:
    table = Table((Column("year"), Column("x")), ((2000, 1.0), (2001, 2.0)))
    assert table.places == (None, None)


@pytest.mark.parametrize("kind", ["mission:hubble", "author:Riess, A", "shelf:riess-2022"])
def test_a_table_and_its_marks_name_the_same_places(pf: Pathfinder, kind: str) -> None:
    result = pf.layer(kind)
    assert isinstance(result, Layer)
    assert result.table is not None
    assert None not in result.table.places
    assert not result.marks or {(mark.x, mark.y) for mark in result.marks} == set(result.table.places)


def test_each_table_of_a_layer_that_is_drawn_in_places_has_theirs(pf: Pathfinder) -> None:
    without = {"years"}  # of the whole map
    for offer in pf.layers():
        result = pf.layer(offer.slug) if isinstance(offer, LayerInfo) and not offer.choice else None
        if isinstance(result, Layer) and result.table and result.table.rows and result.slug not in without:
            assert any(result.table.places), result.slug
