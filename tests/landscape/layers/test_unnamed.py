"""Concepts that the thesaurus lacks: the planted one is found, and neither known names nor manners of speaking."""

from dataclasses import replace

import pytest

from pathfinder.corpus.thesaurus import Concept, open_thesaurus, write_thesaurus
from pathfinder.landscape.data.layer import Layer, UnavailableLayer
from pathfinder.landscape.layers.base import layer
from pathfinder.landscape.layers.unnamed_concepts import unnamed_layer
from tests.landscape.blobs import TOPICS, blob_of, map_data, papers

PLANTED = 3


def with_keyword(keyword, each_nth=5, blobs=(PLANTED,)):
    """Adds `keyword` to every `each_nth` paper of `blobs`."""

    def change(blob, paper):
        has_it = blob in blobs and int(paper.paper_id.split("-")[1]) % each_nth == 0
        return replace(paper, keywords=(*paper.keywords, keyword)) if has_it else paper

    return change


@pytest.fixture
def thesaurus(tmp_path):
    concepts = [Concept(str(i), topic.capitalize()) for i, topic in enumerate(TOPICS)]
    concepts += [Concept("n", "Nebulae"), Concept("k", "Known knots", ("Tangled rope",))]
    write_thesaurus("Made-up Sky", concepts, tmp_path / "thesaurus")
    return open_thesaurus(tmp_path / "thesaurus")


def found_in(tmp_path, thesaurus, change):
    return layer(map_data(tmp_path, papers(change), thesaurus=thesaurus), "unnamed")


def test_without_a_thesaurus_the_way_to_one_is_said(tmp_path):
    result = unnamed_layer(map_data(tmp_path, papers()))
    assert isinstance(result, UnavailableLayer)
    assert result.reason == "this corpus has no thesaurus: build with --thesaurus FILE"


def test_a_concept_without_a_name_is_found_where_it_is_and_nothing_else(tmp_path, thesaurus):
    result = found_in(tmp_path, thesaurus, with_keyword("fuzzy nebulae"))
    assert isinstance(result, Layer)
    (mark,) = result.marks
    assert mark.label == "fuzzy nebulae"
    assert blob_of(mark.x, mark.y) == PLANTED
    ((rank, concept, n, region, n_there, lift, nearest, x, y),) = result.table.rows
    assert (x, y) == pytest.approx((mark.x, mark.y), abs=0.001)
    assert (rank, concept, n, nearest) == (1, "fuzzy nebulae", 30, "nebula")
    assert "dust lanes" in region
    assert n_there >= 25
    assert lift > 10


def test_what_the_thesaurus_knows_under_any_name_is_not_found(tmp_path, thesaurus):
    for name in ("known knots", "Tangled Ropes", "nebula"):
        result = found_in(tmp_path, thesaurus, with_keyword(name))
        assert result.table.rows == ()
        assert result.notes == ("the thesaurus has a name for every concept that is frequent in a single region",)


def test_what_is_spread_all_over_the_map_is_a_manner_of_speaking(tmp_path, thesaurus):
    result = found_in(tmp_path, thesaurus, with_keyword("bright prospects", 20, range(len(TOPICS))))
    assert result.table.rows == ()


def test_a_single_word_is_too_vague_unless_it_is_an_acronym(tmp_path, thesaurus):
    assert found_in(tmp_path, thesaurus, with_keyword("wobble")).table.rows == ()
    assert [row[1] for row in found_in(tmp_path, thesaurus, with_keyword("FRBs")).table.rows] == ["FRBs"]


def test_a_handful_of_papers_is_a_coincidence(tmp_path, thesaurus):
    assert found_in(tmp_path, thesaurus, with_keyword("fuzzy nebulae", 35)).table.rows == ()
