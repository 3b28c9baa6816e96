import numpy as np

from pathfinder.index.terms import KeywordIndex, build_keyword_index
from pathfinder.landscape.density import densities, grid_over, map_extent
from pathfinder.landscape.naming.clusters import MapCluster, find_clusters, name_by_keywords
from pathfinder.landscape.statistics.keywords import Phrase
from pathfinder.types import Paper
from tests.landscape.planted import table

CROWDS = {"neutron stars": (2, 2), "dark matter": (8, 3), "hot planets": (5, 8)}
N_EACH = 40


def plant_crowds(tmp_path):
    """Three crowds far from each other, each with a phrase of its own, and one phrase everywhere."""
    rng = np.random.default_rng(0)
    places = np.vstack([rng.normal(place, 0.3, size=(N_EACH, 2)) for place in CROWDS.values()]).astype(np.float32)
    phrases = [phrase for phrase in CROWDS for _ in range(N_EACH)]
    papers = table([Paper(str(i), "A", "B", keywords=(own, "results")) for i, own in enumerate(phrases)])
    build_keyword_index(papers, tmp_path / "terms")
    return places, papers, KeywordIndex.open(tmp_path / "terms")


def parts_in(tmp_path):
    places, papers, index = plant_crowds(tmp_path)
    grid = grid_over(map_extent(places))
    return find_clusters(places, grid, densities(places, grid), index, papers), places


def test_each_crowd_is_a_continent_with_its_own_name_where_it_lies(tmp_path):
    parts, _ = parts_in(tmp_path)
    continents = {part.phrases[0].text: (part.x, part.y) for part in parts if part.level == 1}
    assert continents.keys() == CROWDS.keys()
    for name, place in continents.items():
        assert np.hypot(*np.subtract(place, CROWDS[name])) < 0.5


def test_central_papers_are_those_nearest_to_the_peak(tmp_path):
    parts, places = parts_in(tmp_path)
    part = next(part for part in parts if part.level == 1)
    crowd = list(CROWDS).index(part.phrases[0].text)
    assert all(row // N_EACH == crowd for row in part.central)
    apart = np.hypot(*(places[list(part.central)] - [part.x, part.y]).T)
    assert (np.diff(apart) >= 0).all()


def test_levels_come_in_their_order_and_in_each_the_most_papers_first(tmp_path):
    parts, _ = parts_in(tmp_path)
    order = [(part.level, -part.n_papers) for part in parts]
    assert order == sorted(order)


def test_a_map_of_a_few_papers_has_no_names(tmp_path):
    papers = table([Paper(str(i), "A", "B", keywords=("dust",)) for i in range(6)])
    build_keyword_index(papers, tmp_path / "terms")
    places = np.random.default_rng(0).uniform(size=(6, 2)).astype(np.float32)
    grid = grid_over(map_extent(places))
    assert find_clusters(places, grid, densities(places, grid), KeywordIndex.open(tmp_path / "terms"), papers) == ()


def part(level, *texts, score=1.0):
    phrases = tuple(Phrase(text, tuple(text.lower().rstrip("s").split()), score, 3.0) for text in texts)
    return MapCluster(0.0, float(level), level, 10, phrases, ())


def test_a_name_that_is_taken_gives_way_to_the_next_phrase():
    labels = name_by_keywords([part(1, "black holes"), part(2, "Black hole", "jets"), part(3, "jets")])
    assert [(label.text, label.level) for label in labels] == [("Black holes", 1), ("Jets", 2)]
    assert {label.named_by for label in labels} == {"keywords"}


def test_a_phrase_goes_to_the_part_of_its_level_that_it_fits_best():
    labels = name_by_keywords([part(1, "waves", "inflation", score=2.0), part(1, "waves", "mergers", score=5.0)])
    assert [label.text for label in labels] == ["Inflation", "Waves"]


def test_a_part_of_a_lower_level_never_takes_the_name_of_a_higher_one():
    labels = name_by_keywords([part(1, "waves", score=1.0), part(2, "waves", score=9.0)])
    assert [(label.text, label.level) for label in labels] == [("Waves", 1)]


def test_a_name_begins_with_a_capital_unless_it_may_be_a_symbol():
    labels = name_by_keywords(
        [part(1, "dust grains"), part(1, "pH value"), part(1, "kpc scales"), part(1, "e-process")]
    )
    assert [label.text for label in labels] == ["Dust grains", "pH value", "kpc scales", "e-process"]
