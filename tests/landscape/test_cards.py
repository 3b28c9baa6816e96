from dataclasses import replace

import pytest

from pathfinder.errors import UsageError
from pathfinder.landscape.data.landscape import Label
from pathfinder.landscape.naming.descriptions import (
    MAX_QUOTE_LENGTH,
    land_at,
    nearest_labels,
    nearest_rows,
    paper_card,
    place_card,
    surprise_card,
)
from pathfinder.types import Paper
from tests.landscape.planted_map import COAST, EAST, HILLS, MOUNTAINS, PLAINS, SEA, WEST, map_data

MAP_DATA = map_data()


@pytest.mark.parametrize("land", [SEA, COAST, PLAINS, HILLS, MOUNTAINS])
def test_the_land_at_a_place_follows_its_height(land):
    # The height falls by a third with every unit from the top.
    height = land.low + 0.05
    assert land_at(MAP_DATA, WEST[0] - 3 * (1 - height), WEST[1]) == land


def test_beyond_the_map_lies_the_sea():
    assert land_at(MAP_DATA, -100.0, 3.0) == SEA
    assert land_at(MAP_DATA, 8.0, 12.1) == SEA


def test_the_nearest_come_first():
    assert nearest_rows(MAP_DATA, *EAST, 2).tolist() == [40, 41]
    assert [label.text for label in nearest_labels(MAP_DATA, *EAST, 2)] == ["planets", "hot jupiters"]


def test_a_name_that_stands_twice_counts_once():
    twice = map_data(
        labels=(Label(1, 1, "dust", 1, 0.0, 3), Label(2, 2, "dust", 1, 0.0, 3), Label(3, 3, "ice", 1, 0.0, 3))
    )
    assert [label.text for label in nearest_labels(twice, 0.0, 0.0, 2)] == ["dust", "ice"]


def test_a_paper_is_presented_by_its_facts():
    card = paper_card(MAP_DATA, 2)
    assert card.heading == "Galaxy 2"
    assert card.row == 2
    assert card.lines == (
        "Published in 1992.",
        f"It lies in the mountains ({MOUNTAINS.description}), near galaxies and planets.",
        "In its own words: “Words of it.”",
        "Cited 2 times.",
        "Its nearest neighbours on the map: “Galaxy 1” (1991); “Galaxy 0” (1990); “Galaxy 3” (1993).",
    )


def test_unknown_facts_are_left_out():
    card = paper_card(map_data([Paper("bare", "Bare", "")]), 0)
    assert card.lines[0] == "Year of publication unknown."
    assert not any("Cited" in line or "words" in line for line in card.lines)


@pytest.mark.parametrize(("count", "sentence"), [(0, "Not cited yet."), (1, "Cited 1 time.")])
def test_citations_are_counted_in_words(count, sentence):
    assert sentence in paper_card(map_data([Paper("p", "P", "", citation_count=count)]), 0).lines


def test_only_the_first_sentence_is_quoted_and_a_summary_is_not_its_own_words():
    text = "Stars of type R.R. Lyrae pulsate with a period of half a day. They are old."
    quoted = next(line for line in paper_card(map_data([Paper("p", "P", text)]), 0).lines if "“Stars" in line)
    assert quoted == "In its own words: “Stars of type R.R. Lyrae pulsate with a period of half a day.”"
    summary = paper_card(map_data([Paper("p", "P", text, is_summary=True)]), 0)
    assert any(line.startswith("Summary: Stars") for line in summary.lines)


def test_a_long_sentence_is_cut_between_words():
    quoted = paper_card(map_data([Paper("p", "P", "word " * 200)]), 0).lines[2]
    assert quoted.endswith("word ...”")
    assert len(quoted) < MAX_QUOTE_LENGTH + 40


def test_a_place_is_presented_by_its_size_years_papers_and_neighbours():
    card = place_card(MAP_DATA, MAP_DATA.atlas.labels[0])
    assert card.heading == "galaxies"
    assert card.lines == (
        "A continent of 40 papers. No other continent on this map is denser.",
        "The papers near its centre date from 1990 to 2019.",
        "Most cited there: “Galaxy 29” (2019); “Galaxy 28” (2018); “Galaxy 27” (2017).",
        "Next to it: planets, hot jupiters.",
    )


def test_a_place_is_ranked_among_those_of_its_kind():
    first = [place_card(MAP_DATA, label).lines[0] for label in MAP_DATA.atlas.labels[1:]]
    assert first == [
        "A continent of 20 papers. 1 of the 2 continents on this map is denser.",
        "A country of 8 papers. 2 of the 3 countries on this map are denser.",
    ]


def test_the_only_place_of_its_kind_is_not_compared():
    alone = replace(MAP_DATA, opened_atlas=replace(MAP_DATA.atlas, peaks=MAP_DATA.atlas.peaks[:1]))
    assert place_card(alone, MAP_DATA.atlas.labels[0]).lines[0] == "A continent of 40 papers."


def test_a_surprise_is_the_same_for_the_same_seed_and_meets_every_name():
    cards = [surprise_card(MAP_DATA, seed) for seed in range(12)]
    assert cards == [surprise_card(MAP_DATA, seed) for seed in range(12)]
    assert {card.heading.split()[0] for card in cards} == {"Galaxy", "Planet"}
    assert surprise_card(map_data(labels=()), 3).row is not None


def test_a_surprise_is_of_the_years_that_are_chosen():
    # Only the last papers of the western heap are that young.
    assert {surprise_card(MAP_DATA, seed, (2025, 2026)).row for seed in range(12)} == {35, 36}
    assert surprise_card(map_data(labels=()), 3, (2029, 2040)).row == 39


def test_years_without_a_paper_hold_no_surprise():
    with pytest.raises(UsageError, match="no papers from 1800 to 1850 to surprise you with"):
        surprise_card(MAP_DATA, 0, (1800, 1850))
