"""Titles that sources wrote in LaTeX, as layers tell them: where they are pointed at, and in tables."""

from dataclasses import replace

import pytest

from pathfinder.landscape.data.placed_reviews import Review
from pathfinder.landscape.layers import bridges
from pathfinder.landscape.layers.base import layer
from pathfinder.landscape.layers.own_papers import found_layer
from pathfinder.types import Paper
from tests.landscape.planted import HERE, around, map_data

WRITTEN, READ = r"Stars of 5 $M_\odot$", "Stars of 5 M☉"
PAPERS = [Paper(f"p{i}", WRITTEN, "", authors=("A. Wanderer",), year=2020 + i) for i in range(6)]
REVIEWS = (Review(WRITTEN, 2023, *HERE),)
MAP_DATA = map_data(PAPERS, around(HERE, 6), reviews=REVIEWS)


@pytest.mark.parametrize(
    ("slug", "plain_title", "column"),
    [
        ("shelf:p0", f"{READ} (2020)", "title"),
        ("reviews", f"{READ} (2023)", "nearest review"),
        ("author:Wanderer", f"2020: {READ}", None),
    ],
)
def test_a_title_is_told_in_plain_letters(slug, plain_title, column):
    result = layer(MAP_DATA, slug)
    assert result.marks[0].text == plain_title
    if column is not None:
        place = [table_column.title for table_column in result.table.columns].index(column)
        assert result.table.rows[0][place] == READ


def test_a_paper_between_two_regions_is_told_in_plain_letters():
    bridge = bridges.Bridge(0, (0, 1), (6, 6), 0.7)
    assert bridges._mark(MAP_DATA, ("dust", "gas"), bridge, 1).text == f"{READ}: between dust and gas"
    assert bridges._row(MAP_DATA, ("dust", "gas"), bridge, 1)[1] == READ


def test_what_was_found_is_told_in_plain_letters(pf):
    result = pf.search("What is the value of the Hubble constant?", top_k=1)
    (hit,) = result.hits
    drawn_layer = found_layer(
        pf.map_data, replace(result, hits=(replace(hit, paper=replace(hit.paper, title=WRITTEN)),))
    )
    assert drawn_layer.marks[0].text.startswith(READ)
    assert drawn_layer.table.rows[0][1] == READ
