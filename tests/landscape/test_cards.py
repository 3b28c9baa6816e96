from dataclasses import replace

import pytest

from pathfinder.errors import UsageError
from pathfinder.landscape.atlas import Label
from pathfinder.landscape.cards import MOST_LETTERS, paper_card, place_card, surprise
from pathfinder.landscape.whereabouts import land_at, nearest_labels, nearest_rows
from pathfinder.types import Paper
from tests.landscape.charts import COAST, EAST, HILLS, MOUNTAINS, PLAINS, SEA, WEST, chart

CHART = chart()


@pytest.mark.parametrize("land", [SEA, COAST, PLAINS, HILLS, MOUNTAINS])
def test_the_land_at_a_place_is_told_from_its_height(land):
    # The height falls by a third with every unit from the top.
    height = land.low + 0.05
    assert land_at(CHART, WEST[0] - 3 * (1 - height), WEST[1]) == land


def test_beyond_the_map_lies_the_sea():
    assert land_at(CHART, -100.0, 3.0) == SEA
    assert land_at(CHART, 8.0, 12.1) == SEA


def test_the_nearest_come_first():
    assert nearest_rows(CHART, *EAST, 2).tolist() == [40, 41]
    assert [label.text for label in nearest_labels(CHART, *EAST, 2)] == ["planets", "hot jupiters"]


def test_a_name_that_stands_twice_counts_once():
    twice = chart(
        labels=(Label(1, 1, "dust", 1, 0.0, 3), Label(2, 2, "dust", 1, 0.0, 3), Label(3, 3, "ice", 1, 0.0, 3))
    )
    assert [label.text for label in nearest_labels(twice, 0.0, 0.0, 2)] == ["dust", "ice"]


def test_a_paper_is_told_by_its_facts():
    card = paper_card(CHART, 2)
    assert card.heading == "Galaxy 2"
    assert card.row == 2
    assert card.lines == (
        "Published in 1992.",
        f"It lies in the mountains ({MOUNTAINS.says}), near galaxies and planets.",
        "In its own words: “Words of it.”",
        "Other papers cite it 2 times.",
        "Its nearest neighbours on the map: “Galaxy 1” (1991); “Galaxy 0” (1990); “Galaxy 3” (1993).",
    )


def test_what_is_not_known_is_not_told():
    card = paper_card(chart([Paper("bare", "Bare", "")]), 0)
    assert card.lines[0] == "Nobody noted when it was published."
    assert not any("cite" in line or "words" in line for line in card.lines)


@pytest.mark.parametrize(("count", "told"), [(0, "No other paper cites it yet."), (1, "Other papers cite it 1 time.")])
def test_citations_are_counted_in_words(count, told):
    assert told in paper_card(chart([Paper("p", "P", "", citation_count=count)]), 0).lines


def test_only_the_first_sentence_is_quoted_and_a_summary_is_not_its_own_words():
    text = "Stars of type R.R. Lyrae pulsate with a period of half a day. They are old."
    quoted = next(line for line in paper_card(chart([Paper("p", "P", text)]), 0).lines if "“Stars" in line)
    assert quoted == "In its own words: “Stars of type R.R. Lyrae pulsate with a period of half a day.”"
    summary = paper_card(chart([Paper("p", "P", text, is_summary=True)]), 0)
    assert any(line.startswith("In short: “Stars") for line in summary.lines)


def test_a_long_sentence_is_cut_between_words():
    quoted = paper_card(chart([Paper("p", "P", "word " * 200)]), 0).lines[2]
    assert quoted.endswith("word ...”")
    assert len(quoted) < MOST_LETTERS + 40


def test_a_place_is_told_by_its_size_its_years_its_papers_and_its_neighbours():
    card = place_card(CHART, CHART.atlas.labels[0])
    assert card.heading == "galaxies"
    assert card.lines == (
        "A continent of 40 papers. No other place of its kind on this map is more crowded.",
        "The papers around its middle are from 1990 to 2019.",
        "Cited most around here: “Galaxy 29” (2019); “Galaxy 28” (2018); “Galaxy 27” (2017).",
        "Next to it: planets, hot jupiters.",
    )


def test_a_place_is_told_how_many_of_its_kind_are_more_crowded():
    first = [place_card(CHART, label).lines[0] for label in CHART.atlas.labels[1:]]
    assert first == [
        "A continent of 20 papers. Of the 2 places of its kind on this map, 1 is more crowded.",
        "A country of 8 papers. Of the 3 places of its kind on this map, 2 are more crowded.",
    ]


def test_the_only_place_of_its_kind_is_not_compared():
    alone = replace(CHART, atlas=replace(CHART.atlas, peaks=CHART.atlas.peaks[:1]))
    assert place_card(alone, CHART.atlas.labels[0]).lines[0] == "A continent of 40 papers."


def test_a_surprise_is_the_same_for_the_same_seed_and_meets_every_name():
    cards = [surprise(CHART, seed) for seed in range(12)]
    assert cards == [surprise(CHART, seed) for seed in range(12)]
    assert {card.heading.split()[0] for card in cards} == {"Galaxy", "Planet"}
    assert surprise(chart(labels=()), 3).row is not None


def test_a_surprise_is_of_the_years_that_are_chosen():
    # Only the last papers of the western heap are that young.
    assert {surprise(CHART, seed, (2025, 2026)).row for seed in range(12)} == {35, 36}
    assert surprise(chart(labels=()), 3, (2029, 2040)).row == 39


def test_years_without_a_paper_hold_no_surprise():
    with pytest.raises(UsageError, match="no paper of 1800 to 1850 to be surprised by"):
        surprise(CHART, 0, (1800, 1850))
