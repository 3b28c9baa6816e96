from dataclasses import replace

import numpy as np
import pytest

from pathfinder.corpus.thesaurus import Concept, open_thesaurus, write_thesaurus
from pathfinder.errors import UsageError
from pathfinder.landscape.data.groups import papers_by_concept, top_concepts, with_narrower
from pathfinder.landscape.data.layer import UnavailableLayer
from pathfinder.landscape.layers.base import layer, list_layers
from pathfinder.landscape.layers.topics import contours, level_that_holds, top_shares
from pathfinder.types import Paper
from tests.landscape.conftest import CONCEPTS
from tests.landscape.planted import GRID, HERE, HERE_CELL, around, map_data, plain, scatter

THERE = (3.25, 0.75)


@pytest.fixture
def field(indexed):
    """Galaxies everywhere, planets here, quasars there."""
    papers = [
        *plain(2400, keywords=("spiral galaxies",)),
        *plain(60, title="P", keywords=("hot planet",)),
        *plain(60, title="Q", keywords=("bright quasars",)),
    ]
    return indexed(papers, np.concatenate([scatter(2400), around(HERE, 60), around(THERE, 60)]))


@pytest.mark.parametrize("slug", ["topic:phlogiston", "topic:", "topic"])
def test_a_concept_that_is_none_is_refused_with_the_way_out(field, slug):
    with pytest.raises(UsageError, match="name one"):
        layer(field, slug)


@pytest.mark.parametrize("slug", ["topics", "topic:planets"])
def test_without_a_thesaurus_the_layer_says_how_to_get_one(slug):
    result = layer(map_data(plain(10), scatter(10)), slug)
    assert isinstance(result, UnavailableLayer)
    assert result.reason == "this corpus has no thesaurus: build with --thesaurus FILE"


def test_a_corpus_older_than_its_layers_says_so(thesaurus):
    assert "build again" in layer(map_data(plain(10), scatter(10), thesaurus=thesaurus), "topics").reason


def test_a_concept_that_no_paper_has_is_absent(field):
    assert "no paper here has Moons" in layer(field, "topic:moons").reason


def test_a_topic_is_found_where_it_was_planted_and_nowhere_else(field):
    planets = layer(field, "topic:Planet")
    assert planets.slug == "topic:planets"
    assert np.flatnonzero(~np.isnan(planets.heatmaps[0].values)).tolist() == [HERE_CELL]
    assert [line[1] for line in planets.table.rows] == [60]
    outline = np.concatenate([line.points for line in planets.lines])
    assert np.abs(outline - np.array(HERE)).max() < 1.0


def test_a_topic_can_be_narrowed_to_years(field):
    assert isinstance(layer(field, "topic:planets", years=(2021, None)), UnavailableLayer)


def test_top_concepts_are_drawn_as_contours_around_their_papers(field):
    topics = layer(field, "topics")
    assert {line.title for line in topics.lines} == {"Planets", "Galaxies"}
    planets = np.concatenate([line.points for line in topics.lines if line.title == "Planets"])
    assert np.abs(planets - np.array(HERE)).max() < 1.0
    assert [line[:3] for line in topics.table.rows] == [("Planets", 60.0, 60), ("Galaxies", 2460.0, 2460)]
    assert topics.notes == ("0 of 2,520 papers have no concept among their keywords",)


def test_what_stands_under_a_concept_counts_for_it_and_a_paper_counts_once(indexed, thesaurus):
    papers = [
        Paper("a", "A", "", keywords=("hot planets", "moons", "quasars")),
        Paper("b", "B", "", keywords=("AGN",)),
        Paper("c", "C", "", keywords=("nebulae", "dark nebula")),
    ]
    places = scatter(3)
    own_map = indexed(papers, places)
    shares = top_shares(own_map, own_map.concepts, thesaurus)
    # Paper a has "Planets" too, which is within "hot planets": three concepts under Planets, one under Galaxies.
    assert shares["1"].tolist() == pytest.approx([3 / 4, 0, 0])
    # One common word that is no label, such as "nebulae", says too little; an abbreviation says enough.
    assert shares["2"].tolist() == pytest.approx([1 / 4, 1, 0])


def test_strays_at_the_top_of_a_file_are_no_top_concepts():
    assert [top.label for top in top_concepts(CONCEPTS)] == ["Planets", "Galaxies"]
    assert with_narrower(CONCEPTS, "1") == {"1", "3", "4"}


CIRCLE = (
    Concept("1", "Moons", broader=("2",)),
    Concept("2", "Planets", broader=("3",), narrower=("3", "1")),
    Concept("3", "Worlds", broader=("2",), narrower=("2",)),
)


def test_of_concepts_that_are_each_the_other_s_broader_one_the_first_is_a_top_concept():
    assert [top.label for top in top_concepts(CIRCLE)] == ["Planets"]
    # Under another, the circle is none.
    above = (*CIRCLE[:2], replace(CIRCLE[2], broader=("2", "4")), Concept("4", "All", narrower=("3",)))
    assert [top.label for top in top_concepts(above)] == ["All"]


def test_papers_under_a_circle_of_concepts_are_counted(indexed, tmp_path):
    write_thesaurus("Made-up Sky", CIRCLE, tmp_path / "circle")
    papers = [*plain(12, keywords=("worlds",)), *plain(5, title="M", keywords=("moons",)), *plain(3, title="N")]
    own_map = indexed(papers, scatter(20), with_thesaurus=False, thesaurus=open_thesaurus(tmp_path / "circle"))
    own_map = replace(own_map, concepts=papers_by_concept(own_map.terms, own_map.thesaurus))
    topics = layer(own_map, "topics")
    assert [line[:3] for line in topics.table.rows] == [("Planets", 17.0, 17)]
    assert topics.notes == ("3 of 20 papers have no concept among their keywords",)


def test_papers_whose_concepts_are_strays_are_not_told_to_have_none(indexed):
    papers = [*plain(12, keywords=("planets",)), *plain(5, title="S", keywords=("a stray",)), *plain(3, title="N")]
    assert layer(indexed(papers, scatter(20)), "topics").notes == (
        "3 of 20 papers have no concept among their keywords",
        "5 of 20 papers have concepts, but none in these topics",
    )


def test_topics_are_offered_by_name(field):
    offers = {offer.slug: offer for offer in list_layers(field)}
    assert offers["topic:planets"].n_papers == 60
    assert offers["topic"].choice


def test_a_contour_encloses_the_densest_cells_that_hold_its_share():
    density = np.zeros((8, 8))
    density[3:5, 3:5] = 2.0
    density[0, 0] = 1.0
    # Half of 9 is reached with three cells of 2.
    assert level_that_holds(density, 0.5) == 2.0
    assert level_that_holds(density, 1.0) == 1.0
    (line,) = contours(GRID, np.where(density == 2.0, 2.0, 0.0), 1.0)
    assert line[0].tolist() == line[-1].tolist()
    assert (line.min(), line.max()) == pytest.approx((1.5, 2.5))


def test_a_contour_at_the_edge_of_the_map_is_closed():
    density = np.zeros((8, 8))
    density[:2, :2] = 1.0
    (line,) = contours(GRID, density, 0.5)
    assert line[0].tolist() == line[-1].tolist()
    assert line[:, 0].min() >= 0
    assert line[:, 1].max() <= 4
